#include "CWriteAhead.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  // Commits of a few edits write less.
  MOST_GATHERED = 64 << 10,
  // A log that has grown ends with a whole number of steps, unless it is larger than that: a large transaction's.
  STEP = 128 << 10,
  MOST_FILLED = 4 << 20,
  // Of the file, and of each frame.
  FILE_HEADER = 32,
  FRAME_HEADER = 24,
};

// What SQLite has of a log, and behind that the file of the VFS below.
struct log {
  sqlite3_file seen;
  sqlite3_file *file;
  // The size of the file, and whether it has grown since the last sync.
  sqlite3_int64 size;
  int has_grown;
  // Whether bytes that have been cut off may be there again when the power comes back.
  int is_cut;
  // Where the first bytes are that may not be durable; the largest number where all are.
  sqlite3_int64 unsynced;
  // Its path, until that is durable.
  const char *name;
  // What has been written and is not in the file yet: so many bytes, which go there.
  char *gathered;
  int count;
  sqlite3_int64 offset;
};

static sqlite3_vfs *below;

static const sqlite3_int64 nowhere = INT64_MAX;

static int put(struct log *log, const void *bytes, int count, sqlite3_int64 offset) {
  if (offset < log->unsynced) log->unsynced = offset;
  const int code = log->file->pMethods->xWrite(log->file, bytes, count, offset);
  if (code == SQLITE_OK && offset + count > log->size) {
    log->size = offset + count;
    log->has_grown = 1;
  }
  return code;
}

// Puts what was gathered into the file; what cannot be is gone, and SQLite takes the whole transaction back, as after any write that fails.
static int flush(struct log *log) {
  const int count = log->count;
  log->count = 0;
  return count > 0 ? put(log, log->gathered, count, log->offset) : SQLITE_OK;
}

// Fills the last step with zeros, or, where the disk has no room, leaves it as it was.
//
// Only where nothing can come back that was cut off: zeros amid the frames of an old log, whose header is still there, would end it early,
// and SQLite would take pages from it that are older than those in the database.
static void fill(struct log *log) {
  static char zeros[MOST_GATHERED];
  const sqlite3_int64 size = log->size, end = (size + STEP - 1) / STEP * STEP;
  while (log->size < end && end <= MOST_FILLED) {
    const int count = end - log->size < MOST_GATHERED ? (int)(end - log->size) : MOST_GATHERED;
    if (log->file->pMethods->xWrite(log->file, zeros, count, log->size) != SQLITE_OK) {
      log->file->pMethods->xTruncate(log->file, size);
      log->size = size;
      return;
    }
    log->size += count;
  }
}

// Sees to it that a transaction that could not be synced, and is refused, is not found whole by another process, if this one is killed.
static void take_back(struct log *log) {
  static const char zeros[FRAME_HEADER];
  if (log->unsynced < FILE_HEADER || log->unsynced == nowhere) return;
  log->file->pMethods->xWrite(log->file, zeros, FRAME_HEADER, log->unsynced);
}

// Makes durable that there is a file of that name. File systems that cannot sync a folder are taken as they are.
static int sync_name(const char *name) {
  char folder[4096];
  const char *end = strrchr(name, '/');
  if (!end || end - name >= (long)sizeof folder) return SQLITE_IOERR_DIR_FSYNC;
  memcpy(folder, name, (size_t)(end - name));
  folder[end - name] = 0;
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
  int result;
  do result = fsync(descriptor);
  while (result != 0 && errno == EINTR);
  const int code = result == 0 || errno == EINVAL ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
  close(descriptor);
  return code;
}

static int sync_all(struct log *log, int flags) {
  if (log->has_grown && !log->is_cut) fill(log);
  if (log->name) {
    const int code = sync_name(log->name);
    if (code != SQLITE_OK) return code;
    log->name = NULL;
  }
  return log->file->pMethods->xSync(log->file, flags);
}

// MARK: What SQLite calls

static int log_close(sqlite3_file *file) {
  struct log *log = (struct log *)file;
  flush(log);
  free(log->gathered);
  return log->file->pMethods->xClose(log->file);
}

// Nothing is written for the sake of a read: one that fails does not have SQLite take back what it believes to be in the file.
static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  struct log *log = (struct log *)file;
  const sqlite3_int64 end = offset + count, gathered_end = log->offset + log->count;
  const sqlite3_int64 first = offset > log->offset ? offset : log->offset;
  const sqlite3_int64 last = end < gathered_end ? end : gathered_end;
  if (first >= last) return log->file->pMethods->xRead(log->file, bytes, count, offset);
  int code = SQLITE_OK;
  if (last - first < count) code = log->file->pMethods->xRead(log->file, bytes, count, offset);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
  memcpy((char *)bytes + (first - offset), log->gathered + (first - log->offset), (size_t)(last - first));
  return end <= gathered_end ? SQLITE_OK : code;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  struct log *log = (struct log *)file;
  if (offset != log->offset + log->count || count > MOST_GATHERED - log->count) {
    const int code = flush(log);
    if (code != SQLITE_OK) return code;
    if (count > MOST_GATHERED) return put(log, bytes, count, offset);
  }
  if (log->count == 0) log->offset = offset;
  memcpy(log->gathered + log->count, bytes, (size_t)count);
  log->count += count;
  return SQLITE_OK;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  struct log *log = (struct log *)file;
  if (log->offset + log->count > size) log->count = log->offset < size ? (int)(size - log->offset) : 0;
  log->is_cut = 1;
  const int code = log->file->pMethods->xTruncate(log->file, size);
  if (code != SQLITE_OK) return code;
  log->size = size;
  if (log->unsynced >= size) log->unsynced = nowhere;
  return SQLITE_OK;
}

static int log_sync(sqlite3_file *file, int flags) {
  struct log *log = (struct log *)file;
  int code = flush(log);
  if (code != SQLITE_OK) return code;
  code = sync_all(log, flags);
  if (code != SQLITE_OK) {
    take_back(log);
    return code;
  }
  log->has_grown = log->is_cut = 0;
  log->unsynced = nowhere;
  return SQLITE_OK;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  struct log *log = (struct log *)file;
  const int code = log->file->pMethods->xFileSize(log->file, size);
  if (log->count > 0 && *size < log->offset + log->count) *size = log->offset + log->count;
  return code;
}

// The rest is as the file does it.

static sqlite3_file *file_of(sqlite3_file *file) { return ((struct log *)file)->file; }

static int log_lock(sqlite3_file *file, int level) { return file_of(file)->pMethods->xLock(file_of(file), level); }

static int log_unlock(sqlite3_file *file, int level) { return file_of(file)->pMethods->xUnlock(file_of(file), level); }

static int log_is_reserved(sqlite3_file *file, int *is_reserved) {
  return file_of(file)->pMethods->xCheckReservedLock(file_of(file), is_reserved);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
  return file_of(file)->pMethods->xFileControl(file_of(file), operation, argument);
}

static int log_sector_size(sqlite3_file *file) { return file_of(file)->pMethods->xSectorSize(file_of(file)); }

static int log_characteristics(sqlite3_file *file) {
  return file_of(file)->pMethods->xDeviceCharacteristics(file_of(file));
}

static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

// MARK: The VFS

static int open_log(const char *name, struct log *log, int flags, int *actual_flags) {
  // Whoever has made it, or cut it, may not have come to make that durable.
  *log = (struct log){.name = name, .is_cut = 1, .unsynced = nowhere, .file = (sqlite3_file *)(log + 1)};
  int code = below->xOpen(below, name, log->file, flags, actual_flags);
  if (code != SQLITE_OK) return code;
  code = log->file->pMethods->xFileSize(log->file, &log->size);
  log->gathered = code == SQLITE_OK ? malloc(MOST_GATHERED) : NULL;
  if (!log->gathered) {
    log->file->pMethods->xClose(log->file);
    return code == SQLITE_OK ? SQLITE_NOMEM : code;
  }
  log->seen.pMethods = &log_methods;
  return SQLITE_OK;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *actual_flags) {
  (void)vfs;
  if (flags & SQLITE_OPEN_WAL) return open_log(name, (struct log *)file, flags, actual_flags);
  return below->xOpen(below, name, file, flags, actual_flags);
}

int cwriteahead_register(void) {
  static sqlite3_vfs vfs;
  const int code = sqlite3_initialize();
  if (code != SQLITE_OK) return code;
  below = sqlite3_vfs_find(NULL);
  if (!below) return SQLITE_ERROR;
  vfs = *below;
  vfs.zName = CWRITEAHEAD_NAME;
  vfs.szOsFile += (int)sizeof(struct log);
  vfs.xOpen = open_file;
  return sqlite3_vfs_register(&vfs, 0);
}
