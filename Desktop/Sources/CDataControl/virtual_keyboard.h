// A keyboard of this client, by virtual-keyboard-unstable-v1.
#ifndef VIRTUAL_KEYBOARD_H
#define VIRTUAL_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <wayland-client.h>

/// The name of the protocol's global object.
extern const char *const virtual_keyboard_global;

/// Makes a keyboard of a seat. `name` is the name of the global object. It has the keys Control, Shift, V and Insert, whatever the
/// user's layout is.
///
/// Returns NULL if the memory or the descriptors are exhausted.
struct wl_proxy *virtual_keyboard_create(struct wl_registry *registry, uint32_t name, struct wl_seat *seat);

/// Presses and releases Insert or V, with modifiers.
void virtual_keyboard_press(struct wl_proxy *keyboard, bool control, bool shift, bool is_insert);

#endif
