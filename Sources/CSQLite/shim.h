// What Swift imports of SQLite, and what it cannot import restated: destructors behind cast macros.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// SQLITE_STATIC: SQLite reads the bytes where they are, until the statement is reset.
static const sqlite3_destructor_type CSQLITE_STATIC = SQLITE_STATIC;
/// SQLITE_TRANSIENT: SQLite copies the bytes while they are bound.
static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

#endif
