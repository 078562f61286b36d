// The yardstick: a service on libdbus that answers the same shapes as the daemon and does nothing else.
//
// It answers where the daemon's board does (same path, same interface, a bus name of the same length), so that the
// same client sends it the same bytes. What it takes to answer is what libdbus and the bus cost. It is a filter,
// which takes 2,800 instructions a call less than an object path's handler.

#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUS_NAME "org.dragboard.Yardstick1"
#define BOARD_INTERFACE "org.dragboard.Dragboard1.Board"

static const char *const item = "3f0a61c2-9b7e-8d54-a1c0-5e2f7b9d8c46";
static const dbus_uint64_t revision = 1;

// Answers one method: reads the call's arguments, whose types have been checked, and appends the reply's.
typedef void (*Answer)(DBusMessage *call, DBusMessage *reply);

static void get_index_path(DBusMessage *call, DBusMessage *reply) {
  const char *id;
  dbus_uint32_t section = 0, row = 0;
  dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &id, DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &row,
                           DBUS_TYPE_INVALID);
}

static void insert_text(DBusMessage *call, DBusMessage *reply) {
  dbus_uint32_t section;
  dbus_int32_t row;
  const char *text;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                        DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID);
}

static void move_row(DBusMessage *call, DBusMessage *reply) {
  dbus_uint32_t from_section, from_row, to_section, to_row;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &from_section, DBUS_TYPE_UINT32, &from_row,
                        DBUS_TYPE_UINT32, &to_section, DBUS_TYPE_UINT32, &to_row,
                        DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID);
}

static void delete_row(DBusMessage *call, DBusMessage *reply) {
  dbus_uint32_t section, row;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &row,
                        DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID);
}

static void append_attribute(DBusMessageIter *attributes, const char *name, int type,
                             const void *value) {
  const char signature[] = {(char)type, '\0'};
  DBusMessageIter entry, variant;
  dbus_message_iter_open_container(attributes, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(attributes, &entry);
}

static void append_attributes(DBusMessageIter *row) {
  const dbus_bool_t yes = TRUE;
  const dbus_uint64_t created = 1800000000000000, size = 40;
  const char *source = "";
  DBusMessageIter attributes;
  dbus_message_iter_open_container(row, DBUS_TYPE_ARRAY, "{sv}", &attributes);
  append_attribute(&attributes, "editable", DBUS_TYPE_BOOLEAN, &yes);
  append_attribute(&attributes, "movable", DBUS_TYPE_BOOLEAN, &yes);
  append_attribute(&attributes, "created", DBUS_TYPE_UINT64, &created);
  append_attribute(&attributes, "source", DBUS_TYPE_STRING, &source);
  append_attribute(&attributes, "size", DBUS_TYPE_UINT64, &size);
  dbus_message_iter_close_container(row, &attributes);
}

static void append_row(DBusMessageIter *rows) {
  const char *preview = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  const char *type = "text/plain;charset=utf-8";
  DBusMessageIter row, types;
  dbus_message_iter_open_container(rows, DBUS_TYPE_STRUCT, NULL, &row);
  dbus_message_iter_append_basic(&row, DBUS_TYPE_STRING, &item);
  dbus_message_iter_append_basic(&row, DBUS_TYPE_STRING, &preview);
  dbus_message_iter_open_container(&row, DBUS_TYPE_ARRAY, "s", &types);
  dbus_message_iter_append_basic(&types, DBUS_TYPE_STRING, &type);
  dbus_message_iter_close_container(&row, &types);
  append_attributes(&row);
  dbus_message_iter_close_container(rows, &row);
}

static void get_rows(DBusMessage *call, DBusMessage *reply) {
  dbus_uint32_t section, first, count;
  DBusMessageIter iter, rows;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &first,
                        DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID);
  dbus_message_iter_init_append(reply, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &revision);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "(ssasa{sv})", &rows);
  while (count-- > 0) append_row(&rows);
  dbus_message_iter_close_container(&iter, &rows);
}

static const struct {
  const char *member;
  const char *input;
  Answer answer;
} methods[] = {
    {"GetIndexPath", "s", get_index_path}, {"GetRows", "uuu", get_rows},
    {"InsertText", "uis", insert_text},    {"MoveRow", "uuuu", move_row},
    {"DeleteRow", "uu", delete_row},
};

static DBusHandlerResult receive(DBusConnection *connection, DBusMessage *call, void *data) {
  (void)data;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (!dbus_message_is_method_call(call, BOARD_INTERFACE, methods[i].member)) continue;
    if (!dbus_message_has_signature(call, methods[i].input)) break;
    DBusMessage *reply = dbus_message_new_method_return(call);
    methods[i].answer(call, reply);
    dbus_connection_send(connection, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
  }
  return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

static void check(const DBusError *error) {
  if (!dbus_error_is_set(error)) return;
  fprintf(stderr, "echo: %s: %s\n", error->name, error->message);
  exit(1);
}

int main(void) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  check(&error);
  if (!dbus_connection_add_filter(connection, receive, NULL, NULL)) return 1;
  dbus_bus_request_name(connection, BUS_NAME, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
  check(&error);
  fprintf(stderr, "echo serves %s\n", BUS_NAME);
  while (dbus_connection_read_write_dispatch(connection, -1)) {
  }
  return 0;
}
