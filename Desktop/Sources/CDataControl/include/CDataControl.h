// A client of Wayland's data-control protocols: ext-data-control-v1, or wlr-data-control-unstable-v1.
//
// Both have the same requests and events. Only the clipboard of the first seat is used. All functions
// belong to one thread.
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
  /// The clipboard has a new owner, which may be this client; offer is NULL if it has none.
  DATA_CONTROL_SELECTED,
  /// A program wants the bytes of a type that this client has claimed: name, fd.
  DATA_CONTROL_REQUESTED,
  /// Another program owns the clipboard that this client has claimed.
  DATA_CONTROL_LOST,
  /// The seat or the compositor is gone; the last event.
  DATA_CONTROL_FINISHED,
};

/// An event. Its receiver owns the offer, the name (free) and the descriptor.
struct data_control_event {
  enum data_control_event_kind kind;
  struct data_offer *offer;
  char *name;
  int fd;
};

/// Connects to the compositor that the environment names. The events up to the first one, which reports the
/// present content, have arrived then. NULL if there is no compositor, or if it has no such protocol.
struct data_control *data_control_connect(void);

/// The name of the protocol.
const char *data_control_protocol(const struct data_control *control);

/// The descriptor of the connection.
int data_control_fd(const struct data_control *control);

/// Reads what has arrived, without waiting, and returns the next event.
struct data_control_event data_control_next(struct data_control *control);

/// Sends the requests; false if the compositor is gone.
bool data_control_flush(struct data_control *control);

/// Begins a claim of the clipboard, which ends an earlier one of this client.
void data_control_begin_claim(struct data_control *control);

/// Adds a type to the claim.
void data_control_offer(struct data_control *control, const char *name);

/// Claims the clipboard with the added types.
void data_control_claim(struct data_control *control);

/// Gives up a claimed clipboard.
void data_control_release(struct data_control *control);

/// The number of types in an offer; of more than 257 types, only the first 257 count.
size_t data_offer_count(const struct data_offer *offer);

/// The name of a type.
const char *data_offer_name(const struct data_offer *offer, size_t index);

/// Asks the owner to write the bytes of a type to fd, which stays the caller's.
void data_offer_receive(struct data_offer *offer, const char *name, int fd);

/// Releases an offer.
void data_offer_destroy(struct data_offer *offer);

/// pipe2(2), close-on-exec: only the end for reading is nonblocking, because the owner of the other
/// end might stop at a full pipe.
int data_control_pipe(int ends[2]);

/// fcntl(2): makes a descriptor nonblocking and close-on-exec.
int data_control_set_nonblocking(int fd);

#endif
