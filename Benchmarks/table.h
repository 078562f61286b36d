// A table of texts in SQLite, with a write-ahead log, durable commits (synchronous FULL) and
// prepared statements.

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
  sqlite3 *database;
  sqlite3_stmt *insert, *begin, *commit;
};

static inline void check(const struct table *table, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(table->database));
  exit(1);
}

static inline sqlite3_stmt *prepare(const struct table *table, const char *sql) {
  sqlite3_stmt *statement;
  check(table, sqlite3_prepare_v3(table->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                                  NULL));
  return statement;
}

static inline struct table open_table(const char *path) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const char *schema = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                       "CREATE TABLE IF NOT EXISTS row(id INTEGER PRIMARY KEY, text TEXT NOT NULL)";
  struct table table;
  check(&table, sqlite3_open_v2(path, &table.database, flags, NULL));
  check(&table, sqlite3_exec(table.database, schema, NULL, NULL, NULL));
  table.insert = prepare(&table, "INSERT INTO row(text) VALUES (?)");
  table.begin = prepare(&table, "BEGIN IMMEDIATE");
  table.commit = prepare(&table, "COMMIT");
  return table;
}

static inline void run(const struct table *table, sqlite3_stmt *statement) {
  check(table, sqlite3_step(statement));
  check(table, sqlite3_reset(statement));
}

// Inserts a row and returns its number. Outside of a transaction the row is durable afterwards.
static inline sqlite3_int64 insert_row(const struct table *table, const char *text) {
  check(table, sqlite3_bind_text(table->insert, 1, text, -1, SQLITE_STATIC));
  run(table, table->insert);
  return sqlite3_last_insert_rowid(table->database);
}
