// The effect on a client of another client that floods the service or does not read its answers.
//
//     crowd DESTINATION CALLS
//
// A client reads CALLS times, one call after the other (GetIndexPath), in four situations: no other
// client calls; another client keeps 64 calls of GetIndexPath outstanding; another client keeps 64
// calls of InsertText outstanding; another client has requested 2,000 rows a thousand times and
// does not read the answers. (More unanswered calls would measure the bus, which searches all of
// them for each answer, and accepts at most 50,000.) Prints one line of JSON: p50 and p99 of the
// reads in each situation, in microseconds. The bus is DBUS_SESSION_BUS_ADDRESS.

#include "session.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTSTANDING = 64, ROWS = 2000, UNREAD = 1000 };

static const char *destination;
static char *item;

static DBusMessage *addressed(DBusMessage *call) {
  dbus_message_set_destination(call, destination);
  return call;
}

static DBusMessage *make_read(void) {
  return addressed(make_call(BOARD, "Board", "GetIndexPath", DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID));
}

static DBusMessage *make_insert(void) {
  const char *text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  dbus_uint32_t section = 0;
  dbus_int32_t end = -1;
  return addressed(make_call(BOARD, "Board", "InsertText", DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &end,
                             DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID));
}

static DBusMessage *make_page(void) {
  dbus_uint32_t section = 0, first = 0, count = ROWS;
  return addressed(make_call(BOARD, "Board", "GetRows", DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &first,
                             DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID));
}

static void send_one(DBusConnection *connection, DBusMessage *call) {
  dbus_connection_send(connection, call, NULL);
  dbus_message_unref(call);
}

static void flood(DBusMessage *make(void)) {
  DBusConnection *connection = connect_to_bus();
  for (int i = 0; i < OUTSTANDING; i++) send_one(connection, make());
  while (dbus_connection_read_write(connection, -1)) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection))) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN) send_one(connection, make());
      dbus_message_unref(message);
    }
  }
}

static void flood_with_reads(void) { flood(make_read); }

static void flood_with_inserts(void) { flood(make_insert); }

static void never_read(void) {
  DBusConnection *connection = connect_to_bus();
  for (int i = 0; i < UNREAD; i++) send_one(connection, make_page());
  dbus_connection_flush(connection);
  for (;;) pause();
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void measure(DBusConnection *reader, const char *name, double *times, int calls) {
  for (int i = 0; i < calls; i++) {
    double start = now();
    dbus_message_unref(answer(reader, make_read()));
    times[i] = now() - start;
  }
  qsort(times, (size_t)calls, sizeof *times, compare);
  printf("\"%s\": {\"p50_us\": %.3f, \"p99_us\": %.3f}", name, times[calls / 2] * 1e6, times[calls * 99 / 100] * 1e6);
  fflush(stdout);
}

static void measure_beside(void other(void), DBusConnection *reader, const char *name, double *times, int calls) {
  pid_t child = fork();
  if (child == 0) other(), _exit(1);
  // The other client has reached full speed after some answered calls.
  for (int i = 0; i < calls / 10; i++) dbus_message_unref(answer(reader, make_read()));
  printf(", "), measure(reader, name, times, calls);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

int main(int count, char **words) {
  if (count != 3) fail("usage", "crowd DESTINATION CALLS");
  destination = words[1];
  const int calls = atoi(words[2]);
  double *times = calloc((size_t)calls, sizeof *times);
  DBusConnection *reader = connect_to_bus();
  for (int i = 0; i < ROWS; i++) {
    char *id = text_of(answer(reader, make_insert()));
    if (i == 0) item = id; else free(id);
  }
  putchar('{'), measure(reader, "idle", times, calls);
  measure_beside(flood_with_reads, reader, "reads", times, calls);
  measure_beside(flood_with_inserts, reader, "inserts", times, calls);
  measure_beside(never_read, reader, "deaf", times, calls);
  puts("}");
  return 0;
}
