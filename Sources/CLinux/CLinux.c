#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

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

_Static_assert(sizeof(struct clinux_piece) == sizeof(struct iovec), "layout of struct iovec expected");
_Static_assert(offsetof(struct clinux_piece, start) == offsetof(struct iovec, iov_base), "layout of struct iovec expected");
_Static_assert(offsetof(struct clinux_piece, count) == offsetof(struct iovec, iov_len), "layout of struct iovec expected");

ssize_t clinux_send(
    int fd, const struct clinux_piece *pieces, size_t piece_count, const int *descriptors, size_t descriptor_count) {
  struct msghdr message = {.msg_iov = (struct iovec *)pieces, .msg_iovlen = piece_count};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(CLINUX_MAX_DESCRIPTORS * sizeof(int))];
  if (descriptor_count > CLINUX_MAX_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  if (descriptor_count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(rights), descriptors, descriptor_count * sizeof(int));
  }
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int clinux_wait_writable(int fd, int milliseconds) {
  struct pollfd wanted = {.fd = fd, .events = POLLOUT};
  int count;
  while ((count = poll(&wanted, 1, milliseconds)) < 0 && errno == EINTR) {
  }
  return count != 0;
}

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

// Number of caught signals.
enum { CAUGHT = 3 };

// State of the signal handler: the caught signals, their earlier actions, and the eventfd.
static int caught_signals[CAUGHT];
static struct sigaction uncaught[CAUGHT];
static volatile sig_atomic_t caught_by = -1;
static volatile sig_atomic_t latest_caught;

static void note_signal(int number) {
  int error = errno;
  for (int i = 0; i < CAUGHT; i++) {
    struct sigaction fatal = {.sa_handler = SIG_DFL};
    sigaction(caught_signals[i], &fatal, NULL);
  }
  uint64_t count = (uint64_t)number;
  latest_caught = number;
  if (write(caught_by, &count, sizeof count) < 0) raise(number);
  errno = error;
}

int clinux_catch(int first, int second, int third) {
  struct sigaction action = {.sa_handler = note_signal};
  int fd = clinux_eventfd();
  if (fd < 0) return -1;
  caught_by = fd;
  caught_signals[0] = first;
  caught_signals[1] = second;
  caught_signals[2] = third;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&action.sa_mask, caught_signals[i]);
  for (int i = 0; i < CAUGHT; i++) {
    sigaction(caught_signals[i], NULL, &uncaught[i]);
    if (uncaught[i].sa_handler != SIG_IGN) sigaction(caught_signals[i], &action, NULL);
  }
  return fd;
}

int clinux_caught(int fd) {
  uint64_t count;
  return read(fd, &count, sizeof count) == (ssize_t)sizeof count ? (int)count : 0;
}

void clinux_uncatch(void) {
  for (int i = 0; i < CAUGHT; i++) sigaction(caught_signals[i], &uncaught[i], NULL);
  caught_by = -1;
  latest_caught = 0;
}

int clinux_latest_caught(void) { return latest_caught; }

int clinux_wait_readable(int fd) {
  // The eventfd stays readable, so a signal that arrived before this call also ends the wait.
  struct pollfd waiting[] = {{.fd = fd, .events = POLLIN}, {.fd = caught_by, .events = POLLIN}};
  return latest_caught ? 0 : poll(waiting, 2, -1);
}

int clinux_memfd_create(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int clinux_seal(int fd) {
  return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

int clinux_seal_growing(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals >= 0 && seals & F_SEAL_GROW) return 0;
  return fcntl(fd, F_ADD_SEALS, F_SEAL_GROW);
}

int clinux_is_sealed(int fd) {
  int seals = fcntl(fd, F_GET_SEALS), wanted = F_SEAL_WRITE | F_SEAL_SHRINK;
  return seals >= 0 && (seals & wanted) == wanted;
}

int clinux_stat(int fd, uint32_t *mode, int64_t *size) {
  struct statx status;
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  if (statx(fd, "", flags, STATX_TYPE | STATX_SIZE, &status) != 0) return -1;
  *mode = status.stx_mode;
  *size = (int64_t)status.stx_size;
  return 0;
}

int clinux_is_readable(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_WRONLY;
}

int clinux_is_local(int fd) {
  // Only files in memory support seals. For them this succeeds even if no seal is set.
  if (fcntl(fd, F_GET_SEALS) >= 0) return 1;
  // File systems without a device have the major number 0: networks, FUSE, some others.
  struct statx status;
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  return statx(fd, "", flags, STATX_TYPE, &status) == 0 && status.stx_dev_major != 0;
}

uint64_t clinux_mount_number(int fd) {
  struct statx status;
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  if (statx(fd, "", flags, STATX_MNT_ID, &status) != 0) return 0;
  return status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
}

int clinux_open_directory(int directory, const char *path) {
  return openat(directory, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int clinux_open_file(int directory, const char *path) {
  int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

int clinux_has_exited(int pidfd) {
  struct pollfd process = {.fd = pidfd, .events = POLLIN};
  int count;
  while ((count = poll(&process, 1, 0)) < 0 && errno == EINTR) continue;
  return count != 0;
}

int clinux_pipe(int ends[2], int is_blocking) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (is_blocking || fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
  int error = errno;
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return -1;
}

int clinux_is_write_end(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode)) return 0;
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY;
}

void clinux_enlarge_pipe(int fd, int count) {
  if (fcntl(fd, F_GETPIPE_SZ) < count) fcntl(fd, F_SETPIPE_SZ, count);
}

ssize_t clinux_splice(int to, int from, size_t count) {
  ssize_t moved = splice(from, NULL, to, NULL, count, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
  if (moved >= 0 || errno != EAGAIN) return moved;
  int waiting = 0;
  errno = ioctl(from, FIONREAD, &waiting) == 0 && waiting > 0 ? ENOBUFS : EAGAIN;
  return -1;
}

// First version of struct sched_attr of linux/sched/types.h; the C library has it since 2.41.
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

void clinux_be_nice(void) {
  // Since Linux 6.12, a thread with a shorter slice, such as the default slice, can preempt a
  // thread with a long slice.
  struct scheduling scheduling = {.size = sizeof scheduling, .nice = 5, .runtime = 100000000};
  if (syscall(SYS_sched_setattr, 0, &scheduling, 0) != 0) setpriority(PRIO_PROCESS, (id_t)gettid(), 5);
}

int clinux_open_unnamed(const char *directory, mode_t mode) {
  return open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, mode);
}

int clinux_clone(int to, int from) { return ioctl(to, FICLONE, from); }

ssize_t clinux_copy(int to, int from, off_t offset, size_t count) {
  off_t source = offset, target = offset;
  return copy_file_range(from, &source, to, &target, count, 0);
}

int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int clinux_watch_end(int inotify, int fd) {
  char path[sizeof "/proc/self/fd/" + 3 * sizeof fd];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return inotify_add_watch(inotify, path, IN_DELETE_SELF);
}

int clinux_next_end(int inotify) {
  // An event of a watched file has no name after it, so events are read one at a time.
  struct inotify_event event;
  while (read(inotify, &event, sizeof event) == (ssize_t)sizeof event)
    if (event.mask & IN_DELETE_SELF) return event.wd;
  return -1;
}

int clinux_begin_writing_out(int fd, off_t offset, off_t count) {
  return sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

void clinux_malloc_trim(void) { malloc_trim(0); }

void clinux_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

int clinux_width(uint32_t character) {
  static locale_t unicode;
  if (unicode == (locale_t)0) unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (unicode == (locale_t)0) return 1;
  locale_t before = uselocale(unicode);
  int width = wcwidth((wchar_t)character);
  uselocale(before);
  return width;
}
