// Common parts of the programs that drag and drop: a connection, and blocking calls of the daemon.

#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAEMON "org.dragboard.Dragboard1"
#define ROOT "/org/dragboard/Dragboard1"
#define BOARD ROOT "/board/default"
#define TYPE "application/octet-stream"

__attribute__((noreturn)) static inline void fail(const char *what, const char *detail) {
  fprintf(stderr, "%s: %s\n", what, detail ? detail : "");
  exit(1);
}

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline DBusConnection *connect_to_bus(void) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!connection) fail(error.name, error.message);
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  return connection;
}

// Creates a call of a method of the daemon, with arguments as for dbus_message_append_args.
static inline DBusMessage *make_call(const char *path, const char *interface, const char *member,
                                     int type, ...) {
  char name[128];
  snprintf(name, sizeof name, "%s.%s", DAEMON, interface);
  DBusMessage *call = dbus_message_new_method_call(DAEMON, path, name, member);
  va_list arguments;
  va_start(arguments, type);
  if (!dbus_message_append_args_valist(call, type, arguments)) fail("no memory for", member);
  va_end(arguments);
  return call;
}

// Sends a call, releases it, and waits for its answer.
static inline DBusMessage *try_call(DBusConnection *connection, DBusMessage *call,
                                    DBusError *error) {
  DBusMessage *reply =
      dbus_connection_send_with_reply_and_block(connection, call, DBUS_TIMEOUT_INFINITE, error);
  dbus_message_unref(call);
  return reply;
}

// Like try_call, but an error ends the program.
static inline DBusMessage *answer(DBusConnection *connection, DBusMessage *call) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = try_call(connection, call, &error);
  if (!reply) fail(error.name, error.message);
  return reply;
}

// Like answer, but ignores the answer.
static inline void carry_out(DBusConnection *connection, DBusMessage *call) {
  dbus_message_unref(answer(connection, call));
}

// Returns a copy of the first argument of an answer, a text or a path.
static inline char *text_of(DBusMessage *reply) {
  DBusMessageIter iter;
  const char *text;
  dbus_message_iter_init(reply, &iter);
  dbus_message_iter_get_basic(&iter, &text);
  char *copy = strdup(text);
  dbus_message_unref(reply);
  return copy;
}

// Makes the board accept all types.
static inline void accept_everything(DBusConnection *connection) {
  const char *types[] = {"*/*"}, **all = types;
  carry_out(connection, make_call(BOARD, "Board", "SetAcceptedTypes", DBUS_TYPE_ARRAY,
                                  DBUS_TYPE_STRING, &all, 1, DBUS_TYPE_INVALID));
}

// Begins a drag; returns the session's path.
static inline char *begin_drag(DBusConnection *connection) {
  const char *application = "org.source";
  return text_of(answer(connection, make_call(ROOT, "Manager", "BeginDrag", DBUS_TYPE_STRING,
                                              &application, DBUS_TYPE_INVALID)));
}

// Adds an item without a representation.
static inline void add_item(DBusConnection *connection, const char *session) {
  const char *name = "";
  carry_out(connection, make_call(session, "DragSession", "AddItem", DBUS_TYPE_STRING, &name,
                                  DBUS_TYPE_INVALID));
}

// Creates the call for a drop of the session at the end of the board.
static inline DBusMessage *make_drop(const char *session) {
  const char *application = "org.target";
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  return make_call(BOARD, "DropTarget", "PerformDrop", DBUS_TYPE_OBJECT_PATH, &session,
                   DBUS_TYPE_STRING, &application, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32,
                   &row, DBUS_TYPE_INVALID);
}

// Returns the ids of the rows that a drop has inserted.
static inline char **rows_of(DBusMessage *reply, int *count) {
  DBusError error = DBUS_ERROR_INIT;
  const char *operation;
  char **rows;
  if (!dbus_message_get_args(reply, &error, DBUS_TYPE_STRING, &operation, DBUS_TYPE_ARRAY,
                             DBUS_TYPE_STRING, &rows, count, DBUS_TYPE_INVALID))
    fail(error.name, error.message);
  if (strcmp(operation, "copy") != 0) fail("the drop has not copied, it was", operation);
  dbus_message_unref(reply);
  return rows;
}

// Deletes rows.
static inline void delete_rows(DBusConnection *connection, char **rows, int count) {
  carry_out(connection, make_call(BOARD, "Board", "DeleteItems", DBUS_TYPE_ARRAY, DBUS_TYPE_STRING,
                                  &rows, count, DBUS_TYPE_INVALID));
}
