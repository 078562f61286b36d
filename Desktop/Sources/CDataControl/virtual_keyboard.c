#define _GNU_SOURCE
#include "virtual_keyboard.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- The protocol, version 1 ---- */

enum { MANAGER_CREATE };
enum { KEYBOARD_KEYMAP, KEYBOARD_KEY, KEYBOARD_MODIFIERS };
enum { XKB_V1 = 1, RELEASED = 0, PRESSED = 1 };

static const struct wl_interface *no_types[4];
static const struct wl_message keyboard_requests[] = {
  {"keymap", "uhu", no_types}, {"key", "uuu", no_types}, {"modifiers", "uuuu", no_types}, {"destroy", "", no_types}};
static const struct wl_interface keyboard_interface = {"zwp_virtual_keyboard_v1", 1, 4, keyboard_requests, 0, NULL};
static const struct wl_interface *create_types[] = {&wl_seat_interface, &keyboard_interface};
static const struct wl_message manager_requests[] = {{"create_virtual_keyboard", "on", create_types}};
static const struct wl_interface manager_interface = {
  "zwp_virtual_keyboard_manager_v1", 1, 1, manager_requests, 0, NULL};

const char *const virtual_keyboard_global = "zwp_virtual_keyboard_manager_v1";

/* ---- The keys ---- */

/* The numbers that these keys have on every keyboard in evdev, which are 8 less than those of XKB. */
enum { KEY_CONTROL = 29, KEY_SHIFT = 42, KEY_V = 47, KEY_INSERT = 110 };
/* The bits of XKB's real modifiers. */
enum { SHIFT = 1 << 0, CONTROL = 1 << 2 };

static const char keymap[] =
  "xkb_keymap {\n"
  // GTK 3 does not find the key with the highest number, so there is one after Insert.
  "xkb_keycodes \"d\" { minimum = 8; maximum = 255; <LCTL> = 37; <LFSH> = 50; <AB04> = 55; <INS> = 118; <LAST> = 255; };\n"
  "xkb_types \"d\" { include \"complete\" };\n"
  "xkb_compatibility \"d\" { include \"complete\" };\n"
  "xkb_symbols \"d\" { key <LCTL> { [ Control_L ] }; key <LFSH> { [ Shift_L ] }; key <AB04> { [ v, V ] };\n"
  "key <INS> { [ Insert ] }; modifier_map Control { <LCTL> }; modifier_map Shift { <LFSH> }; };\n"
  "};\n";

static int keymap_file(void) {
  int fd = memfd_create("keymap", MFD_CLOEXEC);
  if (fd >= 0 && write(fd, keymap, sizeof keymap) != sizeof keymap) {
    close(fd);
    return -1;
  }
  return fd;
}

struct wl_proxy *virtual_keyboard_create(struct wl_registry *registry, uint32_t name, struct wl_seat *seat) {
  int fd = keymap_file();
  if (fd < 0) return NULL;
  struct wl_proxy *manager = wl_registry_bind(registry, name, &manager_interface, 1);
  struct wl_proxy *keyboard =
      wl_proxy_marshal_constructor(manager, MANAGER_CREATE, &keyboard_interface, seat, NULL);
  wl_proxy_marshal(keyboard, KEYBOARD_KEYMAP, XKB_V1, fd, (uint32_t)sizeof keymap);
  // The library has copied the descriptor.
  close(fd);
  wl_proxy_destroy(manager);
  return keyboard;
}

static void send(struct wl_proxy *keyboard, uint32_t key, uint32_t state) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  wl_proxy_marshal(keyboard, KEYBOARD_KEY, (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000), key, state);
}

void virtual_keyboard_press(struct wl_proxy *keyboard, bool control, bool shift, bool is_insert) {
  uint32_t key = is_insert ? KEY_INSERT : KEY_V;
  if (control) send(keyboard, KEY_CONTROL, PRESSED);
  if (shift) send(keyboard, KEY_SHIFT, PRESSED);
  // A compositor of wlroots does not compute the modifiers from the keys.
  wl_proxy_marshal(keyboard, KEYBOARD_MODIFIERS, (control ? CONTROL : 0) | (shift ? SHIFT : 0), 0, 0, 0);
  send(keyboard, key, PRESSED);
  send(keyboard, key, RELEASED);
  if (shift) send(keyboard, KEY_SHIFT, RELEASED);
  if (control) send(keyboard, KEY_CONTROL, RELEASED);
  wl_proxy_marshal(keyboard, KEYBOARD_MODIFIERS, 0, 0, 0, 0);
}
