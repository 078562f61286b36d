// Preloaded into a process: kills it before or after its nth call that changes or syncs a file.
//
// KILLER_MEMORY names a file with a struct killer, which the parent process maps, too.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct killer {
  // The number of calls since the parent process set it to 0.
  _Atomic int64_t count;
  // The call that is the last one; 0 for none.
  _Atomic int64_t last;
  // Whether the last call is carried out.
  _Atomic int64_t is_after;
};

static struct killer nobody;
static struct killer *killer = &nobody;

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("KILLER_MEMORY");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *memory = mmap(NULL, sizeof *killer, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) killer = memory;
  close(fd);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int is_last(void) {
  int is_last = atomic_fetch_add(&killer->count, 1) + 1 == killer->last;
  if (is_last && !killer->is_after) die();
  return is_last;
}

static int is_file(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

// Replaces a function of the C library. If the call changes a file, it is counted, and the process
// may die before or after it.
#define STEP(result, name, parameters, arguments, changes) \
  result name parameters { \
    static result(*real) parameters; \
    if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    if (!(changes)) return real arguments; \
    int ends = is_last(); \
    result value = real arguments; \
    if (ends) die(); \
    return value; \
  }

STEP(int, fsync, (int fd), (fd), 1)
STEP(int, fdatasync, (int fd), (fd), 1)
STEP(int, rename, (const char *from, const char *to), (from, to), 1)
STEP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), 1)
STEP(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
     (a, from, b, to, flags), 1)
STEP(int, unlink, (const char *path), (path), 1)
STEP(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), 1)
STEP(int, mkdir, (const char *path, mode_t mode), (path, mode), 1)
STEP(int, ftruncate, (int fd, off_t length), (fd, length), 1)
STEP(int, ftruncate64, (int fd, off64_t length), (fd, length), 1)
STEP(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t offset),
     (fd, bytes, count, offset), 1)
STEP(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t offset),
     (fd, bytes, count, offset), 1)
STEP(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), is_file(fd))

// Defines a function that opens a file, and may create it.
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    static int (*real)(const char *, int, ...); \
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    if (!(flags & O_CREAT)) return real(path, flags, mode); \
    int ends = is_last(); \
    int value = real(path, flags, mode); \
    if (ends) die(); \
    return value; \
  }

OPEN(open)
OPEN(open64)
