/* A pointer of the tests for Wayland compositors with the protocol wlr-virtual-pointer, or with KWin's fake-input.
 *
 * virtual-pointer WIDTH HEIGHT: the size of the output. The program performs each line of standard input and then prints
 * "ok". The lines are: move X Y, press, release, rest MILLISECONDS; with fake-input also down CODE, up CODE, for a key. */
#include <linux/input-event-codes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>

/* ---- The protocol: wlr-virtual-pointer-unstable-v1, the part in use ---- */

static const struct wl_interface *no_types[5];
static const struct wl_message pointer_requests[] = {
  {"motion", "uff", no_types},      {"motion_absolute", "uuuuu", no_types},
  {"button", "uuu", no_types},      {"axis", "uuf", no_types},
  {"frame", "", no_types},
};
static const struct wl_interface pointer_interface = {
  "zwlr_virtual_pointer_v1", 1, 5, pointer_requests, 0, NULL};
static const struct wl_interface *creation_types[] = {&wl_seat_interface, &pointer_interface};
static const struct wl_message manager_requests[] = {
  {"create_virtual_pointer", "?on", creation_types}};
static const struct wl_interface manager_interface = {
  "zwlr_virtual_pointer_manager_v1", 1, 1, manager_requests, 0, NULL};

enum { MOTION_ABSOLUTE = 1, BUTTON = 2, FRAME = 4 };

/* ---- The protocol: fake-input of plasma-wayland-protocols, up to the last request in use ---- */

static const struct wl_message fake_requests[] = {
  {"authenticate", "ss", no_types}, {"pointer_motion", "ff", no_types},
  {"button", "uu", no_types},       {"axis", "uf", no_types},
  {"touch_down", "2uff", no_types}, {"touch_motion", "2uff", no_types},
  {"touch_up", "2u", no_types},     {"touch_cancel", "2", no_types},
  {"touch_frame", "2", no_types},   {"pointer_motion_absolute", "3ff", no_types},
  {"keyboard_key", "4uu", no_types},
};
static const struct wl_interface fake_interface = {
  "org_kde_kwin_fake_input", 4, 11, fake_requests, 0, NULL};

enum { FAKE_AUTHENTICATE = 0, FAKE_BUTTON = 2, FAKE_MOTION_ABSOLUTE = 9, FAKE_KEY = 10 };

/* Either the manager and its pointer, or the fake input. */
static struct wl_proxy *manager, *pointer, *fake;

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                  uint32_t version) {
  if (!strcmp(interface, manager_interface.name))
    manager = wl_registry_bind(registry, name, &manager_interface, 1);
  if (!strcmp(interface, fake_interface.name) && version >= 4)
    fake = wl_registry_bind(registry, name, &fake_interface, 4);
}

static void lost(void *data, struct wl_registry *registry, uint32_t name) {}

static const struct wl_registry_listener listener = {found, lost};

/* ---- Commands ---- */

static uint32_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint32_t)(time.tv_sec * 1000 + time.tv_nsec / 1000000);
}

static void move(uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  if (fake) {
    wl_proxy_marshal(fake, FAKE_MOTION_ABSOLUTE, wl_fixed_from_int((int)x), wl_fixed_from_int((int)y));
    return;
  }
  wl_proxy_marshal(pointer, MOTION_ABSOLUTE, now(), x, y, width, height);
  wl_proxy_marshal(pointer, FRAME);
}

static void set_button(uint32_t state) {
  if (fake) {
    wl_proxy_marshal(fake, FAKE_BUTTON, (uint32_t)BTN_LEFT, state);
    return;
  }
  wl_proxy_marshal(pointer, BUTTON, now(), (uint32_t)BTN_LEFT, state);
  wl_proxy_marshal(pointer, FRAME);
}

static int perform(const char *line, uint32_t width, uint32_t height) {
  unsigned x, y, time;
  if (sscanf(line, "move %u %u", &x, &y) == 2) {
    move(x, y, width, height);
  } else if (!strcmp(line, "press\n")) {
    set_button(WL_POINTER_BUTTON_STATE_PRESSED);
  } else if (!strcmp(line, "release\n")) {
    set_button(WL_POINTER_BUTTON_STATE_RELEASED);
  } else if (sscanf(line, "rest %u", &time) == 1) {
    usleep(time * 1000);
  } else if (fake && (sscanf(line, "down %u", &x) == 1 || sscanf(line, "up %u", &x) == 1)) {
    wl_proxy_marshal(fake, FAKE_KEY, x, (uint32_t)(line[0] == 'd'));
  } else {
    return -1;
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  struct wl_display *display = wl_display_connect(NULL);
  if (!display) return 1;
  struct wl_registry *registry = wl_display_get_registry(display);
  wl_registry_add_listener(registry, &listener, NULL);
  wl_display_roundtrip(display);
  if (manager) {
    fake = NULL;
    pointer = wl_proxy_marshal_constructor(manager, 0, &pointer_interface, NULL, NULL);
  } else if (fake) {
    wl_proxy_marshal(fake, FAKE_AUTHENTICATE, "Dragboard", "tests");
  } else {
    return 1;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    if (perform(line, (uint32_t)atoi(arguments[1]), (uint32_t)atoi(arguments[2])) < 0) return 2;
    if (wl_display_roundtrip(display) < 0) return 1;
    printf("ok\n");
  }
  return 0;
}
