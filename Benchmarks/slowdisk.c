// A disk whose flush takes four milliseconds: preloaded with LD_PRELOAD, it delays every fsync and
// fdatasync.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_for_disk(void) {
  const struct timespec flush = {.tv_nsec = 4000000};
  nanosleep(&flush, NULL);
}

static int call(const char *name, int fd) {
  int (*function)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return function(fd);
}

int fsync(int fd) {
  wait_for_disk();
  return call("fsync", fd);
}

int fdatasync(int fd) {
  wait_for_disk();
  return call("fdatasync", fd);
}
