// The delay of small reads beside a sandboxed application that does its worst.
//
//     siege SERVICE ROWS SECONDS [KIND]
//
// The board "default" gets ROWS texts. A reader calls GetIndexPath, one call after the other. It is beside
// an application with CONNECTIONS connections, each of which keeps a call of one kind outstanding for
// SECONDS. Prints one line of JSON: for no calls, and for each kind, p50, p99 and maximum of the reads in
// milliseconds, and the calls of the application per second. The bus is DBUS_SESSION_BUS_ADDRESS.
//
// The application is a child process with a root directory that has /.flatpak-info, as in Flatpak. This
// needs root; otherwise the application is not in a sandbox.

#define _GNU_SOURCE
#include "session.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONNECTIONS = 64, LARGE_MESSAGES = 40, LARGE = 60 << 20, TEXTS = 10000 };
// The largest representations that are stored in the database, and as many as one call has.
enum { SMALL = 64 << 10, REPRESENTATIONS = 64, LONG_TEXTS = 256 };
// The rows of the board for them; a sandbox has a quarter.
enum { RETAINED = 64 };
// Different words with the same first letter, and as many in a text as the index has.
enum { WORD_TEXTS = 900, WORDS = 4000 };

#define SIEGE_BOARD ROOT "/board/siege"

static const char *service;
static char *item;

// MARK: Calls

static DBusMessage *addressed(DBusMessage *call) {
  dbus_message_set_destination(call, service);
  return call;
}

static DBusMessage *make_read(void) {
  return addressed(make_call(BOARD, "Board", "GetIndexPath", DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID));
}

static DBusMessage *make_snapshot(void) {
  return addressed(make_call(BOARD, "Board", "GetSnapshot", DBUS_TYPE_INVALID));
}

static DBusMessage *make_page(const char *member) {
  dbus_uint32_t section = 0, first = 0, count = TEXTS;
  return addressed(make_call(BOARD, "Board", member, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &first,
                             DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID));
}

static DBusMessage *make_texts(void) { return make_page("GetTexts"); }
static DBusMessage *make_rows(void) { return make_page("GetRows"); }

static DBusMessage *make_search_for(const char *query) {
  dbus_uint32_t limit = 0;
  return addressed(make_call(BOARD, "Board", "Search", DBUS_TYPE_STRING, &query, DBUS_TYPE_UINT32, &limit,
                             DBUS_TYPE_INVALID));
}

static DBusMessage *make_search(void) { return make_search_for("a"); }
static DBusMessage *make_search_of_words(void) { return make_search_for("z"); }

static DBusMessage *make_changes(void) {
  dbus_uint64_t revision = 1;
  return addressed(make_call(BOARD, "Board", "GetChanges", DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID));
}

static DBusMessage *make_objects(void) {
  return dbus_message_new_method_call(service, ROOT, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects");
}

static DBusMessage *make_drag_of(int count) {
  const char *application = "", *text = "", **texts = calloc((size_t)count, sizeof *texts);
  for (int i = 0; i < count; i++) texts[i] = text;
  DBusMessage *call = make_call(ROOT, "Manager", "BeginTextDrag", DBUS_TYPE_STRING, &application, DBUS_TYPE_ARRAY,
                                DBUS_TYPE_STRING, &texts, count, DBUS_TYPE_INVALID);
  free(texts);
  return addressed(call);
}

static DBusMessage *make_drag(void) { return make_drag_of(TEXTS); }

static DBusMessage *make_insertion(void) {
  const char *text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  return addressed(make_call(BOARD, "Board", "InsertText", DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                             DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID));
}

static DBusMessage *make_large(void) {
  dbus_uint32_t section = 999;
  dbus_int32_t row = -1;
  const char *type = "a/b";
  char *bytes = calloc(LARGE, 1);
  DBusMessage *call =
      addressed(make_call(BOARD, "Board", "InsertData", DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                          DBUS_TYPE_STRING, &type, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes, LARGE, DBUS_TYPE_INVALID));
  free(bytes);
  return call;
}

static DBusMessage *make_item(void) {
  static char bytes[SMALL];
  const char *data = bytes;
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  DBusMessage *call = make_call(SIEGE_BOARD, "Board", "InsertItem", DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                                DBUS_TYPE_INVALID);
  DBusMessageIter arguments, attributes, list, representation, value, array;
  dbus_message_iter_init_append(call, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &attributes);
  dbus_message_iter_close_container(&arguments, &attributes);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(sv)", &list);
  for (int i = 0; i < REPRESENTATIONS; i++) {
    char name[16];
    const char *type = name;
    snprintf(name, sizeof name, "a/b%d", i);
    dbus_message_iter_open_container(&list, DBUS_TYPE_STRUCT, NULL, &representation);
    dbus_message_iter_append_basic(&representation, DBUS_TYPE_STRING, &type);
    dbus_message_iter_open_container(&representation, DBUS_TYPE_VARIANT, "ay", &value);
    dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &data, SMALL);
    dbus_message_iter_close_container(&value, &array);
    dbus_message_iter_close_container(&representation, &value);
    dbus_message_iter_close_container(&list, &representation);
  }
  dbus_message_iter_close_container(&arguments, &list);
  return addressed(call);
}

static DBusMessage *make_long_texts(void) {
  static char text[SMALL];
  static const char *texts[LONG_TEXTS], **all = texts;
  memset(text, 'x', SMALL - 1);
  for (int i = 0; i < LONG_TEXTS; i++) texts[i] = text;
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  return addressed(make_call(SIEGE_BOARD, "Board", "InsertTexts", DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                             DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &all, LONG_TEXTS, DBUS_TYPE_INVALID));
}

static const struct kind {
  const char *name;
  DBusMessage *(*make)(void);
  // The number of calls of each connection, and of connections.
  int calls, connections;
} kinds[] = {
    {"GetIndexPath", make_read, 16, CONNECTIONS}, {"GetSnapshot", make_snapshot, 1, CONNECTIONS},
    {"GetTexts", make_texts, 1, CONNECTIONS},     {"GetRows", make_rows, 1, CONNECTIONS},
    {"Search", make_search, 1, CONNECTIONS},      {"GetChanges", make_changes, 1, CONNECTIONS},
    {"GetManagedObjects", make_objects, 1, CONNECTIONS},
    {"BeginTextDrag, 10,000 texts", make_drag, 1, CONNECTIONS},
    {"InsertText", make_insertion, 1, CONNECTIONS},
    {"InsertData, 60 MiB", make_large, 1, 4},
    {"Search of 3,600,000 words", make_search_of_words, 1, CONNECTIONS},
    {"InsertItem, 64 contents of 64 KiB", make_item, 1, 4},
    {"InsertTexts, 256 texts of 64 KiB", make_long_texts, 1, 4},
};

// MARK: The application

// Mounts the directories of the real root below a new root.
static void mount_directories(const char *root) {
  DIR *real = opendir("/");
  for (struct dirent *entry; real && (entry = readdir(real));) {
    char source[512], target[512];
    snprintf(source, sizeof source, "/%s", entry->d_name);
    snprintf(target, sizeof target, "%s/%s", root, entry->d_name);
    if (entry->d_name[0] != '.' && mkdir(target, 0755) == 0) mount(source, target, NULL, MS_BIND | MS_REC, NULL);
  }
  closedir(real);
}

static void enter_sandbox(void) {
  char root[] = "/tmp/siege-XXXXXX", path[64];
  if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0) return;
  mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
  if (!mkdtemp(root) || mount("tmpfs", root, "tmpfs", 0, NULL) < 0) fail("mount", root);
  mount_directories(root);
  snprintf(path, sizeof path, "%s/.flatpak-info", root);
  FILE *info = fopen(path, "w");
  if (!info) fail("fopen", path);
  fputs("[Application]\nname=org.siege.Application\n", info);
  fclose(info);
  if (chdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0) fail("pivot_root", root);
  umount2(".", MNT_DETACH);
  if (chdir("/") < 0) fail("chdir", "/");
  rmdir(root);
}

static void send_one(DBusConnection *connection, const struct kind *kind) {
  DBusMessage *call = kind->make();
  dbus_connection_send(connection, call, NULL);
  dbus_message_unref(call);
}

// Keeps calls outstanding, and counts the replies in `answered`.
static void attack(const struct kind *kind, int pipe) {
  enter_sandbox();
  DBusConnection *connections[CONNECTIONS];
  struct pollfd sockets[CONNECTIONS];
  for (int i = 0; i < kind->connections; i++) {
    connections[i] = connect_to_bus();
    for (int n = 0; n < kind->calls; n++) send_one(connections[i], kind);
    dbus_connection_get_unix_fd(connections[i], &sockets[i].fd);
  }
  for (int sent = 0;;) {
    for (int i = 0; i < kind->connections; i++) {
      DBusMessage *message;
      if (!dbus_connection_read_write(connections[i], 0)) fail("the bus", "has gone");
      while ((message = dbus_connection_pop_message(connections[i]))) {
        int type = dbus_message_get_type(message);
        if (type == DBUS_MESSAGE_TYPE_METHOD_RETURN || type == DBUS_MESSAGE_TYPE_ERROR) {
          if (write(pipe, "", 1) < 0) _exit(0);
          if (kind->make != make_large || ++sent < LARGE_MESSAGES) send_one(connections[i], kind);
        }
        dbus_message_unref(message);
      }
      sockets[i].events = POLLIN;
      if (dbus_connection_has_messages_to_send(connections[i])) sockets[i].events |= POLLOUT;
    }
    poll(sockets, (nfds_t)kind->connections, 1000);
  }
}

// Inserts texts of different words, and waits until the words are in the index.
static void insert_words(void) {
  enter_sandbox();
  const char **texts = calloc(WORD_TEXTS, sizeof *texts);
  for (int i = 0; i < WORD_TEXTS; i++) {
    char *text = malloc(WORDS * 8 + 1);
    for (int n = 0; n < WORDS; n++) sprintf(text + n * 8, "z%06x ", i * WORDS + n);
    texts[i] = text;
  }
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  DBusConnection *connection = connect_to_bus();
  dbus_message_unref(answer(connection, addressed(make_call(BOARD, "Board", "InsertTexts", DBUS_TYPE_UINT32, &section,
                                                            DBUS_TYPE_INT32, &row, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING,
                                                            &texts, WORD_TEXTS, DBUS_TYPE_INVALID))));
  dbus_message_unref(answer(connection, make_search_for("nothing")));
}

// MARK: The reader

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double *times;
static size_t room;

static void measure(DBusConnection *reader, const char *name, double seconds, int pipe) {
  size_t count = 0, answered = 0;
  static char bytes[1 << 16];
  for (double start = now(); now() - start < seconds;) {
    double begin = now();
    dbus_message_unref(answer(reader, make_read()));
    if (count == room) times = realloc(times, (room = 2 * room + 1024) * sizeof *times);
    times[count++] = now() - begin;
    ssize_t size;
    while (pipe >= 0 && (size = read(pipe, bytes, sizeof bytes)) > 0) answered += (size_t)size;
  }
  qsort(times, count, sizeof *times, compare);
  printf("\"%s\": {\"p50_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f, \"reads\": %zu, \"calls\": %.1f}", name,
         times[count / 2] * 1e3, times[count * 99 / 100] * 1e3, times[count - 1] * 1e3, count,
         (double)answered / seconds);
  fflush(stdout);
}

static void measure_beside(DBusConnection *reader, const struct kind *kind, double seconds) {
  if (kind->make == make_search_of_words && strcmp(service, DAEMON) == 0) {
    pid_t writer = fork();
    if (writer == 0) insert_words(), _exit(0);
    int status;
    if (waitpid(writer, &status, 0) < 0 || status != 0) fail("insert_words", "has failed");
  }
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) < 0) fail("pipe", kind->name);
  pid_t child = fork();
  if (child == 0) close(ends[0]), attack(kind, ends[1]), _exit(1);
  close(ends[1]);
  // The application has connected, and its first calls have arrived.
  for (double start = now(); now() - start < 0.3;) dbus_message_unref(answer(reader, make_read()));
  printf(", "), measure(reader, kind->name, seconds, ends[0]);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  close(ends[0]);
  // The service is at rest again, or the machine is busy.
  for (double first = now(), start = first; now() - start < 0.5 && now() - first < 2;) {
    double begin = now();
    dbus_message_unref(answer(reader, make_read()));
    if (now() - begin > 0.005) start = now();
    usleep(1000);
  }
}

// Creates the board for large insertions, which always has room for more.
static void create_board(DBusConnection *connection) {
  const char *name = "siege", *interface = DAEMON ".Board", *property = "RetainRows";
  dbus_uint32_t count = RETAINED;
  carry_out(connection, addressed(make_call(ROOT, "Manager", "CreateBoard", DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID)));
  DBusMessage *call = dbus_message_new_method_call(service, SIEGE_BOARD, DBUS_INTERFACE_PROPERTIES, "Set");
  DBusMessageIter arguments, value;
  dbus_message_iter_init_append(call, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &property);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "u", &value);
  dbus_message_iter_append_basic(&value, DBUS_TYPE_UINT32, &count);
  dbus_message_iter_close_container(&arguments, &value);
  carry_out(connection, call);
}

static void insert_rows(DBusConnection *connection, int count) {
  const char **texts = calloc(TEXTS, sizeof *texts);
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  for (int i = 0; i < TEXTS; i++) {
    char text[64];
    snprintf(text, sizeof text, "a%d line %d of a text", i % 997, i);
    texts[i] = strdup(text);
  }
  for (; count > 0; count -= TEXTS) {
    int some = count < TEXTS ? count : TEXTS;
    dbus_message_unref(answer(connection, addressed(make_call(BOARD, "Board", "InsertTexts", DBUS_TYPE_UINT32, &section,
                                                              DBUS_TYPE_INT32, &row, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING,
                                                              &texts, some, DBUS_TYPE_INVALID))));
  }
}

int main(int count, char **words) {
  if (count != 4 && count != 5) fail("usage", "siege SERVICE ROWS SECONDS [KIND]");
  service = words[1];
  double seconds = atof(words[3]);
  DBusConnection *reader = connect_to_bus();
  item = text_of(answer(reader, make_insertion()));
  if (strcmp(service, DAEMON) == 0) {
    create_board(reader);
    insert_rows(reader, atoi(words[2]));
    // The search indexes the rows.
    dbus_message_unref(answer(reader, make_search_for("nothing")));
  }
  putchar('{'), measure(reader, "idle", seconds, -1);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (count == 4 || strcmp(words[4], kinds[i].name) == 0) measure_beside(reader, &kinds[i], seconds);
  puts("}");
  return 0;
}
