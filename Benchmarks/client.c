// The load: sends one call over and over, with so many outstanding, and says how long the answers took.
//
//   client [-n CALLS] [-o OUTSTANDING] [-s] DESTINATION PATH INTERFACE MEMBER [ARGUMENT]...
//
// An ARGUMENT is written as for dbus-send: string:TEXT, objpath:PATH, int32:N, uint32:N; and texts:COUNT:BYTES is an array of
// COUNT strings of BYTES bytes. The bus is DBUS_SESSION_BUS_ADDRESS. Writes one line of JSON; with -s, instead, the
// first string of the last answer, or of the array that it begins with. An error for an answer ends it with status 1.

#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "client: %s: %s\n", what, detail);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The call

static void append_texts(DBusMessageIter *iter, const char *value) {
  int count, bytes;
  if (sscanf(value, "%d:%d", &count, &bytes) != 2 || count < 0 || bytes < 0)
    fail("texts:COUNT:BYTES", value);
  char *text = malloc((size_t)bytes + 1);
  memset(text, 'x', (size_t)bytes);
  text[bytes] = '\0';
  DBusMessageIter texts;
  dbus_message_iter_open_container(iter, DBUS_TYPE_ARRAY, "s", &texts);
  for (int i = 0; i < count; i++) dbus_message_iter_append_basic(&texts, DBUS_TYPE_STRING, &text);
  dbus_message_iter_close_container(iter, &texts);
  free(text);
}

// What follows the prefix, where the text begins with it.
static const char *after(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static void append(DBusMessageIter *iter, const char *argument) {
  const char *value;
  if ((value = after(argument, "string:"))) {
    dbus_message_iter_append_basic(iter, DBUS_TYPE_STRING, &value);
  } else if ((value = after(argument, "objpath:"))) {
    dbus_message_iter_append_basic(iter, DBUS_TYPE_OBJECT_PATH, &value);
  } else if ((value = after(argument, "int32:"))) {
    dbus_int32_t number = (dbus_int32_t)strtol(value, NULL, 10);
    dbus_message_iter_append_basic(iter, DBUS_TYPE_INT32, &number);
  } else if ((value = after(argument, "uint32:"))) {
    dbus_uint32_t number = (dbus_uint32_t)strtoul(value, NULL, 10);
    dbus_message_iter_append_basic(iter, DBUS_TYPE_UINT32, &number);
  } else if ((value = after(argument, "texts:"))) {
    append_texts(iter, value);
  } else {
    fail("not TYPE:VALUE of a type that the client knows", argument);
  }
}

static DBusMessage *make_call(char **words) {
  DBusMessage *call = dbus_message_new_method_call(words[0], words[1], words[2], words[3]);
  if (!call) fail("no memory for a call of", words[3]);
  DBusMessageIter iter;
  dbus_message_iter_init_append(call, &iter);
  for (char **argument = words + 4; *argument; argument++) append(&iter, *argument);
  return call;
}

// MARK: The run

struct run {
  DBusConnection *connection;
  DBusMessage *call;
  // When each call was sent, and how long its answer took, in nanoseconds, by the call's number.
  int64_t *times;
  long calls, sent, answered;
  dbus_uint32_t first_serial;
  DBusMessage *last_answer;
};

static void send_one(struct run *run) {
  dbus_uint32_t serial;
  DBusMessage *call = dbus_message_copy(run->call);
  run->times[run->sent] = now();
  dbus_connection_send(run->connection, call, &serial);
  if (run->sent++ == 0) run->first_serial = serial;
  dbus_message_unref(call);
}

static void receive(struct run *run, DBusMessage *answer) {
  dbus_uint32_t serial = dbus_message_get_reply_serial(answer);
  if (serial < run->first_serial || serial - run->first_serial >= run->sent) return;
  DBusError error = DBUS_ERROR_INIT;
  if (dbus_set_error_from_message(&error, answer)) fail(error.name, error.message);
  int64_t *time = &run->times[serial - run->first_serial];
  *time = now() - *time;
  run->answered++;
  if (run->last_answer) dbus_message_unref(run->last_answer);
  run->last_answer = dbus_message_ref(answer);
  if (run->sent < run->calls) send_one(run);
}

// Keeps so many calls outstanding until all are answered; gives the time it took.
static int64_t carry_out(struct run *run, long outstanding) {
  int64_t start = now();
  while (run->sent < run->calls && run->sent < outstanding) send_one(run);
  while (run->answered < run->calls) {
    if (!dbus_connection_read_write(run->connection, -1)) fail("the bus", "has gone");
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(run->connection))) {
      receive(run, message);
      dbus_message_unref(message);
    }
  }
  return now() - start;
}

// MARK: The report

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static void report(struct run *run, int64_t duration) {
  qsort(run->times, (size_t)run->calls, sizeof *run->times, compare);
  printf("{\"calls\": %ld, \"seconds\": %.9f, \"p50_us\": %.3f, \"p99_us\": %.3f}\n", run->calls,
         (double)duration / 1e9, (double)run->times[run->calls / 2] / 1e3,
         (double)run->times[run->calls * 99 / 100] / 1e3);
}

static void show(DBusMessage *answer) {
  DBusMessageIter iter, inner;
  const char *text;
  dbus_message_iter_init(answer, &iter);
  if (dbus_message_iter_get_arg_type(&iter) == DBUS_TYPE_ARRAY) {
    dbus_message_iter_recurse(&iter, &inner);
    iter = inner;
  }
  int type = dbus_message_iter_get_arg_type(&iter);
  if (type != DBUS_TYPE_STRING && type != DBUS_TYPE_OBJECT_PATH) fail("-s", "no string to show");
  dbus_message_iter_get_basic(&iter, &text);
  puts(text);
}

int main(int count, char **words) {
  struct run run = {.calls = 1};
  long outstanding = 1;
  int shows = 0, option;
  while ((option = getopt(count, words, "+n:o:s")) != -1) {
    if (option == 'n') run.calls = strtol(optarg, NULL, 10);
    if (option == 'o') outstanding = strtol(optarg, NULL, 10);
    if (option == 's') shows = 1;
    if (option == '?') return 2;
  }
  if (count - optind < 4 || run.calls < 1 || outstanding < 1)
    fail("usage", "[-n CALLS] [-o OUTSTANDING] [-s] DESTINATION PATH INTERFACE MEMBER [ARGUMENT]...");
  DBusError error = DBUS_ERROR_INIT;
  run.connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!run.connection) fail(error.name, error.message);
  run.call = make_call(words + optind);
  run.times = calloc((size_t)run.calls, sizeof *run.times);
  int64_t duration = carry_out(&run, outstanding);
  if (shows) show(run.last_answer);
  else report(&run, duration);
  return 0;
}
