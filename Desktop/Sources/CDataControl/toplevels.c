#include "toplevels.h"

#include <stdlib.h>
#include <string.h>

/* ---- The protocol, version 1 ---- */

enum { STATE_ACTIVATED = 2 };
enum { WINDOW_DESTROY = 7 };

static const struct wl_interface *no_types[5];
static const struct wl_interface *output_types[] = {&wl_output_interface};
static const struct wl_interface *seat_types[] = {&wl_seat_interface};
static const struct wl_interface *rectangle_types[] = {&wl_surface_interface, NULL, NULL, NULL, NULL};
static const struct wl_message window_requests[] = {
  {"set_maximized", "", no_types}, {"unset_maximized", "", no_types},
  {"set_minimized", "", no_types}, {"unset_minimized", "", no_types},
  {"activate", "o", seat_types},   {"close", "", no_types},
  {"set_rectangle", "oiiii", rectangle_types}, {"destroy", "", no_types},
};
static const struct wl_message window_events[] = {
  {"title", "s", no_types},          {"app_id", "s", no_types}, {"output_enter", "o", output_types},
  {"output_leave", "o", output_types}, {"state", "a", no_types},  {"done", "", no_types},
  {"closed", "", no_types},
};
static const struct wl_interface window_interface = {
  "zwlr_foreign_toplevel_handle_v1", 1, 8, window_requests, 7, window_events};
static const struct wl_interface *window_types[] = {&window_interface};
static const struct wl_message manager_requests[] = {{"stop", "", no_types}};
static const struct wl_message manager_events[] = {{"toplevel", "n", window_types}, {"finished", "", no_types}};
static const struct wl_interface manager_interface = {
  "zwlr_foreign_toplevel_manager_v1", 1, 1, manager_requests, 2, manager_events};

const char *const toplevels_global = "zwlr_foreign_toplevel_manager_v1";

/* ---- Windows ---- */

struct toplevels {
  toplevel_changed changed;
  void *data;
  uint64_t count;
};

struct window {
  struct toplevels *all;
  uint64_t number;
  /// NULL before the compositor has sent them.
  char *application, *title;
  bool is_focused, is_open;
};

/* An event takes effect at once, and not with the event `done`, because wlroots sends `done` only when it is idle: a copy could come
 * in between. */

static void report(const struct window *window) {
  window->all->changed(window->all->data, window->number, window->application ? window->application : "",
                       window->title ? window->title : "", window->is_focused, window->is_open);
}

static void set_text(struct window *window, char **text, const char *value) {
  if (*text && !strcmp(*text, value)) return;
  char *copy = strdup(value);
  if (!copy) return;
  free(*text);
  *text = copy;
  if (window->is_focused || text == &window->application) report(window);
}

static void title_changed(void *data, struct wl_proxy *proxy, const char *title) {
  struct window *window = data;
  set_text(window, &window->title, title);
}

static void application_changed(void *data, struct wl_proxy *proxy, const char *application) {
  struct window *window = data;
  set_text(window, &window->application, application);
}

static void output_changed(void *data, struct wl_proxy *proxy, struct wl_output *output) {}

static void set_focused(struct window *window, bool is_focused) {
  if (window->is_focused == is_focused) return;
  window->is_focused = is_focused;
  report(window);
}

static void state_changed(void *data, struct wl_proxy *proxy, struct wl_array *states) {
  bool is_focused = false;
  uint32_t *state;
  wl_array_for_each(state, states) is_focused |= *state == STATE_ACTIVATED;
  set_focused(data, is_focused);
}

static void done(void *data, struct wl_proxy *proxy) {}

static void closed(void *data, struct wl_proxy *proxy) {
  struct window *window = data;
  window->is_focused = window->is_open = false;
  report(window);
  wl_proxy_marshal(proxy, WINDOW_DESTROY);
  wl_proxy_destroy(proxy);
  free(window->application);
  free(window->title);
  free(window);
}

static void (*const window_listener[])(void) = {
  (void (*)(void))title_changed,  (void (*)(void))application_changed, (void (*)(void))output_changed,
  (void (*)(void))output_changed, (void (*)(void))state_changed,       (void (*)(void))done,
  (void (*)(void))closed,
};

static void opened(void *data, struct wl_proxy *manager, struct wl_proxy *proxy) {
  struct toplevels *all = data;
  struct window *window = calloc(1, sizeof *window);
  // Without a listener, the events of the window have no effect.
  if (!window) return;
  window->all = all;
  window->number = ++all->count;
  window->is_open = true;
  report(window);
  wl_proxy_add_listener(proxy, (void (**)(void))window_listener, window);
}

static void finished(void *data, struct wl_proxy *manager) {}

static void (*const manager_listener[])(void) = {(void (*)(void))opened, (void (*)(void))finished};

bool toplevels_watch(struct wl_registry *registry, uint32_t name, toplevel_changed changed, void *data) {
  struct toplevels *all = calloc(1, sizeof *all);
  if (!all) return false;
  *all = (struct toplevels){changed, data};
  struct wl_proxy *manager = wl_registry_bind(registry, name, &manager_interface, 1);
  wl_proxy_add_listener(manager, (void (**)(void))manager_listener, all);
  return true;
}
