// Common parts of the services that store texts: InsertText, its reply, and group commit.

#include "service.h"

#define PATH "/org/dragboard/Dragboard1/board/default"

// Returns the text of an insert.
static inline const char *text_to_insert(DBusMessage *call) {
  dbus_uint32_t section;
  dbus_int32_t row;
  const char *text;
  dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row,
                        DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
  return text;
}

// Appends the id of a row to a reply, and copies it to `id`.
static inline void append_id(DBusMessage *reply, unsigned number, char id[37]) {
  snprintf(id, 37, "%08x-9b7e-8d54-a1c0-5e2f7b9d8c46", number);
  dbus_message_append_args(reply, DBUS_TYPE_STRING, &id, DBUS_TYPE_INVALID);
}

// Creates the signal Changed for an insert, as the daemon sends it.
static inline DBusMessage *changed(dbus_uint64_t revision, const char *id, dbus_uint32_t row) {
  DBusMessage *signal = dbus_message_new_signal(PATH, INTERFACE "Board", "Changed");
  const dbus_uint64_t from = revision - 1;
  const dbus_uint32_t none = 0;
  const char *kind = "insert";
  DBusMessageIter body, changes, change;
  dbus_message_iter_init_append(signal, &body);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_UINT64, &from);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_UINT64, &revision);
  dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "(ssuuuu)", &changes);
  dbus_message_iter_open_container(&changes, DBUS_TYPE_STRUCT, NULL, &change);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_STRING, &kind);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_STRING, &id);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_UINT32, &none);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_UINT32, &none);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_UINT32, &none);
  dbus_message_iter_append_basic(&change, DBUS_TYPE_UINT32, &row);
  dbus_message_iter_close_container(&changes, &change);
  dbus_message_iter_close_container(&body, &changes);
  return signal;
}

// Waits for calls if no reply is held; otherwise handles the calls that have arrived, and calls
// `conclude` if there is none.
static inline void serve_together(DBusConnection *connection, const int *held_count,
                                  void (*conclude)(DBusConnection *)) {
  while (dbus_connection_read_write(connection, *held_count == 0 ? -1 : 0)) {
    if (dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_COMPLETE)
      conclude(connection);
    while (dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS) {
    }
  }
}
