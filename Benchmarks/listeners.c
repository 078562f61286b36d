// Subscribers: COUNT clients, each with its own connection, that get every change of the board
// "default".
//
//     listeners COUNT
//
// Prints "listening" when all have subscribed, and reads the signals until it is killed. The bus is
// DBUS_SESSION_BUS_ADDRESS.

#include "session.h"

#include <poll.h>

static DBusConnection *subscribe(void) {
  DBusConnection *connection = connect_to_bus();
  DBusError error = DBUS_ERROR_INIT;
  dbus_bus_add_match(connection,
                     "type='signal',sender='" DAEMON "',path='" BOARD "',interface='" DAEMON
                     ".Board',member='Changed'",
                     &error);
  if (dbus_error_is_set(&error)) fail(error.name, error.message);
  return connection;
}

static void take_what_has_come(DBusConnection *connection) {
  DBusMessage *message;
  if (!dbus_connection_read_write(connection, 0)) exit(0);
  while ((message = dbus_connection_pop_message(connection))) dbus_message_unref(message);
}

int main(int count, char **words) {
  if (count != 2) fail("usage", "listeners COUNT");
  const int listeners = atoi(words[1]);
  DBusConnection **connections = calloc((size_t)listeners, sizeof *connections);
  struct pollfd *sockets = calloc((size_t)listeners, sizeof *sockets);
  for (int i = 0; i < listeners; i++) {
    connections[i] = subscribe();
    sockets[i].events = POLLIN;
    dbus_connection_get_unix_fd(connections[i], &sockets[i].fd);
  }
  puts("listening"), fflush(stdout);
  while (poll(sockets, (nfds_t)listeners, -1) > 0)
    for (int i = 0; i < listeners; i++)
      if (sockets[i].revents) take_what_has_come(connections[i]);
  return 0;
}
