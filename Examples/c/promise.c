// Drags a file whose bytes are read on request.
//
//   cc promise.c -o promise $(pkg-config --cflags --libs dbus-1)
//   ./promise FILE TYPE        ./promise holiday.jpg image/jpeg
//
// Reports the outcome and exits when the drag has ended: with 0 if the file has arrived, otherwise
// with 1.

#include <dbus/dbus.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "org.dragboard.Dragboard1"
#define SESSION NAME ".DragSession"

static const char *file;
static bool has_arrived, has_ended;

_Noreturn static void fail(const char *problem) {
  fprintf(stderr, "promise: %s\n", problem);
  exit(1);
}

// Calls a method, with arguments as for dbus_message_append_args. The caller must unref the reply.
static DBusMessage *call(DBusConnection *bus, const char *path, const char *interface,
                         const char *method, int type, ...) {
  DBusMessage *message = dbus_message_new_method_call(NAME, path, interface, method);
  va_list arguments;
  va_start(arguments, type);
  if (!message || !dbus_message_append_args_valist(message, type, arguments)) fail("out of memory");
  va_end(arguments);
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply =
      dbus_connection_send_with_reply_and_block(bus, message, DBUS_TIMEOUT_USE_DEFAULT, &error);
  if (!reply) fail(error.message);
  dbus_message_unref(message);
  return reply;
}

// Writes the promised data; returns 0 or an errno. A real program would render, pack or fetch them
// here.
static int make(FILE *out) {
  char buffer[65536];
  size_t got;
  FILE *in = fopen(file, "r");
  if (!in) return errno;
  while ((got = fread(buffer, 1, sizeof buffer, in)) > 0 && fwrite(buffer, 1, got, out) == got) {}
  int problem = ferror(in) || ferror(out) || fflush(out) != 0 ? errno : 0;
  fclose(in);
  return problem;
}

// Handles a call of the loader. Writing waits for the reader of the pipe, so a program with other
// work would write on a separate thread.
static DBusHandlerResult load(DBusConnection *bus, DBusMessage *message, void *data) {
  (void)data;
  const char *session, *type;
  dbus_uint32_t item;
  int fd;
  if (!dbus_message_is_method_call(message, NAME ".RepresentationLoader", "Load") ||
      !dbus_message_get_args(message, NULL, DBUS_TYPE_OBJECT_PATH, &session, DBUS_TYPE_UINT32, &item,
                             DBUS_TYPE_STRING, &type, DBUS_TYPE_UNIX_FD, &fd, DBUS_TYPE_INVALID))
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  printf("making %s\n", file);
  FILE *out = fdopen(fd, "w");
  int problem = out ? make(out) : errno;
  if (out) fclose(out);
  if (problem == EPIPE) puts("broken off: nobody wants it any more");
  else if (problem) printf("failed: %s\n", strerror(problem));
  else puts("given");
  DBusMessage *reply =
      problem ? dbus_message_new_error(message, "org.example.Error.Failed", strerror(problem))
              : dbus_message_new_method_return(message);
  if (!reply || !dbus_connection_send(bus, reply, NULL)) fail("out of memory");
  dbus_message_unref(reply);
  // The message also holds the pipe open until this function returns. A reference to the message
  // would keep the pipe open.
  return DBUS_HANDLER_RESULT_HANDLED;
}

static DBusHandlerResult note(DBusConnection *bus, DBusMessage *message, void *data) {
  (void)bus, (void)data;
  dbus_uint32_t *loaded, *failed;
  int loaded_count, failed_count;
  const char *operation;
  if (dbus_message_is_signal(message, SESSION, "DidTransferItems") &&
      dbus_message_get_args(message, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &loaded, &loaded_count,
                            DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &failed, &failed_count,
                            DBUS_TYPE_INVALID)) {
    has_arrived = loaded_count > 0;  // The signal has the indexes of items; this drag has one item.
    puts(has_arrived ? "it arrived" : failed_count ? "it did not arrive" : "it was not asked for");
  } else if (dbus_message_is_signal(message, SESSION, "DidEnd") &&
             dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &operation, DBUS_TYPE_INVALID)) {
    printf("the drag has ended: %s\n", operation);
    has_ended = true;
  }
  return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

int main(int count, char **words) {
  if (count != 3) fail("usage: promise FILE TYPE");
  file = words[1];
  const char *type = words[2], *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *nobody = "", *all = "all", *loader = "/promise", *session;
  dbus_uint32_t item = 0;  // The indexes of items begin at 0; this drag has one item.
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);  // If a load is cancelled, write() must fail with EPIPE; without this line, a signal would end the program.

  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!bus) fail(error.message);
  static const DBusObjectPathVTable handlers = {.message_function = load};
  if (!dbus_connection_register_object_path(bus, loader, &handlers, NULL) ||
      !dbus_connection_add_filter(bus, note, NULL, NULL))
    fail("out of memory");

  // "" means this connection. The drag ends with the program.
  DBusMessage *begun = call(bus, "/org/dragboard/Dragboard1", NAME ".Manager", "BeginDrag",
                            DBUS_TYPE_STRING, &nobody, DBUS_TYPE_INVALID);
  if (!dbus_message_get_args(begun, &error, DBUS_TYPE_OBJECT_PATH, &session, DBUS_TYPE_INVALID))
    fail(error.message);
  char rule[256];
  snprintf(rule, sizeof rule, "type='signal',sender='" NAME "',path='%s'", session);
  dbus_bus_add_match(bus, rule, &error);
  if (dbus_error_is_set(&error)) fail(error.message);
  dbus_message_unref(
      call(bus, session, SESSION, "AddItem", DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID));
  dbus_message_unref(call(bus, session, SESSION, "RegisterPromise", DBUS_TYPE_UINT32, &item,
                          DBUS_TYPE_STRING, &type, DBUS_TYPE_STRING, &all, DBUS_TYPE_OBJECT_PATH, &loader,
                          DBUS_TYPE_INVALID));
  printf("dragging %s as %s\n", file, session);
  dbus_message_unref(begun);  // The text `session` is a part of this message, so release the message only now.

  while (!has_ended && dbus_connection_read_write_dispatch(bus, -1)) {}
  return !has_arrived;
}
