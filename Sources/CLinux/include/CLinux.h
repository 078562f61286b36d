// What the Glibc module does not show of Linux: epoll, eventfd, signalfd, caught signals, memfd and its seals, O_PATH, pidfds, pipe2, a
// thread's niceness, the width of characters.
// Each function is the system call of its name; on failure it gives -1 and leaves errno as it was set.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  CLINUX_READABLE = 1,
  CLINUX_WRITABLE = 2,
  CLINUX_HUNG_UP = 4,
  /// The most descriptors that go with one message; the kernel takes no more at once.
  CLINUX_MOST_DESCRIPTORS = 253,
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

/// A piece of memory, laid out as struct iovec.
struct clinux_piece {
  const void *start;
  size_t count;
};

/// sendmsg(2) of pieces, one after the other, with descriptors that go with the first byte; without waiting, and without SIGPIPE.
ssize_t clinux_send(
    int fd, const struct clinux_piece *pieces, size_t piece_count, const int *descriptors, size_t descriptor_count);

/// poll(2) until fd takes bytes, or is hung up; 0 where neither comes in so many milliseconds.
int clinux_wait_writable(int fd, int milliseconds);

/// signalfd(2) of two signals, which are blocked in the calling thread from then on; close-on-exec and
/// not blocking.
int clinux_signalfd(int first, int second);

/// The number of the next signal that waits in a signalfd; 0 where none does.
int clinux_signalfd_read(int fd);

/// sigaction(2) of three signals: the first that comes is noted in an eventfd, close-on-exec and not blocking, and interrupts what the
/// program waits for; the next ends the program. A signal that is ignored stays so. One such descriptor at a time.
int clinux_catch(int first, int second, int third);

/// The number of the signal that was caught; 0 where none was.
int clinux_caught(int fd);

/// The number of the signal that was caught, whether it was read or not; 0 where none was.
int clinux_latest_caught(void);

/// poll(2) until fd can be read, is hung up, or a signal was caught, whether it came before or comes during the call.
int clinux_wait_readable(int fd);

/// What was to become of the signals before they were caught holds again.
void clinux_uncatch(void);

/// memfd_create(2), close-on-exec, open to sealing.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS: neither the bytes nor their number nor the seals change from then on.
int clinux_seal(int fd);

/// fcntl(2) F_ADD_SEALS: the file grows no more.
int clinux_seal_growing(int fd);

/// fcntl(2) F_GET_SEALS: whether the file is sealed against writing and shrinking; 0 for what has no seals.
int clinux_is_sealed(int fd);

/// statx(2): the mode and size of fd's file, as far as they are known without asking a file system in user space or on a network.
int clinux_stat(int fd, uint32_t *mode, int64_t *size);

/// fcntl(2) F_GETFL: whether fd was opened so that it can be read from.
int clinux_is_readable(int fd);

/// fcntl(2) F_GET_SEALS, statx(2): whether fd's file is in memory or on a block device, told without
/// asking its file system.
int clinux_is_local(int fd);

/// statx(2), STATX_MNT_ID: the number of the mount that fd's file is on, told without asking its file
/// system; 0 if the kernel does not know it.
uint64_t clinux_mount_number(int fd);

/// openat(2): a folder, to open others in and for nothing else.
int clinux_open_folder(int folder, const char *path);

/// openat(2) of a regular file, to read it; what a last symbolic link leads to is not opened (ELOOP), nor is anything else (EINVAL).
int clinux_open_file(int folder, const char *path);

/// poll(2) of a pidfd: whether its process has exited; what cannot be told counts as that.
int clinux_has_exited(int pidfd);

/// pipe2(2), close-on-exec: the end to read from, which does not block, and the end to write to, which does.
int clinux_pipe(int ends[2]);

/// sched_setattr(2) of the calling thread alone, best effort: it does much, and whoever wakes up need not wait for it.
void clinux_be_nice(void);

/// open(2) with O_TMPFILE and O_EXCL: a new file in a folder, to read and write, which has no name
/// and can get none.
int clinux_open_unnamed(const char *folder, mode_t mode);

/// ioctl_ficlone(2): the file `to` shares the blocks of the file `from` until one of them is written to.
int clinux_clone(int to, int from);

/// copy_file_range(2) of at most count bytes, from one place in two files; how many bytes were copied.
ssize_t clinux_copy(int to, int from, off_t offset, size_t count);

/// inotify_init1(2), close-on-exec and not blocking.
int clinux_inotify(void);

/// inotify_add_watch(2): notes when nobody has the file of fd, which has no name, open or mapped any
/// more. Gives the number of the watch.
int clinux_watch_end(int inotify, int fd);

/// The number of the next watch whose file is gone; -1 where no other is.
int clinux_next_end(int inotify);

/// sync_file_range(2): those bytes of a file begin to go to the disk; says nothing of when they are there.
int clinux_begin_writing_out(int fd, off_t offset, off_t count);

/// malloc_trim(3): returns freed memory to the system.
void clinux_malloc_trim(void);

/// wcwidth(3) of a Unicode scalar, whatever the locale: how many columns a terminal gives it; -1 for a control.
int clinux_width(uint32_t character);

#endif
