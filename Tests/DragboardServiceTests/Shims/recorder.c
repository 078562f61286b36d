// Preloaded into a process: records every operation on the files of a directory, every sync, and
// every message that the process is about to send.
//
// RECORDER_FOLDER names the directory, RECORDER_LOG the file to which the records are appended. A
// record is a struct record, followed by two sequences of bytes: data or a path, and the other path
// of a rename.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct record {
  // The file, by its inode.
  uint64_t file;
  // For a write, its offset; for a truncation, the new length of the file.
  uint64_t offset;
  uint32_t first;
  uint32_t second;
  uint64_t kind;
};

enum { CREATE = 'C', FOLDER = 'M', WRITE = 'W', TRUNCATE = 'T', RENAME = 'R', UNLINK = 'U', SYNC = 'F', NAMES = 'D', LOST = 'X', SEND = 'S' };

static int log_fd = -1;
static const char *folder = "/nowhere";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void attach(void) {
  const char *log = getenv("RECORDER_LOG"), *path = getenv("RECORDER_FOLDER");
  if (!log || !path) return;
  folder = path;
  log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void append(uint64_t kind, uint64_t file, uint64_t offset, const void *first, size_t count, const char *second) {
  size_t other = second ? strlen(second) : 0;
  struct record record = {file, offset, (uint32_t)count, (uint32_t)other, kind};
  struct iovec parts[] = {{&record, sizeof record}, {(void *)first, count}, {(void *)second, other}};
  if (syscall(SYS_writev, log_fd, parts, 3) < 0) abort();
}

static int is_inside(const char *path) {
  return log_fd >= 0 && strncmp(path, folder, strlen(folder)) == 0;
}

// Returns the inode of an open file; 0 for anything else.
static uint64_t file_of(int fd) {
  struct stat status;
  if (log_fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return status.st_ino;
}

// Begins the record of a call; no other thread records before the end.
//
// So the records are in the order of the calls. If another process locks the log and then kills
// this process, the log contains all operations of this process.
static void begin(void) {
  pthread_mutex_lock(&mutex);
  flock(log_fd, LOCK_EX);
}

static void end(void) {
  flock(log_fd, LOCK_UN);
  pthread_mutex_unlock(&mutex);
}

// Records a call. errno stays that of the call.
#define RECORDING(result, call, recording) \
  begin(); \
  result value = call; \
  int error = errno; \
  if (value >= 0) { recording; } \
  end(); \
  errno = error; \
  return value;

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    if (!(flags & (O_CREAT | O_TRUNC)) || !is_inside(path)) return REAL(name)(path, flags, mode); \
    struct stat status; \
    int is_new = lstat(path, &status) != 0; \
    RECORDING(int, REAL(name)(path, flags, mode), { \
      if (is_new) append(CREATE, file_of(value), 0, path, strlen(path), NULL); \
      if (flags & O_TRUNC) append(TRUNCATE, file_of(value), 0, NULL, 0, NULL); \
    }) \
  }

OPEN(open)
OPEN(open64)

#define PWRITE(name, type) \
  ssize_t name(int fd, const void *bytes, size_t count, type offset) { \
    uint64_t file = file_of(fd); \
    if (!file) return REAL(name)(fd, bytes, count, offset); \
    RECORDING(ssize_t, REAL(name)(fd, bytes, count, offset), append(WRITE, file, (uint64_t)offset, bytes, (size_t)value, NULL)) \
  }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
  uint64_t file = file_of(fd);
  if (!file) return REAL(write)(fd, bytes, count);
  off_t offset = lseek(fd, 0, SEEK_CUR);
  RECORDING(ssize_t, REAL(write)(fd, bytes, count), append(WRITE, file, (uint64_t)offset, bytes, (size_t)value, NULL))
}

#define TRUNCATE_CALL(name, type) \
  int name(int fd, type length) { \
    uint64_t file = file_of(fd); \
    RECORDING(int, REAL(name)(fd, length), if (file) append(TRUNCATE, file, (uint64_t)length, NULL, 0, NULL)) \
  }

TRUNCATE_CALL(ftruncate, off_t)
TRUNCATE_CALL(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
  if (!is_inside(from)) return REAL(rename)(from, to);
  RECORDING(int, REAL(rename)(from, to), append(RENAME, 0, 0, from, strlen(from), to))
}

int unlink(const char *path) {
  if (!is_inside(path)) return REAL(unlink)(path);
  RECORDING(int, REAL(unlink)(path), append(UNLINK, 0, 0, path, strlen(path), NULL))
}

int mkdir(const char *path, mode_t mode) {
  if (!is_inside(path)) return REAL(mkdir)(path, mode);
  RECORDING(int, REAL(mkdir)(path, mode), append(FOLDER, 0, 0, path, strlen(path), NULL))
}

static void synced(int fd, int result) {
  uint64_t file = file_of(fd);
  if (file) return append(result == 0 ? SYNC : LOST, file, 0, NULL, 0, NULL);
  if (result != 0) return;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, sizeof path);
  if (count > 0 && log_fd >= 0) append(NAMES, 0, 0, path, (size_t)count, NULL);
}

// Records the result of a sync, too: after a failed sync the system considers the data written, but
// the data is lost.
#define SYNC_CALL(name) \
  int name(int fd) { \
    begin(); \
    int value = REAL(name)(fd); \
    int error = errno; \
    synced(fd, value); \
    end(); \
    errno = error; \
    return value; \
  }

SYNC_CALL(fsync)
SYNC_CALL(fdatasync)

// Records that a message is sent, before it is sent.
static void sending(void) {
  begin();
  if (log_fd >= 0) append(SEND, 0, 0, NULL, 0, NULL);
  end();
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  sending();
  return REAL(sendmsg)(fd, message, flags);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  sending();
  return REAL(send)(fd, bytes, count, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  sending();
  return REAL(writev)(fd, parts, count);
}
