// What Swift imports of SQLite, and what it cannot import restated: destructors behind cast macros, and
// functions with a variable number of arguments.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// SQLITE_STATIC: SQLite reads the bytes where they are, until the statement is reset.
static const sqlite3_destructor_type CSQLITE_STATIC = SQLITE_STATIC;
/// SQLITE_TRANSIENT: SQLite copies the bytes while they are bound.
static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

/// sqlite3_db_config(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE): closing leaves the file and its log as they are.
static inline int csqlite_leave_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// sqlite3_config(SQLITE_CONFIG_MEMSTATUS): no lock is taken to count memory; without effect once SQLite is in use.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
