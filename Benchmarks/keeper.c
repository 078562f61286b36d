// The cost of an insert in C that stores and reports as much as the daemon: the row, the order of
// the rows, the change log and the undo step, each in a table like the daemon's, and the signal.
// It writes messages with libdbus, which the daemon does not do. So it shows what plain C
// achieves, and is not a lower bound.
//
//     keeper FILE      commits each insert separately
//     keeper -g FILE   group commit: handles all arrived calls, commits once, then sends the answers
//
// Rows are appended to one list, and nothing is read back.

#include "storing.h"
#include "table.h"

#include <stdint.h>

#define NAME "org.dragboard.Yardstick3"

// Blocks have as many rows as the daemon's. KEPT_STEPS undo steps are kept, and DELETED_STEPS are
// deleted together.
enum { BLOCK_ROWS = 480, KEPT_STEPS = 100, DELETED_STEPS = 32, LOG_BYTES = 14, STEP_BYTES = 6, MOST = 4096 };

static struct table table;
static sqlite3_stmt *insert_content, *save_block, *insert_log, *save_step, *delete_steps;

static uint64_t block[BLOCK_ROWS];
static int block_count;
static sqlite3_int64 block_number = 1, revision = 1, logged_revision = 1, deleted_steps;

// The messages that wait for the commit: a signal and a reply for each insert.
static DBusMessage *held[2 * MOST];
static int held_count, is_grouped;

// SQLite with the settings of the daemon: exclusive locking, and no memory statistics.
static void open_tables(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  table = open_table(path);
  const char *schema =
      "PRAGMA locking_mode = EXCLUSIVE;"
      "CREATE TABLE IF NOT EXISTS block(id INTEGER PRIMARY KEY, section INTEGER NOT NULL, next INTEGER,"
      " revision INTEGER NOT NULL, rows BLOB NOT NULL);"
      "CREATE TABLE IF NOT EXISTS representation(id INTEGER PRIMARY KEY, type TEXT, created INTEGER, source TEXT,"
      " name TEXT, preview TEXT, data BLOB NOT NULL, file INTEGER);"
      "CREATE TABLE IF NOT EXISTS log(id INTEGER PRIMARY KEY, revisions INTEGER NOT NULL, changes BLOB NOT NULL);"
      "CREATE TABLE IF NOT EXISTS step(id INTEGER PRIMARY KEY, is_undone INTEGER NOT NULL, bytes INTEGER NOT NULL,"
      " operations BLOB NOT NULL, kept BLOB NOT NULL)";
  check(&table, sqlite3_exec(table.database, schema, NULL, NULL, NULL));
  insert_content = prepare(&table, "INSERT INTO representation(id, created, source, name, data) VALUES (?, ?, ?, '', ?)");
  save_block = prepare(&table, "REPLACE INTO block(id, section, next, revision, rows) VALUES (?, 1, NULL, ?, ?)");
  insert_log = prepare(&table, "INSERT INTO log(id, revisions, changes) VALUES (?, ?, ?)");
  save_step = prepare(&table, "REPLACE INTO step(id, is_undone, bytes, operations, kept) VALUES (?, 0, ?, ?, x'')");
  delete_steps = prepare(&table, "DELETE FROM step WHERE id BETWEEN ? AND ?");
}

// MARK: Storing

static void keep_block(void) {
  sqlite3_bind_int64(save_block, 1, block_number);
  sqlite3_bind_int64(save_block, 2, revision);
  sqlite3_bind_blob(save_block, 3, block, (int)(block_count * sizeof *block), SQLITE_STATIC);
  run(&table, save_block);
}

static void place(uint64_t row) {
  if (block_count == BLOCK_ROWS) {
    keep_block();
    block_number++;
    block_count = 0;
  }
  block[block_count++] = row;
}

static void keep_step(void) {
  static const char operations[STEP_BYTES];
  sqlite3_bind_int64(save_step, 1, revision);
  sqlite3_bind_int64(save_step, 2, STEP_BYTES);
  sqlite3_bind_blob(save_step, 3, operations, STEP_BYTES, SQLITE_STATIC);
  run(&table, save_step);
}

static void forget_steps(void) {
  if (revision - deleted_steps < KEPT_STEPS + DELETED_STEPS) return;
  sqlite3_bind_int64(delete_steps, 1, deleted_steps);
  sqlite3_bind_int64(delete_steps, 2, revision - KEPT_STEPS);
  run(&table, delete_steps);
  deleted_steps = revision - KEPT_STEPS;
}

// Writes the data that all inserts of a commit share.
static void keep_batch(void) {
  static char changes[MOST * LOG_BYTES];
  const int count = (int)(revision - logged_revision);
  keep_block();
  forget_steps();
  sqlite3_bind_int64(insert_log, 1, revision);
  sqlite3_bind_int64(insert_log, 2, count);
  sqlite3_bind_blob(insert_log, 3, changes, count * LOG_BYTES, SQLITE_STATIC);
  run(&table, insert_log);
  logged_revision = revision;
}

// MARK: Inserting

static void insert_text(DBusMessage *call, DBusMessage *reply) {
  const char *text = text_to_insert(call);
  char id[37];
  if (held_count == 0) run(&table, table.begin);
  const sqlite3_int64 number = ++revision;
  sqlite3_bind_int64(insert_content, 1, number << 8);
  sqlite3_bind_int64(insert_content, 2, 1700000000000000 + number);
  sqlite3_bind_text(insert_content, 3, dbus_message_get_sender(call), -1, SQLITE_STATIC);
  sqlite3_bind_blob(insert_content, 4, text, (int)strlen(text), SQLITE_STATIC);
  run(&table, insert_content);
  place((uint64_t)number);
  keep_step();
  append_id(reply, (unsigned)number, id);
  held[held_count++] = changed((dbus_uint64_t)revision, id, (dbus_uint32_t)number);
}

// MARK: Serving

static const struct method methods[] = {
    {INTERFACE "Board", "InsertText", "uis", insert_text},
    {NULL, NULL, NULL, NULL},
};

static void conclude(DBusConnection *connection) {
  if (held_count == 0) return;
  keep_batch();
  run(&table, table.commit);
  for (int i = 0; i < held_count; i++) send(connection, held[i]);
  held_count = 0;
}

static DBusHandlerResult hold(DBusConnection *connection, DBusMessage *call, void *data) {
  (void)data;
  DBusMessage *reply = reply_to(call, methods);
  if (!reply) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  held[held_count++] = reply;
  if (!is_grouped || held_count == 2 * MOST) conclude(connection);
  return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **words) {
  is_grouped = count == 3 && strcmp(words[1], "-g") == 0;
  if (count != 2 + is_grouped) give_up("usage", "keeper [-g] FILE");
  open_tables(words[count - 1]);
  serve_together(serve(NAME, hold), &held_count, conclude);
  return 0;
}
