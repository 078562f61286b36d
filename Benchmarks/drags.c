// Whole drags, one after the other: BeginTextDrag of one text, then ProposeDrop and PerformDrop at
// the end of a board.
//
//     drags DESTINATION COUNT
//
// The bus is DBUS_SESSION_BUS_ADDRESS. Prints one line of JSON with the total time.

#include "session.h"

static char *begin_text_drag(DBusConnection *connection, const char *destination) {
  const char *application = "org.source";
  const char *texts[] = {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}, **all = texts;
  DBusMessage *call = make_call(ROOT, "Manager", "BeginTextDrag", DBUS_TYPE_STRING, &application,
                                DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &all, 1, DBUS_TYPE_INVALID);
  dbus_message_set_destination(call, destination);
  return text_of(answer(connection, call));
}

// Calls ProposeDrop or PerformDrop at the end of the board.
static void target(DBusConnection *connection, const char *destination, const char *member,
                   const char *session) {
  const char *application = "org.target";
  dbus_uint32_t section = 0;
  dbus_int32_t row = -1;
  DBusMessage *call = make_call(BOARD, "DropTarget", member, DBUS_TYPE_OBJECT_PATH, &session,
                                DBUS_TYPE_STRING, &application, DBUS_TYPE_UINT32, &section,
                                DBUS_TYPE_INT32, &row, DBUS_TYPE_INVALID);
  dbus_message_set_destination(call, destination);
  char *operation = text_of(answer(connection, call));
  if (strcmp(operation, "copy") != 0) fail(member, operation);
  free(operation);
}

int main(int count, char **words) {
  if (count != 3) fail("usage", "drags DESTINATION COUNT");
  const char *destination = words[1];
  DBusConnection *connection = connect_to_bus();
  double start = now();
  for (int rest = atoi(words[2]); rest > 0; rest--) {
    char *session = begin_text_drag(connection, destination);
    target(connection, destination, "ProposeDrop", session);
    target(connection, destination, "PerformDrop", session);
    free(session);
  }
  printf("{\"seconds\": %.9f}\n", now() - start);
  return 0;
}
