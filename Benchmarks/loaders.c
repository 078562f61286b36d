// Ten promises at once, repeatedly: with fast, slow, failing, silent, dying and incorrect loaders.
//
//     loaders
//
// Each round begins a drag of ten promises, drops it on the board "default", waits for the answer,
// and deletes the rows. Prints "loading" before the first round, and continues until it is killed.
// The bus is DBUS_SESSION_BUS_ADDRESS.

#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { MIB = 1 << 20, PIECE = 64 << 10 };

// The behaviour of a loader.
struct behaviour {
  const char *type;
  // The number of bytes, the size of a piece in bytes, and the pause between pieces in
  // milliseconds.
  size_t bytes, piece;
  int pause;
  enum { WELL, EARLY_REPLY, REFUSING, SILENT, DYING } manner;
  // The value of every byte.
  unsigned char byte;
};

static const struct behaviour behaviours[] = {
    {TYPE, 32 * MIB, PIECE, 0, WELL, 'f'},             // fast
    {TYPE, 32 * MIB, PIECE, 0, EARLY_REPLY, 'e'},      // a good reply before the pipe's end
    {TYPE, 4 * MIB, 4096, 0, WELL, 's'},               // fast, in small pieces
    {TYPE, 400 << 10, 4096, 4, WELL, 'l'},             // slow
    {TYPE, 4000, 100, 10, WELL, 'v'},                  // very slow
    {TYPE, 1000, 1000, 0, REFUSING, 'r'},              // failing
    {TYPE, 1000, 1000, 0, SILENT, 'q'},                // silent
    {TYPE, 1000, 1000, 0, DYING, 'd'},                 // dying
    {TYPE, 512 * MIB, PIECE, 0, WELL, 'm'},            // more than the limit
    {"text/plain;charset=utf-8", 1 * MIB, PIECE, 0, WELL, 0xFF},  // not UTF-8
};
enum { COUNT = sizeof behaviours / sizeof *behaviours };

// MARK: Loading

// Only the main thread uses libdbus: the other threads write, and pass the replies to it.
struct load {
  const struct behaviour *behaviour;
  DBusMessage *call;
  int fd;
};

static int done[2];

static int write_piece(int fd, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written < 0 && errno != EINTR) return 0;
    if (written > 0) bytes += written, count -= (size_t)written;
  }
  return 1;
}

static void write_all(const struct load *load) {
  const struct behaviour *behaviour = load->behaviour;
  unsigned char piece[PIECE];
  memset(piece, behaviour->byte, behaviour->piece);
  for (size_t rest = behaviour->bytes; rest > 0;) {
    size_t count = rest < behaviour->piece ? rest : behaviour->piece;
    if (!write_piece(load->fd, piece, count)) return;
    rest -= count;
    if (behaviour->pause) usleep((useconds_t)behaviour->pause * 1000);
  }
}

static void wait_for_broken_pipe(int fd) {
  struct pollfd pipe = {.fd = fd, .events = 0};
  while (poll(&pipe, 1, -1) < 0 && errno == EINTR) {}
}

static void *carry_out_load(void *argument) {
  struct load *load = argument;
  write_all(load);
  if (load->behaviour->manner == SILENT) wait_for_broken_pipe(load->fd);
  close(load->fd);
  if (write(done[1], &load, sizeof load) != sizeof load) fail("pipe", "cannot be written");
  return NULL;
}

static void reply(DBusConnection *connection, DBusMessage *call, int is_refused) {
  DBusMessage *reply = is_refused ? dbus_message_new_error(call, "com.example.Error.No", "not today")
                                  : dbus_message_new_method_return(call);
  dbus_connection_send(connection, reply, NULL);
  dbus_message_unref(reply);
}

// Starts a load.
static void begin_load(DBusConnection *connection, DBusMessage *call) {
  const char *session, *type;
  dbus_uint32_t item;
  int fd;
  if (!dbus_message_get_args(call, NULL, DBUS_TYPE_OBJECT_PATH, &session, DBUS_TYPE_UINT32, &item,
                             DBUS_TYPE_STRING, &type, DBUS_TYPE_UNIX_FD, &fd, DBUS_TYPE_INVALID))
    fail("Load", "was called otherwise");
  struct load *load = malloc(sizeof *load);
  *load = (struct load){&behaviours[item], dbus_message_ref(call), fd};
  if (load->behaviour->manner == EARLY_REPLY) reply(connection, call, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, carry_out_load, load) != 0) fail("thread", "cannot be made");
  pthread_detach(thread);
}

// Replies to the loads that have ended.
static void end_loads(DBusConnection *connection) {
  struct load *load;
  while (read(done[0], &load, sizeof load) == sizeof load) {
    if (load->behaviour->manner != EARLY_REPLY)
      reply(connection, load->call, load->behaviour->manner == REFUSING);
    dbus_message_unref(load->call);
    free(load);
  }
}

static int is_load(DBusMessage *message) {
  return dbus_message_is_method_call(message, DAEMON ".RepresentationLoader", "Load");
}

// MARK: A round

static void promise(DBusConnection *connection, const char *session, dbus_uint32_t item) {
  const char *visibility = "all", *path = "/loader";
  carry_out(connection, make_call(session, "DragSession", "RegisterPromise", DBUS_TYPE_UINT32,
                                  &item, DBUS_TYPE_STRING, &behaviours[item].type, DBUS_TYPE_STRING,
                                  &visibility, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID));
}

// Promises ten items; the dying loader has a separate connection.
static char *begin_round(DBusConnection *source, DBusConnection *dying) {
  char *session = begin_drag(source);
  for (dbus_uint32_t item = 0; item < COUNT; item++) {
    add_item(source, session);
    promise(behaviours[item].manner == DYING ? dying : source, session, item);
  }
  return session;
}

// Handles the next message; returns the answer to the call with this serial, or NULL.
static DBusMessage *handle(DBusConnection *source, dbus_uint32_t serial) {
  DBusMessage *message, *found = NULL;
  while ((message = dbus_connection_pop_message(source))) {
    if (is_load(message)) begin_load(source, message);
    if (dbus_message_get_reply_serial(message) == serial) found = dbus_message_ref(message);
    dbus_message_unref(message);
  }
  return found;
}

// Leaves the bus when it is called.
static void let_die(DBusConnection *dying) {
  DBusMessage *message;
  while ((message = dbus_connection_pop_message(dying))) {
    if (is_load(message)) dbus_connection_close(dying);
    dbus_message_unref(message);
  }
}

static int descriptor(DBusConnection *connection) {
  int fd = -1;
  return dbus_connection_get_unix_fd(connection, &fd) ? fd : -1;
}

// Drops, and serves the loaders until the drop is answered.
static DBusMessage *drop(DBusConnection *source, DBusConnection *dying, const char *session) {
  DBusMessage *call = make_drop(session), *reply = NULL;
  dbus_uint32_t serial;
  dbus_connection_send(source, call, &serial);
  dbus_message_unref(call);
  while (!reply) {
    dbus_connection_flush(source);
    struct pollfd ready[] = {
        {descriptor(source), POLLIN, 0}, {descriptor(dying), POLLIN, 0}, {done[0], POLLIN, 0}};
    poll(ready, 3, -1);
    if (!dbus_connection_read_write(source, 0)) fail("the bus", "has gone");
    dbus_connection_read_write(dying, 0);
    let_die(dying);
    end_loads(source);
    reply = handle(source, serial);
  }
  DBusError error = DBUS_ERROR_INIT;
  if (dbus_set_error_from_message(&error, reply)) fail(error.name, error.message);
  return reply;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  if (pipe2(done, O_CLOEXEC) != 0 || fcntl(done[0], F_SETFL, O_NONBLOCK) != 0) fail("pipe", "");
  DBusConnection *source = connect_to_bus();
  accept_everything(source);
  puts("loading"), fflush(stdout);
  while (1) {
    DBusConnection *dying = connect_to_bus();
    char *session = begin_round(source, dying);
    int count;
    char **rows = rows_of(drop(source, dying, session), &count);
    if (count != 5) fail("of ten promises five are to be kept", session);
    delete_rows(source, rows, count);
    dbus_free_string_array(rows);
    free(session);
    dbus_connection_close(dying);
    dbus_connection_unref(dying);
  }
}
