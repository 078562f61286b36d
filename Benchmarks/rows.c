// Fills a board with many rows, or changes it repeatedly.
//
//     rows fill COUNT       inserts COUNT texts, a thousand at a time; each has unique words and shared words
//     rows order CALLS      moves one row to the middle and back with ApplyOrder, and prints p50 in JSON
//     rows texts CALLS ID   sets the text of a row CALLS times
//     rows retain COUNT     sets RetainRows, and MovesDuplicates as the board of the clipboard has it
//     rows copies FIRST COUNT   inserts COUNT texts as the first row, one at a time, numbered from FIRST
//
// The bus is DBUS_SESSION_BUS_ADDRESS; the board is "default". An error in an answer ends the
// program with status 1.

#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const common[] = {"milk", "bread", "letter", "ticket", "garden", "window", "paper", "harbour"};

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "rows: %s: %s\n", what, detail);
  exit(1);
}

static DBusMessage *make_call(const char *member) {
  DBusMessage *call = dbus_message_new_method_call(
      "org.dragboard.Dragboard1", "/org/dragboard/Dragboard1/board/default", "org.dragboard.Dragboard1.Board", member);
  if (!call) fail("no memory for a call of", member);
  return call;
}

// Sends a call, releases it, and waits for its answer.
static DBusMessage *ask(DBusConnection *bus, DBusMessage *call) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *answer = dbus_connection_send_with_reply_and_block(bus, call, DBUS_TIMEOUT_INFINITE, &error);
  if (!answer) fail(error.name, error.message);
  dbus_message_unref(call);
  return answer;
}

// MARK: Filling

static void fill(DBusConnection *bus, int count) {
  for (int done = 0; done < count;) {
    DBusMessage *call = make_call("InsertTexts");
    DBusMessageIter iter, texts;
    dbus_uint32_t section = 0;
    dbus_int32_t end = -1;
    dbus_message_iter_init_append(call, &iter);
    dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT32, &section);
    dbus_message_iter_append_basic(&iter, DBUS_TYPE_INT32, &end);
    dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "s", &texts);
    for (int i = 0; i < 1000 && done < count; i++, done++) {
      char text[64];
      const char *start = text;
      snprintf(text, sizeof text, "row %d %s %s w%d", done, common[done % 8], common[done / 8 % 8], done % 5000);
      dbus_message_iter_append_basic(&texts, DBUS_TYPE_STRING, &start);
    }
    dbus_message_iter_close_container(&iter, &texts);
    dbus_message_unref(ask(bus, call));
  }
}

// MARK: Another order

struct ids {
  const char **ids;
  int count;
  DBusMessage *snapshot;
};

static struct ids read_ids(DBusConnection *bus) {
  struct ids read = {.snapshot = ask(bus, make_call("GetSnapshot"))};
  DBusMessageIter iter, sections, section, ids;
  dbus_message_iter_init(read.snapshot, &iter);
  dbus_message_iter_next(&iter);
  dbus_message_iter_recurse(&iter, &sections);
  dbus_message_iter_recurse(&sections, &section);
  dbus_message_iter_next(&section);
  dbus_message_iter_recurse(&section, &ids);
  read.ids = calloc((size_t)dbus_message_iter_get_element_count(&section) + 1, sizeof *read.ids);
  for (; dbus_message_iter_get_arg_type(&ids) == DBUS_TYPE_STRING; dbus_message_iter_next(&ids))
    dbus_message_iter_get_basic(&ids, &read.ids[read.count++]);
  return read;
}

static DBusMessage *make_order(const struct ids *rows) {
  DBusMessage *call = make_call("ApplyOrder");
  DBusMessageIter iter, ids;
  dbus_uint64_t base = 0;
  dbus_uint32_t section = 0;
  dbus_message_iter_init_append(call, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT64, &base);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_UINT32, &section);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_ARRAY, "s", &ids);
  for (int i = 0; i < rows->count; i++) dbus_message_iter_append_basic(&ids, DBUS_TYPE_STRING, &rows->ids[i]);
  dbus_message_iter_close_container(&iter, &ids);
  return call;
}

static void move(struct ids *rows, int from, int to) {
  const char *id = rows->ids[from];
  int low = from < to ? from : to + 1, high = from < to ? to : from + 1;
  if (from < to) memmove(&rows->ids[low], &rows->ids[low + 1], (size_t)(high - low) * sizeof id);
  else memmove(&rows->ids[low], &rows->ids[low - 1], (size_t)(high - low) * sizeof id);
  rows->ids[to] = id;
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void order(DBusConnection *bus, int calls) {
  struct ids rows = read_ids(bus);
  double *times = calloc((size_t)calls, sizeof *times);
  for (int i = 0; i < calls; i++) {
    move(&rows, i % 2 ? rows.count / 2 : 10, i % 2 ? 10 : rows.count / 2);
    DBusMessage *call = make_order(&rows);
    double start = seconds();
    dbus_message_unref(ask(bus, call));
    times[i] = seconds() - start;
  }
  qsort(times, (size_t)calls, sizeof *times, compare);
  printf("{\"calls\": %d, \"p50_us\": %.3f}\n", calls, times[calls / 2] * 1e6);
}

// MARK: Another text

static void set_texts(DBusConnection *bus, int calls, const char *id) {
  for (int i = 0; i < calls; i++) {
    char text[64];
    const char *start = text;
    snprintf(text, sizeof text, "one needle of %d", i);
    DBusMessage *call = make_call("SetText");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &id, DBUS_TYPE_STRING, &start, DBUS_TYPE_INVALID);
    dbus_message_unref(ask(bus, call));
  }
}

// MARK: Copies

static void set_property(DBusConnection *bus, const char *name, int type, const char *signature, const void *value) {
  const char *interface = "org.dragboard.Dragboard1.Board";
  DBusMessage *call = make_call("Set");
  dbus_message_set_interface(call, DBUS_INTERFACE_PROPERTIES);
  DBusMessageIter iter, variant;
  dbus_message_iter_init_append(call, &iter);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_append_basic(&iter, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&iter, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&iter, &variant);
  dbus_message_unref(ask(bus, call));
}

static void retain(DBusConnection *bus, int count) {
  set_property(bus, "RetainRows", DBUS_TYPE_UINT32, "u", &(dbus_uint32_t){(dbus_uint32_t)count});
  set_property(bus, "MovesDuplicates", DBUS_TYPE_BOOLEAN, "b", &(dbus_bool_t){1});
}

static void copy(DBusConnection *bus, int first, int count) {
  const dbus_uint32_t section = 0;
  const dbus_int32_t row = 0;
  for (int i = first; i < first + count; i++) {
    char text[256];
    const char *start = text;
    snprintf(text, sizeof text, "copy %d %s %s w%d of a program, as long as a sentence that somebody writes", i,
             common[i % 8], common[i / 8 % 8], i % 50000);
    DBusMessage *call = make_call("InsertText");
    dbus_message_append_args(call, DBUS_TYPE_UINT32, &section, DBUS_TYPE_INT32, &row, DBUS_TYPE_STRING, &start,
                             DBUS_TYPE_INVALID);
    dbus_message_unref(ask(bus, call));
  }
}

int main(int count, char **words) {
  const char *usage = "fill COUNT | order CALLS | texts CALLS ID | retain COUNT | copies FIRST COUNT";
  if (count < 3) fail("usage", usage);
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!bus) fail(error.name, error.message);
  if (strcmp(words[1], "fill") == 0) fill(bus, atoi(words[2]));
  else if (strcmp(words[1], "order") == 0) order(bus, atoi(words[2]));
  else if (strcmp(words[1], "texts") == 0 && count == 4) set_texts(bus, atoi(words[2]), words[3]);
  else if (strcmp(words[1], "retain") == 0) retain(bus, atoi(words[2]));
  else if (strcmp(words[1], "copies") == 0 && count == 4) copy(bus, atoi(words[2]), atoi(words[3]));
  else fail("usage", usage);
  return 0;
}
