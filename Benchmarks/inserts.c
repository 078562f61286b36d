// Durable inserts into SQLite without a bus.
//
//     inserts FILE COUNT [GROUP]
//
// Inserts COUNT texts of 40 bytes, with a commit for each, or for each GROUP of them. Prints one
// line of JSON: the elapsed time and the CPU time of the process.

#include "table.h"

#include <time.h>

static double clock_now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **words) {
  if (count < 3 || count > 4) {
    fprintf(stderr, "usage: inserts FILE COUNT [GROUP]\n");
    return 2;
  }
  const struct table table = open_table(words[1]);
  const int rows = atoi(words[2]), group = count == 4 ? atoi(words[3]) : 1;
  const double start = clock_now(CLOCK_MONOTONIC), cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < rows; i++) {
    if (group > 1 && i % group == 0) run(&table, table.begin);
    insert_row(&table, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    if (group > 1 && (i % group == group - 1 || i == rows - 1)) run(&table, table.commit);
  }
  printf("{\"seconds\": %.9f, \"cpu_seconds\": %.9f}\n", clock_now(CLOCK_MONOTONIC) - start,
         clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  return 0;
}
