// SQLite's write-ahead log, with fewer writes and cheaper syncs.
#ifndef CWRITEAHEAD_H
#define CWRITEAHEAD_H

/// The name of what `cwriteahead_register` makes, for sqlite3_open_v2().
#define CWRITEAHEAD_NAME "dragboard-write-ahead"

/// sqlite3_vfs_register(): the VFS that is the default now, but for how a write-ahead log is written.
///
/// What a commit appends, in two writes for each page, goes into the file in one, when the log is synced. And a file that has grown is made
/// larger at once by zeros, up to the next 128 KiB, which SQLite takes for the end of the log: a sync that leaves the size of a file as it
/// was takes little more than half the time of one that does not. Where the disk has no room for zeros there are none, nor in a log that
/// has been cut off, until that is durable.
///
/// Of a write that fails the next write or the sync tells, before the commit is done. That takes PRAGMA synchronous = FULL: of a commit that
/// is not synced the process alone knows. To be called once.
///
/// Source: https://www.sqlite.org/vfs.html, https://www.sqlite.org/walformat.html.
///
/// @returns an SQLite result code.
int cwriteahead_register(void);

#endif
