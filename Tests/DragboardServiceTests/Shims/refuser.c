// Preloaded into a process: lets calls that change or read the files of a directory fail or wait,
// as a disk would.
//
// REFUSER_FOLDER names the directory, REFUSER_MEMORY a file with a struct refuser, which the parent
// process maps, too.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2, NAMES = 4, READS = 8, FOLDERS = 16, LOOKUPS = 32, COPIES = 64 };

struct refuser {
  // The error of the calls; 0 for none. While it is negative, calls wait.
  _Atomic int64_t error;
  // The kinds of calls that fail or wait.
  _Atomic int64_t calls;
  // The number of calls that still succeed before calls fail or wait.
  _Atomic int64_t ahead;
  // The number of calls that will fail; negative for all calls.
  _Atomic int64_t left;
  // The number of calls that failed or waited.
  _Atomic int64_t failed;
  // Whether a failing write has written the first half of its bytes: 1. With 2, it then succeeds for
  // these bytes.
  _Atomic int64_t halves;
};

static struct refuser nobody;
static struct refuser *refuser = &nobody;
static const char *folder = "/nowhere";

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void attach(void) {
  const char *memory = getenv("REFUSER_MEMORY"), *path = getenv("REFUSER_FOLDER");
  int fd = memory && path ? REAL(open)(memory, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *map = mmap(NULL, sizeof *refuser, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) refuser = map;
  folder = path;
  close(fd);
}

static int refuses(int calls) {
  if (!refuser->error || !(refuser->calls & calls) || refuser->left == 0) return 0;
  if (refuser->ahead > 0) {
    atomic_fetch_sub(&refuser->ahead, 1);
    return 0;
  }
  if (refuser->left > 0) atomic_fetch_sub(&refuser->left, 1);
  atomic_fetch_add(&refuser->failed, 1);
  if (refuser->error < 0) {
    while (refuser->error) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return 0;
  }
  errno = (int)refuser->error;
  return 1;
}

static int is_inside(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

// Returns whether a descriptor refers to a file or directory inside the directory.
static int is_open_inside(int fd) {
  char link[64], path[4096];
  if (!refuser->error) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return is_inside(path);
}

static int is_folder(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

#define BY_FD(result, name, parameters, arguments, call) \
  result name parameters { \
    if (is_open_inside(fd) && refuses(call)) return -1; \
    return REAL(name) arguments; \
  }

#define WRITE(name, parameters, whole, half) \
  ssize_t name parameters { \
    if (!is_open_inside(fd) || !refuses(WRITES)) return REAL(name) whole; \
    int error = errno; \
    ssize_t written = refuser->halves && count > 1 ? REAL(name) half : 0; \
    errno = error; \
    return refuser->halves == 2 && written > 0 ? written : -1; \
  }

WRITE(pwrite, (int fd, const void *bytes, size_t count, off_t offset), (fd, bytes, count, offset),
      (fd, bytes, count / 2, offset))
WRITE(pwrite64, (int fd, const void *bytes, size_t count, off64_t offset), (fd, bytes, count, offset),
      (fd, bytes, count / 2, offset))
WRITE(write, (int fd, const void *bytes, size_t count), (fd, bytes, count), (fd, bytes, count / 2))
BY_FD(ssize_t, pread, (int fd, void *bytes, size_t count, off_t offset), (fd, bytes, count, offset), READS)
BY_FD(ssize_t, pread64, (int fd, void *bytes, size_t count, off64_t offset), (fd, bytes, count, offset), READS)
BY_FD(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count), READS)
BY_FD(int, ftruncate, (int fd, off_t length), (fd, length), WRITES)
BY_FD(int, ftruncate64, (int fd, off64_t length), (fd, length), WRITES)
BY_FD(int, fsync, (int fd), (fd), SYNCS | (is_folder(fd) ? FOLDERS : 0))
BY_FD(int, fdatasync, (int fd), (fd), SYNCS)

ssize_t copy_file_range(int fd, off64_t *source, int to, off64_t *target, size_t count, unsigned flags) {
  if (is_open_inside(fd) && refuses(COPIES)) return -1;
  return REAL(copy_file_range)(fd, source, to, target, count, flags);
}

#define BY_PATH(result, name, parameters, arguments, call, failure) \
  result name parameters { \
    if (is_inside(path) && refuses(call)) return failure; \
    return REAL(name) arguments; \
  }

BY_PATH(int, rename, (const char *path, const char *to), (path, to), NAMES, -1)
BY_PATH(int, unlink, (const char *path), (path), NAMES, -1)
BY_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), NAMES, -1)
BY_PATH(int, access, (const char *path, int mode), (path, mode), LOOKUPS, -1)
BY_PATH(DIR *, opendir, (const char *path), (path), LOOKUPS, NULL)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    int call = (flags & (O_CREAT | O_ACCMODE)) ? NAMES : READS; \
    if (is_inside(path) && refuses(call)) return -1; \
    return REAL(name)(path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
