// The windows of a compositor that has wlr-foreign-toplevel-management-unstable-v1.
#ifndef TOPLEVELS_H
#define TOPLEVELS_H

#include <stdbool.h>
#include <stdint.h>
#include <wayland-client.h>

/// The name of the protocol's global object.
extern const char *const toplevels_global;

/// Called when a window opens or closes, gets or loses the focus, when its application changes, and when the title of a focused
/// window changes. The texts are not NULL.
typedef void (*toplevel_changed)(void *data, uint64_t window, const char *application, const char *title, bool is_focused,
                                 bool is_open);

/// Binds the global object with this name. The compositor reports each change of the focus on this connection, in the order of
/// its other events.
///
/// Returns false if memory is exhausted.
bool toplevels_watch(struct wl_registry *registry, uint32_t name, toplevel_changed changed, void *data);

#endif
