// Linux functions that the Glibc module does not import: epoll, eventfd, signalfd, caught signals,
// memfd and its seals, O_PATH, pidfds, pipe2, a thread's niceness, the width of characters.
//
// Each function calls the named system call. On failure it returns -1 and leaves errno set.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  CLINUX_READABLE = 1,
  CLINUX_WRITABLE = 2,
  CLINUX_HUNG_UP = 4,
  /// Maximum number of descriptors in one message, which is the kernel's limit.
  CLINUX_MAX_DESCRIPTORS = 253,
};

/// An event that epoll_wait reported.
struct clinux_event {
  int fd;
  uint32_t events;
};

/// epoll_create1(2), close-on-exec.
int clinux_epoll_create(void);

/// epoll_ctl(2): watches fd for events (CLINUX_READABLE, CLINUX_WRITABLE), level-triggered;
/// replaces an earlier watch.
int clinux_epoll_set(int epoll, int fd, uint32_t events);

/// epoll_ctl(2): stops watching fd.
int clinux_epoll_remove(int epoll, int fd);

/// epoll_wait(2): at most count events; timeout in milliseconds, -1 for none.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout);

/// eventfd(2), close-on-exec and nonblocking.
int clinux_eventfd(void);

/// A piece of memory with the layout of struct iovec.
struct clinux_piece {
  const void *start;
  size_t count;
};

/// sendmsg(2) of consecutive pieces, with descriptors that are sent with the first byte;
/// nonblocking, without SIGPIPE.
ssize_t clinux_send(
    int fd, const struct clinux_piece *pieces, size_t piece_count, const int *descriptors, size_t descriptor_count);

/// poll(2) until fd is writable or hung up; 0 after the timeout.
int clinux_wait_writable(int fd, int milliseconds);

/// signalfd(2) of two signals, which are blocked in the calling thread from then on; close-on-exec
/// and nonblocking.
int clinux_signalfd(int first, int second);

/// Number of the next signal in a signalfd; 0 if there is none.
int clinux_signalfd_read(int fd);

/// Catches three signals with sigaction(2), and returns an eventfd (close-on-exec, nonblocking). When
/// one of the signals arrives, it is written to the eventfd and interrupts waiting system calls. When
/// another signal arrives after it, the program ends. An ignored signal stays ignored. Only one such
/// eventfd may exist at a time.
int clinux_catch(int first, int second, int third);

/// Number of the caught signal; 0 if there is none.
int clinux_caught(int fd);

/// Number of the caught signal, even if it was already read; 0 if there is none.
int clinux_latest_caught(void);

/// poll(2) until fd is readable or hung up, or until a signal is caught; 0 at once if a signal was
/// caught before.
int clinux_wait_readable(int fd);

/// Restores the earlier actions of the caught signals.
void clinux_uncatch(void);

/// memfd_create(2), close-on-exec, with sealing allowed.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS: the bytes, their number and the seals cannot change from then on.
int clinux_seal(int fd);

/// fcntl(2) F_ADD_SEALS: the file cannot grow from then on.
int clinux_seal_growing(int fd);

/// fcntl(2) F_GET_SEALS: whether the file is sealed against writing and shrinking; 0 for a file
/// without seals.
int clinux_is_sealed(int fd);

/// statx(2): the mode and size of fd's file as far as they are known without waiting for a file
/// system in user space or on a network.
int clinux_stat(int fd, uint32_t *mode, int64_t *size);

/// fcntl(2) F_GETFL: whether fd was opened for reading.
int clinux_is_readable(int fd);

/// fcntl(2) F_GET_SEALS, statx(2): whether fd's file is local, which is either in memory or on a
/// block device; determined without waiting for its file system.
int clinux_is_local(int fd);

/// statx(2), STATX_MNT_ID: the number of the mount of fd's file, determined without waiting for its
/// file system; 0 if the kernel does not know it.
uint64_t clinux_mount_number(int fd);

/// openat(2) with O_PATH: a directory in which other files can be opened.
int clinux_open_directory(int directory, const char *path);

/// openat(2) of a regular file for reading; a symbolic link as the last component fails with ELOOP,
/// another kind of file with EINVAL.
int clinux_open_file(int directory, const char *path);

/// poll(2) of a pidfd: whether its process has exited; also true on failure.
int clinux_has_exited(int pidfd);

/// pipe2(2), close-on-exec: the end for reading blocks if is_blocking is not 0; the end for writing does.
int clinux_pipe(int ends[2], int is_blocking);

/// fstat(2), fcntl(2) F_GETFL: whether fd is the write end of a pipe.
int clinux_is_write_end(int fd);

/// fcntl(2) F_SETPIPE_SZ: lets a pipe have up to count bytes, if the system allows it.
void clinux_enlarge_pipe(int fd, int count);

/// splice(2) of at most count bytes between two pipes, without waiting. Returns 0 at the end of `from`. If
/// `from` is empty, errno is EAGAIN; if `to` is full, it is ENOBUFS.
ssize_t clinux_splice(int to, int from, size_t count);

/// sched_setattr(2) of the calling thread, best effort: a lower priority and long slices, so that
/// other threads do not wait for this thread.
void clinux_be_nice(void);

/// open(2) with O_TMPFILE and O_EXCL: a new unnamed file in a directory, for reading and writing,
/// which cannot get a name.
int clinux_open_unnamed(const char *directory, mode_t mode);

/// ioctl_ficlone(2): `to` shares the blocks of `from` until one of the files is written to.
int clinux_clone(int to, int from);

/// copy_file_range(2) of at most count bytes at the same offset in both files; returns the number
/// of copied bytes.
ssize_t clinux_copy(int to, int from, off_t offset, size_t count);

/// inotify_init1(2), close-on-exec and nonblocking.
int clinux_inotify(void);

/// inotify_add_watch(2): reports when no process has the unnamed file of fd open or mapped any
/// longer. Returns the number of the watch.
int clinux_watch_end(int inotify, int fd);

/// Number of the next watch whose file was deleted; -1 if there is none.
int clinux_next_end(int inotify);

/// sync_file_range(2): starts to write a range of a file to the disk, without waiting until it is
/// written.
int clinux_begin_writing_out(int fd, off_t offset, off_t count);

/// malloc_trim(3): returns freed memory to the system.
void clinux_malloc_trim(void);

/// mallopt(3) with M_ARENA_MAX: lets all threads allocate from one arena. Must be called before a second thread
/// allocates.
void clinux_use_one_arena(void);

/// wcwidth(3) of a Unicode scalar in any locale: the number of terminal columns; -1 for a control.
int clinux_width(uint32_t character);

#endif
