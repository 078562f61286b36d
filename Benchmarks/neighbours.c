// The effect on a client of another client that drops many rows at once.
//
//     neighbours DROPS ROWS CALLS
//
// One client drags ROWS texts, drops them on the board "default" and deletes the rows, DROPS times.
// During each of these calls another client reads with GetIndexPath, one call after the other. Then
// it reads CALLS times without other calls. Prints one line of JSON: p50 and p99 of the reads by
// the concurrent call, in microseconds, and the duration of that call in milliseconds. The bus is
// DBUS_SESSION_BUS_ADDRESS.

#include "session.h"

#include <poll.h>

// The reads during one kind of call.
struct reads {
  const char *name;
  double *times, waited;
  size_t count, room;
  int calls;
};

static struct reads idle = {.name = "idle"}, drag = {.name = "drag"}, drop = {.name = "drop"},
                    deletion = {.name = "delete"};

static void note(struct reads *reads, double time) {
  if (reads->count == reads->room) {
    reads->room = reads->room ? 2 * reads->room : 1024;
    reads->times = realloc(reads->times, reads->room * sizeof *reads->times);
  }
  reads->times[reads->count++] = time;
}

static DBusConnection *writer, *reader;
static char *item;

static DBusMessage *make_read(void) {
  return make_call(BOARD, "Board", "GetIndexPath", DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID);
}

static dbus_uint32_t begin(DBusConnection *connection, DBusMessage *call) {
  dbus_uint32_t serial;
  dbus_connection_send(connection, call, &serial);
  dbus_connection_flush(connection);
  dbus_message_unref(call);
  return serial;
}

// Returns the answer to the call with this serial; NULL before it has arrived.
static DBusMessage *poll_answer(DBusConnection *connection, dbus_uint32_t serial) {
  DBusMessage *message;
  DBusError error = DBUS_ERROR_INIT;
  if (!dbus_connection_read_write(connection, 0)) fail("the bus", "has gone");
  while ((message = dbus_connection_pop_message(connection))) {
    if (dbus_set_error_from_message(&error, message)) fail(error.name, error.message);
    if (dbus_message_get_reply_serial(message) == serial) return message;
    dbus_message_unref(message);
  }
  return NULL;
}

static void wait_for_either(void) {
  struct pollfd sockets[] = {{.events = POLLIN}, {.events = POLLIN}};
  dbus_connection_get_unix_fd(writer, &sockets[0].fd);
  dbus_connection_get_unix_fd(reader, &sockets[1].fd);
  poll(sockets, 2, -1);
}

// Makes a call, and reads until it is answered.
static DBusMessage *read_beside(struct reads *reads, DBusMessage *call) {
  double start = now(), read_start = start;
  dbus_uint32_t serial = begin(writer, call), read = begin(reader, make_read());
  DBusMessage *reply = NULL, *read_reply = NULL;
  while (!reply || !read_reply) {
    if (!reply && (reply = poll_answer(writer, serial))) reads->waited += now() - start;
    if ((read_reply = poll_answer(reader, read))) {
      note(reads, now() - read_start);
      dbus_message_unref(read_reply);
      if (reply) break;
      read_start = now();
      read = begin(reader, make_read());
      read_reply = NULL;
    }
    wait_for_either();
  }
  reads->calls++;
  return reply;
}

static void read_alone(int calls) {
  while (calls-- > 0) {
    double start = now();
    dbus_message_unref(answer(reader, make_read()));
    note(&idle, now() - start);
  }
}

static char *begin_text_drag(const char *const *texts, int count) {
  const char *application = "org.source";
  DBusMessage *call = make_call(ROOT, "Manager", "BeginTextDrag", DBUS_TYPE_STRING, &application,
                                DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &texts, count, DBUS_TYPE_INVALID);
  return text_of(read_beside(&drag, call));
}

static void drag_drop_delete(const char *const *texts, int count) {
  int rows_count;
  char *session = begin_text_drag(texts, count);
  char **rows = rows_of(read_beside(&drop, make_drop(session)), &rows_count);
  if (rows_count != count) fail("PerformDrop", "gave another number of rows");
  DBusMessage *call = make_call(BOARD, "Board", "DeleteItems", DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &rows,
                                rows_count, DBUS_TYPE_INVALID);
  dbus_message_unref(read_beside(&deletion, call));
  dbus_free_string_array(rows);
  free(session);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void report(struct reads *reads) {
  qsort(reads->times, reads->count, sizeof *reads->times, compare);
  printf("\"%s\": {\"reads\": %zu, \"p50_us\": %.3f, \"p99_us\": %.3f, \"call_ms\": %.3f}", reads->name,
         reads->count, reads->times[reads->count / 2] * 1e6, reads->times[reads->count * 99 / 100] * 1e6,
         reads->calls ? reads->waited * 1e3 / reads->calls : 0);
}

int main(int count, char **words) {
  if (count != 4) fail("usage", "neighbours DROPS ROWS CALLS");
  const int rows = atoi(words[2]);
  const char *text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", **texts = calloc((size_t)rows, sizeof *texts);
  dbus_uint32_t section = 0;
  dbus_int32_t end = -1;
  for (int i = 0; i < rows; i++) texts[i] = text;
  writer = connect_to_bus(), reader = connect_to_bus();
  item = text_of(answer(writer, make_call(BOARD, "Board", "InsertText", DBUS_TYPE_UINT32, &section,
                                          DBUS_TYPE_INT32, &end, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID)));
  read_alone(atoi(words[3]));
  for (int drops = atoi(words[1]); drops > 0; drops--) drag_drop_delete(texts, rows);
  putchar('{'), report(&idle), printf(", "), report(&drag), printf(", "), report(&drop), printf(", "),
      report(&deletion), puts("}");
  return 0;
}
