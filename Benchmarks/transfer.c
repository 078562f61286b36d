// One large file from a client, over a board, to another client.
//
//     transfer [-a] FILE
//
// Registers the contents of FILE, drops them on the board "default", drags the row, accepts this
// drag on another connection, loads the contents, and reads them to the end. The row remains. Each
// step passes a file descriptor, the first step that of a sealed memfd; with -a, each step passes a
// byte array. Prints one line of JSON: the duration of each step in seconds, and the SHA-256 of the
// loaded bytes. With file descriptors, it also tries to load the contents as a byte array, and
// prints the error of the daemon. The bus is DBUS_SESSION_BUS_ADDRESS.

#define _GNU_SOURCE
#include "session.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct bytes {
  const char *start;
  size_t count;
};

static struct bytes map(int fd) {
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) fail("FILE", "cannot be opened");
  void *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) fail("FILE", "cannot be mapped");
  return (struct bytes){start, (size_t)status.st_size};
}

// Creates a sealed memfd with these bytes.
static int make_memfd(struct bytes bytes) {
  int fd = memfd_create("transfer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  for (size_t offset = 0; offset < bytes.count;) {
    ssize_t count = write(fd, bytes.start + offset, bytes.count - offset);
    if (count <= 0) fail("memfd", "cannot be written");
    offset += (size_t)count;
  }
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail("memfd", "cannot be sealed");
  return fd;
}

// MARK: Steps

static const dbus_uint32_t first = 0;
static const char *const type = TYPE, *const visibility = "all";

static void register_file(DBusConnection *source, const char *session, int fd) {
  carry_out(source, make_call(session, "DragSession", "RegisterFile", DBUS_TYPE_UINT32, &first,
                              DBUS_TYPE_STRING, &type, DBUS_TYPE_STRING, &visibility,
                              DBUS_TYPE_UNIX_FD, &fd, DBUS_TYPE_INVALID));
}

static void register_data(DBusConnection *source, const char *session, struct bytes bytes) {
  carry_out(source, make_call(session, "DragSession", "RegisterData", DBUS_TYPE_UINT32, &first,
                              DBUS_TYPE_STRING, &type, DBUS_TYPE_STRING, &visibility,
                              DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes.start, (int)bytes.count,
                              DBUS_TYPE_INVALID));
}

static char *drag_out(DBusConnection *source, char **rows, int count) {
  const char *application = "org.source";
  return text_of(answer(source, make_call(BOARD, "DragSource", "BeginDrag", DBUS_TYPE_STRING,
                                          &application, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &rows,
                                          count, DBUS_TYPE_INVALID)));
}

static void take(DBusConnection *target, const char *session) {
  const char *application = "org.target", *operation = "copy";
  carry_out(target, make_call(session, "DragSession", "Accept", DBUS_TYPE_STRING, &application,
                              DBUS_TYPE_STRING, &operation, DBUS_TYPE_INVALID));
}

static DBusMessage *make_load(const char *session, const char *member) {
  return make_call(session, "DragSession", member, DBUS_TYPE_UINT32, &first, DBUS_TYPE_STRING,
                   &type, DBUS_TYPE_INVALID);
}

static int load_file(DBusConnection *target, const char *session) {
  int fd = -1;
  DBusMessage *reply = answer(target, make_load(session, "LoadFile"));
  dbus_message_get_args(reply, NULL, DBUS_TYPE_UNIX_FD, &fd, DBUS_TYPE_INVALID);
  dbus_message_unref(reply);
  return fd;
}

// Reads a file that must have this number of bytes.
static void read_file(int fd, size_t count) {
  static char buffer[256 << 10];
  size_t total = 0;
  for (ssize_t got; (got = read(fd, buffer, sizeof buffer)) > 0;) total += (size_t)got;
  if (total != count) fail("LoadFile", "gave another number of bytes");
  lseek(fd, 0, SEEK_SET);
}

static int load_data(DBusConnection *target, const char *session) {
  struct bytes bytes;
  int count = 0;
  DBusMessage *reply = answer(target, make_load(session, "LoadData"));
  dbus_message_get_args(reply, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes.start, &count,
                        DBUS_TYPE_INVALID);
  bytes.count = (size_t)count;
  int fd = make_memfd(bytes);
  dbus_message_unref(reply);
  lseek(fd, 0, SEEK_SET);
  return fd;
}

static void tell_hash(int fd) {
  char command[64], digest[65] = "";
  fcntl(fd, F_SETFD, 0);
  snprintf(command, sizeof command, "sha256sum <&%d", fd);
  FILE *output = popen(command, "r");
  if (!output || fscanf(output, "%64s", digest) != 1) fail("sha256sum", "gave nothing");
  pclose(output);
  printf(", \"sha256\": \"%s\"", digest);
}

static void tell_refusal(DBusConnection *target, const char *session) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = try_call(target, make_load(session, "LoadData"), &error);
  if (reply) fail("LoadData", "gives what no message holds");
  printf(", \"refusal\": \"%s: %s\"", error.name, error.message);
}

int main(int count, char **words) {
  int is_array = count == 3 && strcmp(words[1], "-a") == 0;
  if (count != 2 + is_array) fail("usage", "transfer [-a] FILE");
  struct bytes bytes = map(open(words[count - 1], O_RDONLY));
  DBusConnection *source = connect_to_bus(), *target = connect_to_bus();
  dbus_connection_set_max_message_size(target, 128 << 20);
  accept_everything(source);
  int memfd = make_memfd(bytes), rows_count;
  char *session = begin_drag(source);
  add_item(source, session);

  double start = now();
  if (is_array) register_data(source, session, bytes);
  else register_file(source, session, memfd);
  double registered = now();
  char **rows = rows_of(answer(source, make_drop(session)), &rows_count);
  double dropped = now();
  char *out = drag_out(source, rows, rows_count);
  take(target, out);
  int loaded = is_array ? load_data(target, out) : load_file(target, out);
  double got = now();
  if (!is_array) read_file(loaded, bytes.count);
  double end = now();

  printf("{\"register_s\": %.6f, \"drop_s\": %.6f, \"load_s\": %.6f, \"read_s\": %.6f, \"seconds\": %.6f",
         registered - start, dropped - registered, got - dropped, end - got, end - start);
  tell_hash(loaded);
  if (!is_array) tell_refusal(target, out);
  puts("}");
  carry_out(target, make_call(out, "DragSession", "Finish", DBUS_TYPE_INVALID));
  return 0;
}
