#define _GNU_SOURCE
#include "CDataControl.h"
#include "toplevels.h"
#include "virtual_keyboard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wayland-client.h>

/* ---- The protocols ---- */

enum { MAX_NAMES = 257, MAX_NAME_BYTES = 255 };
enum { MANAGER_CREATE_SOURCE, MANAGER_GET_DEVICE };
enum { DEVICE_SET_SELECTION, DEVICE_DESTROY, DEVICE_SET_PRIMARY_SELECTION };
enum { SOURCE_OFFER, SOURCE_DESTROY };
enum { OFFER_RECEIVE, OFFER_DESTROY };

static const struct wl_interface *no_types[2];

#define PROTOCOL(prefix)                                                                               \
  static const struct wl_message prefix##_offer_requests[] = {{"receive", "sh", no_types},             \
                                                              {"destroy", "", no_types}};              \
  static const struct wl_message prefix##_offer_events[] = {{"offer", "s", no_types}};                 \
  static const struct wl_interface prefix##_offer = {                                                  \
      #prefix "_data_control_offer_v1", 1, 2, prefix##_offer_requests, 1, prefix##_offer_events};      \
  static const struct wl_message prefix##_source_requests[] = {{"offer", "s", no_types},               \
                                                               {"destroy", "", no_types}};             \
  static const struct wl_message prefix##_source_events[] = {{"send", "sh", no_types},                 \
                                                             {"cancelled", "", no_types}};             \
  static const struct wl_interface prefix##_source = {                                                 \
      #prefix "_data_control_source_v1", 1, 2, prefix##_source_requests, 2, prefix##_source_events};   \
  static const struct wl_interface *prefix##_offer_types[] = {&prefix##_offer};                        \
  static const struct wl_interface *prefix##_source_types[] = {&prefix##_source};                      \
  static const struct wl_message prefix##_device_requests[] = {                                        \
      {"set_selection", "?o", prefix##_source_types},                                                  \
      {"destroy", "", no_types},                                                                       \
      {"set_primary_selection", "?o", prefix##_source_types}};                                         \
  static const struct wl_message prefix##_device_events[] = {                                          \
      {"data_offer", "n", prefix##_offer_types},                                                       \
      {"selection", "?o", prefix##_offer_types},                                                       \
      {"finished", "", no_types},                                                                      \
      {"primary_selection", "?o", prefix##_offer_types}};                                              \
  static const struct wl_interface prefix##_device = {                                                 \
      #prefix "_data_control_device_v1", 1, 3, prefix##_device_requests, 4, prefix##_device_events};   \
  static const struct wl_interface *prefix##_device_types[] = {&prefix##_device, &wl_seat_interface};  \
  static const struct wl_message prefix##_manager_requests[] = {                                       \
      {"create_data_source", "n", prefix##_source_types},                                              \
      {"get_data_device", "no", prefix##_device_types},                                                \
      {"destroy", "", no_types}};                                                                      \
  static const struct wl_interface prefix##_manager = {                                                \
      #prefix "_data_control_manager_v1", 1, 3, prefix##_manager_requests, 0, NULL};

PROTOCOL(ext)
PROTOCOL(zwlr)

struct protocol {
  const char *name;
  const struct wl_interface *manager, *device, *source;
  /// The version that has the primary selection.
  uint32_t primary_version;
};

/// The supported protocols, best first.
static const struct protocol protocols[] = {
  {"ext-data-control-v1", &ext_manager, &ext_device, &ext_source, 1},
  {"wlr-data-control-unstable-v1", &zwlr_manager, &zwlr_device, &zwlr_source, 2},
};
enum { PROTOCOL_COUNT = sizeof protocols / sizeof *protocols };

/* ---- Connecting ---- */

struct data_control {
  struct wl_display *display;
  struct wl_registry *registry;
  uint32_t managers[PROTOCOL_COUNT], versions[PROTOCOL_COUNT], toplevels, virtual_keyboards;
  struct wl_seat *seat;
  const struct protocol *protocol;
  struct wl_proxy *manager, *device, *source;
  /// The objects for pasting; NULL until data_control_make_keyboard() and data_control_watch_primary().
  struct wl_proxy *keyboard, *primary_manager, *primary_device, *primary_source;
  /// The events that data_control_next() has not returned yet.
  struct wl_list events;
  bool is_primary, is_finished, reports_focus;
};

struct queued_event {
  struct wl_list link;
  struct data_control_event event;
};

/// Appends an event. If memory is exhausted, the event is lost.
static void append(struct data_control *control, struct data_control_event event) {
  struct queued_event *queued = calloc(1, sizeof *queued);
  if (!queued) return;
  queued->event = event;
  wl_list_insert(control->events.prev, &queued->link);
}

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                  uint32_t version) {
  struct data_control *control = data;
  for (size_t i = 0; i < PROTOCOL_COUNT; i++)
    if (!strcmp(interface, protocols[i].manager->name)) {
      control->managers[i] = name;
      control->versions[i] = version;
    }
  if (!strcmp(interface, virtual_keyboard_global)) control->virtual_keyboards = name;
  if (!strcmp(interface, toplevels_global)) control->toplevels = name;
  if (!strcmp(interface, wl_seat_interface.name) && !control->seat)
    control->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
}

static void removed(void *data, struct wl_registry *registry, uint32_t name) {}

static const struct wl_registry_listener registry_listener = {found, removed};

static void (*const device_listener[4])(void);

static void window_changed(void *data, uint64_t window, const char *application, const char *title, bool is_focused,
                           bool is_open) {
  struct data_control_event event = {DATA_CONTROL_WINDOW, .name = strdup(application), .title = strdup(title),
                                     .window = window, .is_focused = is_focused, .is_open = is_open};
  if (event.name && event.title) return append(data, event);
  free(event.name);
  free(event.title);
}

static void disconnect(struct data_control *control) {
  if (control->display) wl_display_disconnect(control->display);
  free(control);
}

struct data_control *data_control_connect(bool is_primary) {
  struct data_control *control = calloc(1, sizeof *control);
  if (!control) return NULL;
  control->is_primary = is_primary;
  wl_list_init(&control->events);
  control->display = wl_display_connect(NULL);
  if (control->display) {
    control->registry = wl_display_get_registry(control->display);
    wl_registry_add_listener(control->registry, &registry_listener, control);
    wl_display_roundtrip(control->display);
  }
  for (size_t i = 0; i < PROTOCOL_COUNT && control->seat && !control->protocol; i++) {
    uint32_t version = is_primary ? protocols[i].primary_version : 1;
    if (!control->managers[i] || control->versions[i] < version) continue;
    control->protocol = &protocols[i];
    control->manager =
        wl_registry_bind(control->registry, control->managers[i], control->protocol->manager, version);
  }
  if (!control->manager) {
    disconnect(control);
    return NULL;
  }
  // The focus is known before the first copy.
  control->reports_focus =
      control->toplevels && toplevels_watch(control->registry, control->toplevels, window_changed, control);
  control->device = wl_proxy_marshal_constructor(
      control->manager, MANAGER_GET_DEVICE, control->protocol->device, NULL, control->seat);
  wl_proxy_add_listener(control->device, (void (**)(void))device_listener, control);
  // After this call, the first event has arrived. It reports the content that is on the clipboard
  // now.
  wl_display_roundtrip(control->display);
  return control;
}

const char *data_control_protocol(const struct data_control *control) {
  return control->protocol->name;
}

bool data_control_reports_focus(const struct data_control *control) { return control->reports_focus; }

int data_control_fd(const struct data_control *control) {
  return wl_display_get_fd(control->display);
}

/// Reads the events that have arrived, without waiting; returns false if the compositor is gone.
static bool read_events(struct data_control *control) {
  struct wl_display *display = control->display;
  while (wl_display_prepare_read(display))
    if (wl_display_dispatch_pending(display) < 0) return false;
  struct pollfd poll_fd = {wl_display_get_fd(display), POLLIN, 0};
  if (poll(&poll_fd, 1, 0) > 0) {
    if (wl_display_read_events(display) < 0) return false;
  } else {
    wl_display_cancel_read(display);
  }
  return wl_display_dispatch_pending(display) >= 0 && data_control_flush(control);
}

struct data_control_event data_control_next(struct data_control *control) {
  if (wl_list_empty(&control->events) && !control->is_finished && !read_events(control)) {
    control->is_finished = true;
    append(control, (struct data_control_event){DATA_CONTROL_FINISHED});
  }
  if (wl_list_empty(&control->events)) return (struct data_control_event){DATA_CONTROL_NONE};
  struct queued_event *first = wl_container_of(control->events.next, first, link);
  struct data_control_event event = first->event;
  wl_list_remove(&first->link);
  free(first);
  return event;
}

static void synchronized(void *data, struct wl_callback *callback, uint32_t serial) {
  wl_callback_destroy(callback);
  append(data, (struct data_control_event){DATA_CONTROL_SYNCHRONIZED});
}

static const struct wl_callback_listener callback_listener = {synchronized};

void data_control_synchronize(struct data_control *control) {
  wl_callback_add_listener(wl_display_sync(control->display), &callback_listener, control);
}

bool data_control_flush(struct data_control *control) {
  // If the compositor reads too slowly, the socket is full. The next flush sends the rest.
  return wl_display_flush(control->display) >= 0 || errno == EAGAIN;
}

/* ---- Offers ---- */

struct data_offer {
  struct wl_proxy *proxy;
  size_t count;
  char *names[MAX_NAMES];
};

static void offered(void *data, struct wl_proxy *proxy, const char *name) {
  struct data_offer *offer = data;
  if (offer->count == MAX_NAMES || strlen(name) > MAX_NAME_BYTES) return;
  char *copy = strdup(name);
  if (copy) offer->names[offer->count++] = copy;
}

static void (*const offer_listener[])(void) = {(void (*)(void))offered};

static void data_offered(void *data, struct wl_proxy *device, struct wl_proxy *proxy) {
  struct data_offer *offer = calloc(1, sizeof *offer);
  if (!offer) return;
  offer->proxy = proxy;
  wl_proxy_add_listener(proxy, (void (**)(void))offer_listener, offer);
}

size_t data_offer_count(const struct data_offer *offer) { return offer->count; }

const char *data_offer_name(const struct data_offer *offer, size_t index) {
  return offer->names[index];
}

void data_offer_receive(struct data_offer *offer, const char *name, int fd) {
  wl_proxy_marshal(offer->proxy, OFFER_RECEIVE, name, fd);
}

void data_offer_destroy(struct data_offer *offer) {
  wl_proxy_marshal(offer->proxy, OFFER_DESTROY);
  wl_proxy_destroy(offer->proxy);
  for (size_t i = 0; i < offer->count; i++) free(offer->names[i]);
  free(offer);
}

/* ---- The clipboard ---- */

/// Reports an offer, or releases an offer of the selection that the client does not use.
static void report_offer(struct data_control *control, struct wl_proxy *proxy, bool is_used) {
  struct data_offer *offer = proxy ? wl_proxy_get_user_data(proxy) : NULL;
  if (is_used) append(control, (struct data_control_event){DATA_CONTROL_SELECTED, .offer = offer});
  else if (offer) data_offer_destroy(offer);
}

static void selected(void *data, struct wl_proxy *device, struct wl_proxy *proxy) {
  struct data_control *control = data;
  report_offer(control, proxy, !control->is_primary);
}

static void finished(void *data, struct wl_proxy *device) {
  append(data, (struct data_control_event){DATA_CONTROL_FINISHED});
}

static void primary_selected(void *data, struct wl_proxy *device, struct wl_proxy *proxy) {
  struct data_control *control = data;
  report_offer(control, proxy, control->is_primary);
}

static void (*const device_listener[])(void) = {
  (void (*)(void))data_offered,
  (void (*)(void))selected,
  (void (*)(void))finished,
  (void (*)(void))primary_selected,
};

static void requested(void *data, struct wl_proxy *source, const char *name, int32_t fd) {
  struct data_control_event event = {DATA_CONTROL_REQUESTED, .name = strdup(name), .fd = fd};
  if (event.name) append(data, event);
  else close(fd);
}

static void cancelled(void *data, struct wl_proxy *source) {
  struct data_control *control = data;
  wl_proxy_marshal(source, SOURCE_DESTROY);
  wl_proxy_destroy(source);
  if (source != control->source) return;
  control->source = NULL;
  append(control, (struct data_control_event){DATA_CONTROL_LOST});
}

static void (*const source_listener[])(void) = {
  (void (*)(void))requested,
  (void (*)(void))cancelled,
};

void data_control_begin_claim(struct data_control *control) {
  // The compositor cancels the previous source.
  control->source = wl_proxy_marshal_constructor(
      control->manager, MANAGER_CREATE_SOURCE, control->protocol->source, NULL);
  wl_proxy_add_listener(control->source, (void (**)(void))source_listener, control);
}

void data_control_offer(struct data_control *control, const char *name) {
  wl_proxy_marshal(control->source, SOURCE_OFFER, name);
}

void data_control_claim(struct data_control *control) {
  wl_proxy_marshal(control->device, DEVICE_SET_SELECTION, control->source);
}

void data_control_release(struct data_control *control) {
  if (!control->source) return;
  wl_proxy_marshal(control->source, SOURCE_DESTROY);
  wl_proxy_destroy(control->source);
  control->source = NULL;
}

/* ---- Pasting ---- */

static void clipboard_offered(void *data, struct wl_proxy *device, struct wl_proxy *proxy) {
  struct data_offer *offer = proxy ? wl_proxy_get_user_data(proxy) : NULL;
  if (offer) data_offer_destroy(offer);
}

static void primary_offered(void *data, struct wl_proxy *device, struct wl_proxy *proxy) {
  struct data_offer *offer = proxy ? wl_proxy_get_user_data(proxy) : NULL;
  append(data, (struct data_control_event){DATA_CONTROL_PRIMARY_OFFERED, .offer = offer});
}

static void primary_finished(void *data, struct wl_proxy *device) {}

static void (*const primary_device_listener[])(void) = {
  (void (*)(void))data_offered,
  (void (*)(void))clipboard_offered,
  (void (*)(void))primary_finished,
  (void (*)(void))primary_offered,
};

bool data_control_make_keyboard(struct data_control *control) {
  if (!control->keyboard && control->virtual_keyboards)
    control->keyboard = virtual_keyboard_create(control->registry, control->virtual_keyboards, control->seat);
  return control->keyboard;
}

bool data_control_watch_primary(struct data_control *control) {
  if (control->primary_device) return true;
  size_t index = control->protocol - protocols;
  // The older protocol has the primary selection since version 2, the newer one always.
  uint32_t version = control->protocol->manager == &zwlr_manager ? 2 : 1;
  if (control->versions[index] < version) return false;
  control->primary_manager = wl_registry_bind(
      control->registry, control->managers[index], control->protocol->manager, version);
  control->primary_device = wl_proxy_marshal_constructor(
      control->primary_manager, MANAGER_GET_DEVICE, control->protocol->device, NULL, control->seat);
  wl_proxy_add_listener(control->primary_device, (void (**)(void))primary_device_listener, control);
  return true;
}

void data_control_press(struct data_control *control, bool has_control, bool has_shift, bool is_insert) {
  virtual_keyboard_press(control->keyboard, has_control, has_shift, is_insert);
}

static void primary_requested(void *data, struct wl_proxy *source, const char *name, int32_t fd) {
  struct data_control_event event = {DATA_CONTROL_PRIMARY_REQUESTED, .name = strdup(name), .fd = fd};
  if (event.name) append(data, event);
  else close(fd);
}

static void primary_cancelled(void *data, struct wl_proxy *source) {
  struct data_control *control = data;
  wl_proxy_marshal(source, SOURCE_DESTROY);
  wl_proxy_destroy(source);
  if (source != control->primary_source) return;
  control->primary_source = NULL;
  append(control, (struct data_control_event){DATA_CONTROL_PRIMARY_LOST});
}

static void (*const primary_source_listener[])(void) = {
  (void (*)(void))primary_requested,
  (void (*)(void))primary_cancelled,
};

void data_control_claim_primary(struct data_control *control, const char *const *names, size_t count) {
  control->primary_source = wl_proxy_marshal_constructor(
      control->primary_manager, MANAGER_CREATE_SOURCE, control->protocol->source, NULL);
  wl_proxy_add_listener(control->primary_source, (void (**)(void))primary_source_listener, control);
  for (size_t i = 0; i < count; i++) wl_proxy_marshal(control->primary_source, SOURCE_OFFER, names[i]);
  wl_proxy_marshal(control->primary_device, DEVICE_SET_PRIMARY_SELECTION, control->primary_source);
}

void data_control_release_primary(struct data_control *control) {
  if (!control->primary_source) return;
  wl_proxy_marshal(control->primary_source, SOURCE_DESTROY);
  wl_proxy_destroy(control->primary_source);
  control->primary_source = NULL;
}

/* ---- Pipes ---- */

int data_control_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int data_control_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) return -1;
  return fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
