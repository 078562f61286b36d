// Common parts of the yardsticks that are services: a table of methods, each answered at once, and
// a name.
//
// They have the daemon's path, interfaces, and length of the bus name, so that a client sends them
// the same bytes. They receive calls in a filter, which takes 2,800 instructions less for each call
// than the handler of an object path.

#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERFACE "org.dragboard.Dragboard1."

// Answers a method: reads the arguments, whose types have been checked, and appends those of the
// reply.
typedef void (*Answer)(DBusMessage *call, DBusMessage *reply);

struct method {
  const char *interface, *member, *input;
  Answer answer;
};

__attribute__((noreturn)) static inline void give_up(const char *what, const char *detail) {
  fprintf(stderr, "%s: %s\n", what, detail);
  exit(1);
}

// Returns the reply to a call of one of the methods, or NULL. The last method has no member.
static inline DBusMessage *reply_to(DBusMessage *call, const struct method *method) {
  const char *interface = dbus_message_get_interface(call), *member = dbus_message_get_member(call);
  if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL || !interface) return NULL;
  while (method->member && strcmp(member, method->member) != 0) method++;
  if (!method->member || strcmp(interface, method->interface) != 0) return NULL;
  if (!dbus_message_has_signature(call, method->input)) return NULL;
  DBusMessage *reply = dbus_message_new_method_return(call);
  method->answer(call, reply);
  return reply;
}

static inline void send(DBusConnection *connection, DBusMessage *message) {
  dbus_connection_send(connection, message, NULL);
  dbus_message_unref(message);
}

// Returns a connection to the session bus that owns the name and passes messages to `receive`.
static inline DBusConnection *serve(const char *name, DBusHandleMessageFunction receive) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!connection) give_up(error.name, error.message);
  if (!dbus_connection_add_filter(connection, receive, NULL, NULL)) give_up("no memory for", name);
  dbus_bus_request_name(connection, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
  if (dbus_error_is_set(&error)) give_up(error.name, error.message);
  fprintf(stderr, "this process serves %s\n", name);
  return connection;
}
