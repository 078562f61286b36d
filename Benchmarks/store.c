// The yardstick of durable inserts: a service on libdbus that stores a text in SQLite before it
// replies with its id.
//
//     store FILE      commits each insert separately
//     store -g FILE   group commit: handles all arrived calls, commits once, then sends the answers
//     store -t FILE, store -g -t FILE
//                     also sends a signal for each insert, a copy of the same one each time
//
// It has no positions, no state in memory and, without -t, no signals.

#include "storing.h"
#include "table.h"

#define NAME "org.dragboard.Yardstick2"
// The name of the service with signals. It runs beside the service without signals.
#define SIGNALLING_NAME "org.dragboard.Yardstick4"

static struct table table;
// The signal for an insert; NULL for none.
static DBusMessage *signal_to_copy;

// Sends the signal and the reply.
static void conclude_one(DBusConnection *connection, DBusMessage *reply) {
  if (signal_to_copy) send(connection, dbus_message_copy(signal_to_copy));
  send(connection, reply);
}

static void insert_text(DBusMessage *call, DBusMessage *reply) {
  char id[37];
  append_id(reply, (unsigned)insert_row(&table, text_to_insert(call)), id);
}

static const struct method methods[] = {
    {INTERFACE "Board", "InsertText", "uis", insert_text},
    {NULL, NULL, NULL, NULL},
};

// MARK: One commit each

static DBusHandlerResult answer(DBusConnection *connection, DBusMessage *call, void *data) {
  (void)data;
  DBusMessage *reply = reply_to(call, methods);
  if (!reply) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  conclude_one(connection, reply);
  return DBUS_HANDLER_RESULT_HANDLED;
}

static void commit_each(const char *name) {
  DBusConnection *connection = serve(name, answer);
  while (dbus_connection_read_write_dispatch(connection, -1)) {
  }
}

// MARK: Group commit

enum { MOST = 4096 };

// The replies to the inserts of the open transaction; there is a transaction if there is a reply.
static DBusMessage *held[MOST];
static int held_count;

static void conclude(DBusConnection *connection) {
  if (held_count == 0) return;
  run(&table, table.commit);
  for (int i = 0; i < held_count; i++) conclude_one(connection, held[i]);
  held_count = 0;
}

static void begin_and_insert(DBusMessage *call, DBusMessage *reply) {
  if (held_count == 0) run(&table, table.begin);
  insert_text(call, reply);
}

static const struct method grouped_methods[] = {
    {INTERFACE "Board", "InsertText", "uis", begin_and_insert},
    {NULL, NULL, NULL, NULL},
};

static DBusHandlerResult hold(DBusConnection *connection, DBusMessage *call, void *data) {
  (void)data;
  if (held_count == MOST) conclude(connection);
  DBusMessage *reply = reply_to(call, grouped_methods);
  if (!reply) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  held[held_count++] = reply;
  return DBUS_HANDLER_RESULT_HANDLED;
}

static void commit_groups(const char *name) {
  serve_together(serve(name, hold), &held_count, conclude);
}

int main(int count, char **words) {
  int next = 1;
  int is_grouped = count > next && strcmp(words[next], "-g") == 0;
  next += is_grouped;
  int signals = count > next && strcmp(words[next], "-t") == 0;
  next += signals;
  if (count != next + 1) give_up("usage", "store [-g] [-t] FILE");
  if (signals) signal_to_copy = changed(1000, "00000000-9b7e-8d54-a1c0-5e2f7b9d8c46", 1000);
  table = open_table(words[next]);
  const char *name = signals ? SIGNALLING_NAME : NAME;
  if (is_grouped) commit_groups(name);
  else commit_each(name);
  return 0;
}
