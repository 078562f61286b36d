// A client of Wayland's data-control protocols: ext-data-control-v1, or
// wlr-data-control-unstable-v1.
//
// Both protocols have the same requests and events. The client uses only the clipboard of the first
// seat, or only the primary selection. All functions must be called on the same thread.
#ifndef CDATACONTROL_H
#define CDATACONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A connection to a compositor.
struct data_control;

/// An offer of the clipboard's owner.
struct data_offer;

enum data_control_event_kind {
  /// No event has arrived.
  DATA_CONTROL_NONE,
  /// The clipboard has a new owner, which may be this client. The offer is NULL if the clipboard is
  /// empty.
  DATA_CONTROL_SELECTED,
  /// A program requests the bytes of a type that this client offers: `name` is the type, and the
  /// bytes must be written to `fd`.
  DATA_CONTROL_REQUESTED,
  /// Another program now owns the clipboard that this client had claimed.
  DATA_CONTROL_LOST,
  /// The compositor has handled a call of data_control_synchronize, and has reported all earlier
  /// events.
  DATA_CONTROL_SYNCHRONIZED,
  /// A window has opened or closed, has got or lost the focus, or has another application; or a
  /// focused window has another title. `name` is the application, and `title`, `window` and both
  /// states are set. The event has this place among the others in the compositor, too, so the focus
  /// at a copy is known.
  DATA_CONTROL_WINDOW,
  /// The primary selection has a new owner, which may be this client. The offer is NULL if it is
  /// empty. This is reported after data_control_watch_primary.
  DATA_CONTROL_PRIMARY_OFFERED,
  /// A program requests the bytes of a type of the primary selection, as DATA_CONTROL_REQUESTED.
  DATA_CONTROL_PRIMARY_REQUESTED,
  /// Another program now owns the primary selection that this client had claimed.
  DATA_CONTROL_PRIMARY_LOST,
  /// The seat or the compositor is gone. This is the last event.
  DATA_CONTROL_FINISHED,
};

/// An event. The receiver owns the offer, the name and the title, which it must free(), and the
/// descriptor.
struct data_control_event {
  enum data_control_event_kind kind;
  struct data_offer *offer;
  char *name;
  int fd;
  char *title;
  /// The number of a window, which no later window has.
  uint64_t window;
  bool is_focused, is_open;
};

/// Connects to the compositor that the environment names.
///
/// If `is_primary`, the client reads the primary selection in place of the clipboard, and must claim
/// nothing.
///
/// When the function returns, the first event has arrived, which reports the content that is on the
/// clipboard now. Returns NULL if there is no compositor, or if it supports neither protocol.
struct data_control *data_control_connect(bool is_primary);

/// Returns the name of the protocol in use.
const char *data_control_protocol(const struct data_control *control);

/// Returns whether the compositor reports the focused window, by
/// wlr-foreign-toplevel-management-unstable-v1.
bool data_control_reports_focus(const struct data_control *control);

/// Returns the descriptor of the connection.
int data_control_fd(const struct data_control *control);

/// Reads the events that have arrived, without waiting, and returns the next event.
struct data_control_event data_control_next(struct data_control *control);

/// Asks the compositor for the event DATA_CONTROL_SYNCHRONIZED, which arrives after all events that
/// the compositor has already sent.
void data_control_synchronize(struct data_control *control);

/// Sends the pending requests; returns false if the compositor is gone.
bool data_control_flush(struct data_control *control);

/// Begins a new claim of the clipboard. An earlier claim of this client ends.
void data_control_begin_claim(struct data_control *control);

/// Adds a type to the claim.
void data_control_offer(struct data_control *control, const char *name);

/// Claims the clipboard with the added types.
void data_control_claim(struct data_control *control);

/// Releases a claimed clipboard.
void data_control_release(struct data_control *control);

/// Makes a keyboard. A second call has no effect.
///
/// Returns false if the compositor has no virtual keyboards.
bool data_control_make_keyboard(struct data_control *control);

/// Starts to report the primary selection. A second call has no effect.
///
/// Returns false if the compositor reports no primary selection.
bool data_control_watch_primary(struct data_control *control);

/// Presses and releases Insert or V with modifiers, on the keyboard of data_control_make_keyboard.
void data_control_press(struct data_control *control, bool has_control, bool has_shift, bool is_insert);

/// Claims the primary selection with these types, after data_control_watch_primary.
void data_control_claim_primary(struct data_control *control, const char *const *names, size_t count);

/// Releases a claimed primary selection.
void data_control_release_primary(struct data_control *control);

/// Returns the number of types in an offer. All types after the first 257 are ignored.
size_t data_offer_count(const struct data_offer *offer);

/// Returns the name of a type.
const char *data_offer_name(const struct data_offer *offer, size_t index);

/// Asks the owner to write the bytes of a type to fd. The caller still owns fd.
void data_offer_receive(struct data_offer *offer, const char *name, int fd);

/// Releases an offer.
void data_offer_destroy(struct data_offer *offer);

/// Creates a pipe whose ends are close-on-exec.
///
/// Only the read end is nonblocking, because the program that gets the write end may not be able to
/// handle a full pipe.
int data_control_pipe(int ends[2]);

/// Makes a descriptor nonblocking and close-on-exec.
int data_control_set_nonblocking(int fd);

#endif
