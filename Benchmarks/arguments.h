// Builds a call from command line arguments.
//
// An argument has the notation of dbus-send: string:TEXT, objpath:PATH, int32:N, uint32:N,
// uint64:N. Additional notations are
//
//     texts:COUNT:BYTES   an array of COUNT strings of BYTES bytes
//     distinct:BYTES      a string of BYTES bytes, different in each call
//     random:N            a uint32 below N, different in each call
//     line:FILE           a string: the next line of FILE in each call; the first line follows the last line
//     item:FILE           like line:FILE, as an array of one string

#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noreturn)) static void fail(const char *what, const char *detail) {
  fprintf(stderr, "client: %s: %s\n", what, detail);
  exit(1);
}

static void append_string(DBusMessageIter *iter, const char *text) {
  dbus_message_iter_append_basic(iter, DBUS_TYPE_STRING, &text);
}

// Returns a text of this length that ends with the number.
static char *make_text(int bytes, unsigned number) {
  char *text = malloc((size_t)bytes + 1), digits[12];
  memset(text, 'x', (size_t)bytes);
  text[bytes] = '\0';
  int count = number ? snprintf(digits, sizeof digits, "%u", number) : 0;
  if (count <= bytes) memcpy(text + bytes - count, digits, (size_t)count);
  return text;
}

static void append_texts(DBusMessageIter *iter, const char *value) {
  int count, bytes;
  if (sscanf(value, "%d:%d", &count, &bytes) != 2 || count < 0 || bytes < 0)
    fail("texts:COUNT:BYTES", value);
  char *text = make_text(bytes, 0);
  DBusMessageIter texts;
  dbus_message_iter_open_container(iter, DBUS_TYPE_ARRAY, "s", &texts);
  for (int i = 0; i < count; i++) append_string(&texts, text);
  dbus_message_iter_close_container(iter, &texts);
  free(text);
}

static void append_distinct(DBusMessageIter *iter, const char *value) {
  static unsigned number;
  char *text = make_text(atoi(value), ++number);
  append_string(iter, text);
  free(text);
}

// SplitMix64: the same numbers in every run.
static void append_random(DBusMessageIter *iter, const char *value) {
  static uint64_t state = 1;
  uint64_t word = state += 0x9e3779b97f4a7c15, limit = strtoul(value, NULL, 10);
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  dbus_uint32_t number = (dbus_uint32_t)((word >> 32) * limit >> 32);
  dbus_message_iter_append_basic(iter, DBUS_TYPE_UINT32, &number);
}

// Appends the next line of the file; all calls name the same file.
static void append_line(DBusMessageIter *iter, const char *path) {
  static FILE *file;
  char line[256];
  if (!file && !(file = fopen(path, "r"))) fail("cannot read", path);
  if (!fgets(line, sizeof line, file)) {
    rewind(file);
    if (!fgets(line, sizeof line, file)) fail("no line in", path);
  }
  line[strcspn(line, "\n")] = '\0';
  append_string(iter, line);
}

static void append_item(DBusMessageIter *iter, const char *path) {
  DBusMessageIter items;
  dbus_message_iter_open_container(iter, DBUS_TYPE_ARRAY, "s", &items);
  append_line(&items, path);
  dbus_message_iter_close_container(iter, &items);
}

static void append_path(DBusMessageIter *iter, const char *value) {
  dbus_message_iter_append_basic(iter, DBUS_TYPE_OBJECT_PATH, &value);
}

static void append_int32(DBusMessageIter *iter, const char *value) {
  dbus_int32_t number = (dbus_int32_t)strtol(value, NULL, 10);
  dbus_message_iter_append_basic(iter, DBUS_TYPE_INT32, &number);
}

static void append_uint32(DBusMessageIter *iter, const char *value) {
  dbus_uint32_t number = (dbus_uint32_t)strtoul(value, NULL, 10);
  dbus_message_iter_append_basic(iter, DBUS_TYPE_UINT32, &number);
}

static void append_uint64(DBusMessageIter *iter, const char *value) {
  dbus_uint64_t number = strtoull(value, NULL, 10);
  dbus_message_iter_append_basic(iter, DBUS_TYPE_UINT64, &number);
}

static const struct {
  const char *prefix;
  void (*append)(DBusMessageIter *iter, const char *value);
} kinds[] = {
    {"string:", append_string},     {"objpath:", append_path},  {"int32:", append_int32},
    {"uint32:", append_uint32},     {"uint64:", append_uint64}, {"texts:", append_texts},
    {"distinct:", append_distinct}, {"random:", append_random}, {"line:", append_line},
    {"item:", append_item},
};

static void append(DBusMessageIter *iter, const char *argument) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].prefix);
    if (strncmp(argument, kinds[i].prefix, length) != 0) continue;
    kinds[i].append(iter, argument + length);
    return;
  }
  fail("expected KIND:VALUE with a known KIND", argument);
}

static inline DBusMessage *make_call(char **words) {
  DBusMessage *call = dbus_message_new_method_call(words[0], words[1], words[2], words[3]);
  if (!call) fail("no memory for a call of", words[3]);
  DBusMessageIter iter;
  dbus_message_iter_init_append(call, &iter);
  for (char **argument = words + 4; *argument; argument++) append(&iter, *argument);
  return call;
}
