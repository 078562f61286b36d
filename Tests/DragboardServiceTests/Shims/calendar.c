// A preloaded library: the time of day is always CALENDAR_SECONDS after 1970.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int is_set(time_t *seconds) {
  const char *text = getenv("CALENDAR_SECONDS");
  if (text) *seconds = (time_t)strtoll(text, NULL, 10);
  return text != NULL;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  time_t seconds;
  if (clock == CLOCK_REALTIME && is_set(&seconds)) {
    *time = (struct timespec){.tv_sec = seconds};
    return 0;
  }
  return ((__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
}

time_t time(time_t *result) {
  time_t seconds;
  if (!is_set(&seconds)) return ((__typeof__(&time))dlsym(RTLD_NEXT, "time"))(result);
  if (result) *result = seconds;
  return seconds;
}
