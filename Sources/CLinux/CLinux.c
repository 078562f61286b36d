#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_set(int epoll, int fd, uint32_t events) {
  struct epoll_event event = {.events = 0, .data.fd = fd};
  if (events & CLINUX_READABLE) event.events |= EPOLLIN;
  if (events & CLINUX_WRITABLE) event.events |= EPOLLOUT;
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) : -1;
}

int clinux_epoll_remove(int epoll, int fd) { return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout) {
  struct epoll_event ready[16];
  int n = epoll_wait(epoll, ready, count < 16 ? count : 16, timeout);
  for (int i = 0; i < n; i++) {
    events[i].fd = ready[i].data.fd;
    events[i].events = 0;
    if (ready[i].events & EPOLLIN) events[i].events |= CLINUX_READABLE;
    if (ready[i].events & EPOLLOUT) events[i].events |= CLINUX_WRITABLE;
    if (ready[i].events & (EPOLLHUP | EPOLLERR)) events[i].events |= CLINUX_HUNG_UP;
  }
  return n;
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_signalfd(int first, int second) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, first);
  sigaddset(&set, second);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_read(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
