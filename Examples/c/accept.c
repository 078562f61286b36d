// Accepts the latest drag and writes its data to standard output.
//
//   cc accept.c -o accept $(pkg-config --cflags --libs dbus-1)
//   ./accept TYPE              ./accept 'image/*' > picture
//
// TYPE is a type or a pattern. Writes the first matching representation of each item, which is the
// best one.

#include <dbus/dbus.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.dragboard.Dragboard1"
#define SESSION NAME ".DragSession"

static DBusConnection *bus;
static DBusError error = DBUS_ERROR_INIT;
static const char *session, *wanted;

_Noreturn static void fail(const char *problem) {
  fprintf(stderr, "accept: %s\n", problem);
  exit(1);
}

// Calls a method, with arguments as for dbus_message_append_args. Returns NULL and sets error on
// failure.
static DBusMessage *call(const char *path, const char *interface, const char *method, int type, ...) {
  DBusMessage *message = dbus_message_new_method_call(NAME, path, interface, method);
  va_list arguments;
  va_start(arguments, type);
  if (!message || !dbus_message_append_args_valist(message, type, arguments)) fail("out of memory");
  va_end(arguments);
  // Wait without a timeout, because a promise may take longer than the default of 25 seconds.
  DBusMessage *reply =
      dbus_connection_send_with_reply_and_block(bus, message, DBUS_TIMEOUT_INFINITE, &error);
  dbus_message_unref(message);
  return reply;
}

// Returns the only value of a reply. A text belongs to the reply and is freed with it.
static DBusMessage *read_value(DBusMessage *reply, int type, void *value) {
  if (!reply || !dbus_message_get_args(reply, &error, type, value, DBUS_TYPE_INVALID))
    fail(error.message);
  return reply;
}

// Returns the value of a property, which is freed with the reply, too.
static DBusMessage *get(const char *path, const char *interface, const char *property,
                        DBusMessageIter *value) {
  DBusMessage *reply = call(path, "org.freedesktop.DBus.Properties", "Get", DBUS_TYPE_STRING,
                            &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
  if (!reply) fail(error.message);
  DBusMessageIter variant;
  dbus_message_iter_init(reply, &variant);
  dbus_message_iter_recurse(&variant, value);
  return reply;
}

static bool copy(int from, FILE *out) {
  char buffer[65536];
  ssize_t got;
  while ((got = read(from, buffer, sizeof buffer)) > 0)
    if (fwrite(buffer, 1, (size_t)got, out) != (size_t)got) return false;
  return got == 0 && fflush(out) == 0;
}

// Returns whether the item exists.
static bool take(dbus_uint32_t item) {
  char **types;
  int count, fd;
  DBusMessage *reply =
      call(session, SESSION, "GetTypes", DBUS_TYPE_UINT32, &item, DBUS_TYPE_INVALID);
  if (!reply || !dbus_message_get_args(reply, &error, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &types,
                                       &count, DBUS_TYPE_INVALID))
    fail(error.message);
  for (int i = 0; i < count; i++) fprintf(stderr, "item %u: %s\n", item, types[i]);
  dbus_free_string_array(types);
  dbus_message_unref(reply);

  reply = call(session, SESSION, "LoadFile", DBUS_TYPE_UINT32, &item, DBUS_TYPE_STRING, &wanted,
               DBUS_TYPE_INVALID);
  if (!reply) {
    fprintf(stderr, "item %u: %s\n", item, error.message);
    dbus_error_free(&error);
    return false;
  }
  dbus_message_unref(read_value(reply, DBUS_TYPE_UNIX_FD, &fd));  // The descriptor is a duplicate, which this program must close.
  bool is_there = copy(fd, stdout);
  if (!is_there) fprintf(stderr, "item %u: %s\n", item, strerror(errno));
  close(fd);
  return is_there;
}

int main(int count, char **words) {
  if (count != 2) fail("usage: accept TYPE");
  wanted = words[1];
  if (!(bus = dbus_bus_get(DBUS_BUS_SESSION, &error))) fail(error.message);

  DBusMessageIter value, paths;
  DBusMessage *sessions = get("/org/dragboard/Dragboard1", NAME ".Manager", "Sessions", &value);
  dbus_message_iter_recurse(&value, &paths);
  for (; dbus_message_iter_get_arg_type(&paths) != DBUS_TYPE_INVALID; dbus_message_iter_next(&paths))
    dbus_message_iter_get_basic(&paths, &session);
  if (!session) fail("nothing is being dragged");

  dbus_bool_t can;
  dbus_message_unref(read_value(
      call(session, SESSION, "CanLoad", DBUS_TYPE_STRING, &wanted, DBUS_TYPE_INVALID),
      DBUS_TYPE_BOOLEAN, &can));
  if (!can) fail("no dragged item has that type");

  // This is the drop: afterwards no other client can accept the drag. "" means this connection.
  const char *nobody = "", *operation = "copy", *granted;
  DBusMessage *accepted = read_value(call(session, SESSION, "Accept", DBUS_TYPE_STRING, &nobody,
                                          DBUS_TYPE_STRING, &operation, DBUS_TYPE_INVALID),
                                     DBUS_TYPE_STRING, &granted);
  if (strcmp(granted, "forbidden") == 0) fail("the drag is for another application");
  dbus_message_unref(accepted);

  dbus_uint32_t items;
  DBusMessage *counted = get(session, SESSION, "ItemCount", &value);
  dbus_message_iter_get_basic(&value, &items);
  dbus_message_unref(counted);
  dbus_uint32_t taken = 0;
  for (dbus_uint32_t item = 0; item < items; item++) taken += take(item);
  // Ends the drag as a copy. A program that exits without this call cancels the drag.
  DBusMessage *finished = taken ? call(session, SESSION, "Finish", DBUS_TYPE_INVALID) : NULL;
  if (taken && !finished) fail(error.message);
  if (finished) dbus_message_unref(finished);
  dbus_message_unref(sessions);
  return taken < items;
}
