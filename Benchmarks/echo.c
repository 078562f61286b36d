// The yardstick of all calls: a service on libdbus that answers with the same signatures as the
// daemon and does nothing else.
//
//     echo        measures the cost of libdbus and the bus
//     echo -t     also sends a signal before each answer, a copy of the same one each time: the cost of
//                 an insert that stores nothing
//
//     echo -r N   answers GetSnapshot, GetTexts and Search with as many bytes as the daemon if a board has
//                 N rows of 20 bytes
//
// Its answer to GetRows has the same bytes as the daemon's, from rows in memory.

#include "storing.h"

#define NAME "org.dragboard.Yardstick1"

static const char *const item = "3f0a61c2-9b7e-8d54-a1c0-5e2f7b9d8c46";
static const dbus_uint64_t revision = 1;

// The signal to send before each answer; NULL for none.
static DBusMessage *signal_to_copy;

static void get_index_path(DBusMessage *call, DBusMessage *reply) {
  const char *id;
  dbus_uint32_t section = 0, row = 0;
  dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &id, DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &row,
                           DBUS_TYPE_INVALID);
}

static void insert_text(DBusMessage *call, DBusMessage *reply) {
  text_to_insert(call);
  dbus_message_append_args(reply, DBUS_TYPE_STRING, &item, DBUS_TYPE_INVALID);
}

// MARK: A drag

static void begin_text_drag(DBusMessage *call, DBusMessage *reply) {
  const char *application, *session = "/org/dragboard/Dragboard1/session/1";
  char **texts;
  int count;
  dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &application, DBUS_TYPE_ARRAY,
                        DBUS_TYPE_STRING, &texts, &count, DBUS_TYPE_INVALID);
  dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &session, DBUS_TYPE_INVALID);
  dbus_free_string_array(texts);
}

static void read_target(DBusMessage *call) {
  const char *session, *application;
  dbus_uint32_t section;
  dbus_int32_t row;
  dbus_message_get_args(call, NULL, DBUS_TYPE_OBJECT_PATH, &session, DBUS_TYPE_STRING, &application,
                        DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row, DBUS_TYPE_INVALID);
}

static void propose_drop(DBusMessage *call, DBusMessage *reply) {
  const char *operation = "copy", *intent = "insert-at-destination";
  dbus_uint32_t section = 0, row = 0;
  read_target(call);
  dbus_message_append_args(reply, DBUS_TYPE_STRING, &operation, DBUS_TYPE_STRING, &intent,
                           DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &row, DBUS_TYPE_INVALID);
}

static void perform_drop(DBusMessage *call, DBusMessage *reply) {
  const char *operation = "copy", *items[] = {item}, **all = items;
  read_target(call);
  dbus_message_append_args(reply, DBUS_TYPE_STRING, &operation, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING,
                           &all, 1, DBUS_TYPE_INVALID);
}

// MARK: Rows

struct row {
  char id[37];
  const char *text, *type, *source;
  dbus_uint64_t created, size;
  dbus_bool_t is_editable, is_movable;
};

enum { ROWS = 50 };

static struct row rows[ROWS];

static void make_rows(void) {
  for (int i = 0; i < ROWS; i++) {
    rows[i] = (struct row){
        .text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", .type = "text/plain;charset=utf-8",
        .source = "", .created = 1800000000000000, .size = 40,
        .is_editable = TRUE, .is_movable = TRUE};
    snprintf(rows[i].id, sizeof rows[i].id, "%08x-9b7e-8d54-a1c0-5e2f7b9d8c46", i);
  }
}

static void append_attribute(DBusMessageIter *attributes, const char *name, const char *type,
                             const void *value) {
  DBusMessageIter entry, variant;
  dbus_message_iter_open_container(attributes, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
  dbus_message_iter_append_basic(&variant, type[0], value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(attributes, &entry);
}

static void append_row(DBusMessageIter *page, const struct row *row) {
  DBusMessageIter fields, types, attributes;
  const char *id = row->id;
  dbus_message_iter_open_container(page, DBUS_TYPE_STRUCT, NULL, &fields);
  dbus_message_iter_append_basic(&fields, DBUS_TYPE_STRING, &id);
  dbus_message_iter_append_basic(&fields, DBUS_TYPE_STRING, &row->text);
  dbus_message_iter_open_container(&fields, DBUS_TYPE_ARRAY, "s", &types);
  dbus_message_iter_append_basic(&types, DBUS_TYPE_STRING, &row->type);
  dbus_message_iter_close_container(&fields, &types);
  dbus_message_iter_open_container(&fields, DBUS_TYPE_ARRAY, "{sv}", &attributes);
  append_attribute(&attributes, "editable", "b", &row->is_editable);
  append_attribute(&attributes, "movable", "b", &row->is_movable);
  append_attribute(&attributes, "created", "t", &row->created);
  append_attribute(&attributes, "source", "s", &row->source);
  append_attribute(&attributes, "size", "t", &row->size);
  dbus_message_iter_close_container(&fields, &attributes);
  dbus_message_iter_close_container(page, &fields);
}

static void get_rows(DBusMessage *call, DBusMessage *reply) {
  dbus_uint32_t section, first, count;
  DBusMessageIter iter, page;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &section, DBUS_TYPE_UINT32, &first,
                        DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID);
  dbus_message_iter_init_append(reply, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &revision);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "(ssasa{sv})", &page);
  for (; first < ROWS && count > 0; first++, count--) append_row(&page, &rows[first]);
  dbus_message_iter_close_container(&iter, &page);
}

// MARK: Large replies

static int large_count;

static void append_texts(DBusMessageIter *iter, const char *text, int count) {
  DBusMessageIter texts;
  dbus_message_iter_open_container(iter, DBUS_TYPE_ARRAY, "s", &texts);
  for (; count > 0; count--) dbus_message_iter_append_basic(&texts, DBUS_TYPE_STRING, &text);
  dbus_message_iter_close_container(iter, &texts);
}

static void get_snapshot(DBusMessage *call, DBusMessage *reply) {
  DBusMessageIter iter, sections, section;
  const char *name = "main";
  (void)call;
  dbus_message_iter_init_append(reply, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &revision);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "(sas)", &sections);
  dbus_message_iter_open_container(&sections, DBUS_TYPE_STRUCT, NULL, &section);
  dbus_message_iter_append_basic(&section, DBUS_TYPE_STRING, &name);
  append_texts(&section, item, large_count);
  dbus_message_iter_close_container(&sections, &section);
  dbus_message_iter_close_container(&iter, &sections);
}

static void append_large(DBusMessage *reply, const char *text) {
  DBusMessageIter iter;
  dbus_message_iter_init_append(reply, &iter);
  append_texts(&iter, text, large_count < 10000 ? large_count : 10000);
}

static void get_texts(DBusMessage *call, DBusMessage *reply) {
  (void)call;
  append_large(reply, "twenty bytes of text");
}

static void search(DBusMessage *call, DBusMessage *reply) {
  (void)call;
  append_large(reply, item);
}

static const struct method methods[] = {
    {INTERFACE "Board", "GetSnapshot", "", get_snapshot},
    {INTERFACE "Board", "GetTexts", "uuu", get_texts},
    {INTERFACE "Board", "Search", "su", search},
    {INTERFACE "Board", "GetIndexPath", "s", get_index_path},
    {INTERFACE "Board", "GetRows", "uuu", get_rows},
    {INTERFACE "Board", "InsertText", "uis", insert_text},
    {INTERFACE "Manager", "BeginTextDrag", "sas", begin_text_drag},
    {INTERFACE "DropTarget", "ProposeDrop", "osui", propose_drop},
    {INTERFACE "DropTarget", "PerformDrop", "osui", perform_drop},
    {NULL, NULL, NULL, NULL},
};

static DBusHandlerResult receive(DBusConnection *connection, DBusMessage *call, void *data) {
  (void)data;
  DBusMessage *reply = reply_to(call, methods);
  if (!reply) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  if (signal_to_copy) send(connection, dbus_message_copy(signal_to_copy));
  send(connection, reply);
  return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **words) {
  const int signals = count == 2 && strcmp(words[1], "-t") == 0;
  if (count == 3 && strcmp(words[1], "-r") == 0) large_count = atoi(words[2]);
  else if (count != 1 + signals) give_up("usage", "echo [-t | -r N]");
  if (signals) signal_to_copy = changed(1000, item, 1000);
  make_rows();
  DBusConnection *connection = serve(NAME, receive);
  while (dbus_connection_read_write_dispatch(connection, -1)) {
  }
  return 0;
}
