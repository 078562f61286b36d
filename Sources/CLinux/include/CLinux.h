// What the Glibc module does not show of Linux: epoll, eventfd, signalfd.
// Each function is the system call of its name; on failure it gives -1 and leaves errno as it was set.
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>

enum {
  CLINUX_READABLE = 1,
  CLINUX_WRITABLE = 2,
  CLINUX_HUNG_UP = 4,
};

/// What epoll_wait reported of one file descriptor.
struct clinux_event {
  int fd;
  uint32_t events;
};

/// epoll_create1(2), close-on-exec.
int clinux_epoll_create(void);

/// epoll_ctl(2): watches fd for events (CLINUX_READABLE, CLINUX_WRITABLE), level-triggered, whether it
/// is watched already or not.
int clinux_epoll_set(int epoll, int fd, uint32_t events);

/// epoll_ctl(2): watches fd no more.
int clinux_epoll_remove(int epoll, int fd);

/// epoll_wait(2): at most count events; timeout in milliseconds, -1 for none.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout);

/// eventfd(2), close-on-exec and not blocking.
int clinux_eventfd(void);

/// signalfd(2) of two signals, which are blocked in the calling thread from then on; close-on-exec and
/// not blocking.
int clinux_signalfd(int first, int second);

/// The number of the next signal that waits in a signalfd; 0 where none does.
int clinux_signalfd_read(int fd);

#endif
