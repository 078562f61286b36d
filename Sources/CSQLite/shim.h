// SQLite for Swift, with the cast macros and variadic functions that Swift cannot import.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// SQLITE_STATIC: SQLite reads the bytes in place until the statement is reset.
static const sqlite3_destructor_type CSQLITE_STATIC = SQLITE_STATIC;
/// SQLITE_TRANSIENT: SQLite copies the bytes when they are bound.
static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

/// sqlite3_db_config(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE): closing leaves the file and its log
/// unchanged.
static inline int csqlite_leave_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// sqlite3_config(SQLITE_CONFIG_MEMSTATUS): turns memory statistics and their lock off; has no
/// effect after the first use of SQLite.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
