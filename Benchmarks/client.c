// The load generator: repeats one call, with a number of calls outstanding, and measures the
// answers.
//
//     client [-n CALLS] [-c CLIENTS] [-o OUTSTANDING] [-w FILE]
//            DESTINATION PATH INTERFACE MEMBER [ARGUMENT]...
//
// The calls are divided among CLIENTS clients, each with its own connection and OUTSTANDING
// outstanding calls. arguments.h describes ARGUMENT. The bus is DBUS_SESSION_BUS_ADDRESS. Prints
// one line of JSON, in which `bytes` is the length of the last answer. With -w, writes the first
// string of each answer, or each string of its array, as lines to FILE. An error in an answer ends
// the program with status 1.

#include "arguments.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The run

// A client. The serials of its calls are consecutive.
struct client {
  DBusConnection *connection;
  // The time of sending, then the time until the answer, in nanoseconds, by the call's number.
  int64_t *times;
  long calls, sent, answered;
  dbus_uint32_t first_serial;
};

struct run {
  struct client *clients;
  struct pollfd *sockets;
  long count, calls, outstanding;
  char **words;
  int64_t *times;
  FILE *strings;
  int last_length;
};

static void send_one(struct run *run, struct client *client) {
  dbus_uint32_t serial;
  DBusMessage *call = make_call(run->words);
  client->times[client->sent] = now();
  dbus_connection_send(client->connection, call, &serial);
  if (client->sent++ == 0) client->first_serial = serial;
  dbus_message_unref(call);
}

static int length(DBusMessage *message) {
  char *bytes;
  int count;
  if (!dbus_message_marshal(message, &bytes, &count)) fail("no memory for", "an answer");
  dbus_free(bytes);
  return count;
}

// Writes the first string of an answer, or the strings of its array.
static void write_strings(FILE *file, DBusMessage *answer) {
  DBusMessageIter iter, strings;
  const char *text;
  dbus_message_iter_init(answer, &iter);
  int is_array = dbus_message_iter_get_arg_type(&iter) == DBUS_TYPE_ARRAY;
  if (is_array) dbus_message_iter_recurse(&iter, &strings);
  else strings = iter;
  while (dbus_message_iter_get_arg_type(&strings) == DBUS_TYPE_STRING) {
    dbus_message_iter_get_basic(&strings, &text);
    fprintf(file, "%s\n", text);
    if (!is_array || !dbus_message_iter_next(&strings)) return;
  }
}

static void receive(struct run *run, struct client *client, DBusMessage *answer) {
  dbus_uint32_t serial = dbus_message_get_reply_serial(answer);
  if (serial < client->first_serial || serial - client->first_serial >= client->sent) return;
  DBusError error = DBUS_ERROR_INIT;
  if (dbus_set_error_from_message(&error, answer)) fail(error.name, error.message);
  int64_t *time = &client->times[serial - client->first_serial];
  *time = now() - *time;
  client->answered++;
  if (run->strings) write_strings(run->strings, answer);
  if (client->answered == client->calls) run->last_length = length(answer);
  if (client->sent < client->calls) send_one(run, client);
}

// Handles incoming messages, waiting at most this time; returns the number of answered calls.
static long attend(struct run *run, struct client *client, int milliseconds) {
  long before = client->answered;
  if (!dbus_connection_read_write(client->connection, milliseconds)) fail("the bus", "has gone");
  DBusMessage *message;
  while ((message = dbus_connection_pop_message(client->connection))) {
    receive(run, client, message);
    dbus_message_unref(message);
  }
  if (dbus_connection_has_messages_to_send(client->connection))
    dbus_connection_flush(client->connection);
  return client->answered - before;
}

// Waits until a message arrives for one of several clients; returns the number of answered calls.
static long attend_all(struct run *run) {
  long answered = 0;
  if (poll(run->sockets, (nfds_t)run->count, -1) < 0) fail("poll", "failed");
  for (long i = 0; i < run->count; i++)
    if (run->sockets[i].revents) answered += attend(run, &run->clients[i], 0);
  return answered;
}

static struct client make_client(long calls, int64_t *times) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!connection) fail(error.name, error.message);
  return (struct client){.connection = connection, .calls = calls, .times = times};
}

static void prepare(struct run *run) {
  run->times = calloc((size_t)run->calls, sizeof *run->times);
  run->clients = calloc((size_t)run->count, sizeof *run->clients);
  run->sockets = calloc((size_t)run->count, sizeof *run->sockets);
  for (long i = 0, begin = 0; i < run->count; i++) {
    long end = run->calls * (i + 1) / run->count;
    run->clients[i] = make_client(end - begin, run->times + begin);
    run->sockets[i].events = POLLIN;
    dbus_connection_get_unix_fd(run->clients[i].connection, &run->sockets[i].fd);
    begin = end;
  }
}

// Keeps the calls outstanding until all are answered; returns the time in nanoseconds.
static int64_t carry_out(struct run *run) {
  int64_t start = now();
  for (long i = 0; i < run->count; i++) {
    struct client *client = &run->clients[i];
    while (client->sent < client->calls && client->sent < run->outstanding) send_one(run, client);
    dbus_connection_flush(client->connection);
  }
  for (long answered = 0; answered < run->calls;)
    answered += run->count == 1 ? attend(run, run->clients, -1) : attend_all(run);
  return now() - start;
}

// MARK: The report

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static void report(struct run *run, int64_t duration) {
  qsort(run->times, (size_t)run->calls, sizeof *run->times, compare);
  printf("{\"calls\": %ld, \"seconds\": %.9f, \"p50_us\": %.3f, \"p99_us\": %.3f, \"bytes\": %d}\n",
         run->calls, (double)duration / 1e9, (double)run->times[run->calls / 2] / 1e3,
         (double)run->times[run->calls * 99 / 100] / 1e3, run->last_length);
}

int main(int count, char **words) {
  struct run run = {.count = 1, .calls = 1, .outstanding = 1};
  int option;
  while ((option = getopt(count, words, "+n:c:o:w:")) != -1) {
    if (option == 'n') run.calls = strtol(optarg, NULL, 10);
    if (option == 'c') run.count = strtol(optarg, NULL, 10);
    if (option == 'o') run.outstanding = strtol(optarg, NULL, 10);
    if (option == 'w' && !(run.strings = fopen(optarg, "w"))) fail("cannot write", optarg);
    if (option == '?') return 2;
  }
  run.words = words + optind;
  if (count - optind < 4 || run.count < 1 || run.calls < run.count || run.outstanding < 1)
    fail("usage", "[-n CALLS] [-c CLIENTS] [-o OUTSTANDING] [-w FILE] DESTINATION PATH INTERFACE MEMBER [ARGUMENT]...");
  prepare(&run);
  report(&run, carry_out(&run));
  if (run.strings && fclose(run.strings) != 0) fail("cannot write", "FILE");
  return 0;
}
