// The delay of one client's calls by another client's message of almost 64 MiB.
//
//   longcalls SERVICE ROUNDS [KIND]
//
// One client sends ROUNDS messages of KIND, or of each kind. The kinds are arrays of the shortest
// elements or of ordinary elements, which the service accepts or refuses. Until the reply, another
// client calls GetIndexPath repeatedly. The program writes one line of JSON. For each kind, the
// line has the longest wait of a call and the time until the reply: the maximum of all rounds, in
// milliseconds. The bus is DBUS_SESSION_BUS_ADDRESS.

#include "session.h"

#include <poll.h>

#define BYTES (63u << 20)

static DBusConnection *writer, *reader;
static const char *service;

static DBusMessage *call_of(const char *path, const char *interface, const char *member) {
  char name[128];
  snprintf(name, sizeof name, "%s.%s", DAEMON, interface);
  return dbus_message_new_method_call(service, path, name, member);
}

static DBusMessage *make_read(void) {
  static const char *item = "00000000-0000-8000-8000-000000000000";
  DBusMessage *call = call_of(BOARD, "Board", "GetIndexPath");
  dbus_message_append_args(call, DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID);
  return call;
}

static dbus_uint32_t begin(DBusConnection *connection, DBusMessage *call) {
  dbus_uint32_t serial;
  dbus_connection_send(connection, call, &serial);
  dbus_message_unref(call);
  return serial;
}

// Returns whether the answer to the call with this serial has arrived.
static int poll_answer(DBusConnection *connection, dbus_uint32_t serial) {
  DBusMessage *message;
  int has_come = 0;
  if (!dbus_connection_read_write(connection, 0)) fail("the bus", "has gone");
  while ((message = dbus_connection_pop_message(connection))) {
    if (dbus_message_get_reply_serial(message) == serial) has_come = 1;
    dbus_message_unref(message);
  }
  return has_come;
}

static void wait_for_either(void) {
  struct pollfd sockets[] = {{.events = POLLIN}, {.events = POLLIN}};
  dbus_connection_get_unix_fd(writer, &sockets[0].fd);
  dbus_connection_get_unix_fd(reader, &sockets[1].fd);
  if (dbus_connection_has_messages_to_send(writer)) sockets[0].events |= POLLOUT;
  if (dbus_connection_has_messages_to_send(reader)) sockets[1].events |= POLLOUT;
  poll(sockets, 2, -1);
}

// Makes the call; returns the longest wait of a read before the answer.
static double longest_beside(DBusMessage *call, double *waited) {
  double start = now(), read_start = start, longest = 0;
  dbus_uint32_t serial = begin(writer, call), read = begin(reader, make_read());
  for (int is_over = 0;;) {
    if (!is_over && poll_answer(writer, serial)) is_over = 1, *waited = now() - start;
    if (poll_answer(reader, read)) {
      double wait = now() - read_start;
      if (wait > longest) longest = wait;
      if (is_over) return longest;
      read_start = now();
      read = begin(reader, make_read());
      continue;
    }
    wait_for_either();
  }
}

// Appends the last argument: an array of equal texts, BYTES long.
static void append_texts(DBusMessageIter *iter, const char *text) {
  DBusMessageIter texts;
  dbus_message_iter_open_container(iter, DBUS_TYPE_ARRAY, "s", &texts);
  for (size_t size = (strlen(text) + 5 + 3) / 4 * 4, left = BYTES / size; left > 0; left--)
    dbus_message_iter_append_basic(&texts, DBUS_TYPE_STRING, &text);
  dbus_message_iter_close_container(iter, &texts);
}

static const char *empty = "", *line = "a line of a text of an ordinary length, as people write it",
                  *unknown_id = "00000000-0000-8000-8000-000000000000";

static DBusMessage *texts_call(const char *path, const char *interface, const char *member,
                               const char *text, int has_place, int has_application) {
  DBusMessage *call = call_of(path, interface, member);
  DBusMessageIter iter;
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  const char *application = "org.source";
  dbus_message_iter_init_append(call, &iter);
  if (has_application) dbus_message_iter_append_basic(&iter, DBUS_TYPE_STRING, &application);
  if (has_place) {
    dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT32, &section);
    dbus_message_iter_append_basic(&iter, DBUS_TYPE_INT32, &row);
  }
  append_texts(&iter, text);
  return call;
}

static DBusMessage *insert_texts(const char *text) { return texts_call(BOARD, "Board", "InsertTexts", text, 1, 0); }
static DBusMessage *delete_items(const char *id) { return texts_call(BOARD, "Board", "DeleteItems", id, 0, 0); }
static DBusMessage *set_types(const char *type) { return texts_call(BOARD, "Board", "SetAcceptedTypes", type, 0, 0); }
static DBusMessage *begin_text_drag(const char *text) {
  return texts_call(ROOT, "Manager", "BeginTextDrag", text, 0, 1);
}
static DBusMessage *begin_drag_of(const char *id) { return texts_call(BOARD, "DragSource", "BeginDrag", id, 0, 1); }

static DBusMessage *move_items(const char *id) {
  DBusMessage *call = call_of(BOARD, "Board", "MoveItems");
  DBusMessageIter iter;
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  dbus_message_iter_init_append(call, &iter);
  append_texts(&iter, id);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT32, &section);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_INT32, &row);
  return call;
}

static DBusMessage *apply_order(const char *id) {
  DBusMessage *call = call_of(BOARD, "Board", "ApplyOrder");
  DBusMessageIter iter;
  dbus_uint64_t base = 0;
  dbus_uint32_t section = 0;
  dbus_message_iter_init_append(call, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &base);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT32, &section);
  append_texts(&iter, id);
  return call;
}

static DBusMessage *apply_snapshot(const char *id) {
  DBusMessage *call = call_of(BOARD, "Board", "ApplySnapshot");
  DBusMessageIter iter, sections, section;
  dbus_uint64_t base = 0;
  dbus_message_iter_init_append(call, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &base);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "(sas)", &sections);
  dbus_message_iter_open_container(&sections, DBUS_TYPE_STRUCT, NULL, &section);
  dbus_message_iter_append_basic(&section, DBUS_TYPE_STRING, &empty);
  append_texts(&section, id);
  dbus_message_iter_close_container(&sections, &section);
  dbus_message_iter_close_container(&iter, &sections);
  return call;
}

static DBusMessage *insert_data(const char *type) {
  DBusMessage *call = call_of(BOARD, "Board", "InsertData");
  DBusMessageIter iter;
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  char *bytes = calloc(BYTES, 1);
  dbus_message_iter_init_append(call, &iter);
  dbus_message_append_args(call, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row, DBUS_TYPE_STRING, &type,
                           DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes, BYTES, DBUS_TYPE_INVALID);
  free(bytes);
  return call;
}

static DBusMessage *insert_text(const char *ignored) {
  DBusMessage *call = call_of(BOARD, "Board", "InsertText");
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  char *text = malloc(BYTES + 1);
  (void)ignored;
  memset(text, 'x', BYTES);
  text[BYTES] = 0;
  dbus_message_append_args(call, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row, DBUS_TYPE_STRING, &text,
                           DBUS_TYPE_INVALID);
  free(text);
  return call;
}

// The longest lists that a call may have.
#define MOST 100000

static DBusMessage *list_call(const char *member, const char **texts, int count, int has_place) {
  DBusMessage *call = call_of(BOARD, "Board", member);
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  if (has_place) dbus_message_append_args(call, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row, DBUS_TYPE_INVALID);
  dbus_message_append_args(call, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &texts, count, DBUS_TYPE_INVALID);
  return call;
}

static DBusMessage *insert_rows(const char *text) {
  const char **texts = calloc(MOST, sizeof *texts);
  for (int i = 0; i < MOST; i++) texts[i] = text;
  DBusMessage *call = list_call("InsertTexts", texts, MOST, 1);
  free(texts);
  return call;
}

// Inserts rows, and deletes them with the measured call.
static DBusMessage *delete_inserted_rows(const char *text) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = try_call(writer, insert_rows(text), &error);
  // The echo inserts no rows.
  if (!reply) return delete_items(unknown_id);
  char **ids;
  int count;
  if (!dbus_message_get_args(reply, &error, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &ids, &count, DBUS_TYPE_INVALID))
    fail(error.name, error.message);
  DBusMessage *call = list_call("DeleteItems", (const char **)ids, count, 0);
  dbus_free_string_array(ids);
  dbus_message_unref(reply);
  return call;
}

static const struct kind {
  const char *name;
  DBusMessage *(*make)(const char *);
  const char **text;
} kinds[] = {
    {"InsertTexts, empty", insert_texts, &empty}, {"InsertTexts, lines", insert_texts, &line},
    {"DeleteItems, empty", delete_items, &empty}, {"DeleteItems, ids", delete_items, &unknown_id},
    {"MoveItems, ids", move_items, &unknown_id}, {"ApplyOrder, empty", apply_order, &empty},
    {"ApplyOrder, ids", apply_order, &unknown_id}, {"ApplySnapshot, ids", apply_snapshot, &unknown_id},
    {"SetAcceptedTypes, empty", set_types, &empty}, {"BeginTextDrag, empty", begin_text_drag, &empty},
    {"BeginDrag, ids", begin_drag_of, &unknown_id}, {"InsertData", insert_data, &empty},
    {"InsertText", insert_text, &empty}, {"InsertTexts, 100,000 lines", insert_rows, &line},
    {"DeleteItems, 100,000 rows", delete_inserted_rows, &line},
};

int main(int count, char **words) {
  if (count != 3 && count != 4) fail("usage", "longcalls SERVICE ROUNDS [KIND]");
  service = words[1];
  writer = connect_to_bus(), reader = connect_to_bus();
  double ignored;
  longest_beside(make_read(), &ignored);
  const char *separator = "{";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (count == 4 && strcmp(words[3], kinds[i].name) != 0) continue;
    double longest = 0, slowest = 0;
    for (int round = atoi(words[2]); round > 0; round--) {
      DBusMessage *call = kinds[i].make(*kinds[i].text);
      double waited = 0, wait = longest_beside(call, &waited);
      if (wait > longest) longest = wait;
      if (waited > slowest) slowest = waited;
    }
    printf("%s\"%s\": {\"longest_ms\": %.3f, \"call_ms\": %.3f}", separator, kinds[i].name, longest * 1e3,
           slowest * 1e3);
    separator = ", ";
  }
  puts("}");
  return 0;
}
