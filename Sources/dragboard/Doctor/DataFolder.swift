import DragboardInterface
import Files
import FoundationEssentials
import Glibc

/// An examination of the daemon's data directory that does not use the daemon.
struct DataFolder {
  private let path: String
  /// The process id of the daemon; nil if it does not run.
  private let daemon: Int32?
  /// Whether no daemon runs; false if this is unknown, because the bus does not answer.
  private let isFree: Bool

  init(_ path: String, daemon: Int32?, isFree: Bool) {
    self.path = path
    self.daemon = daemon
    self.isFree = isFree
  }

  /// Returns all faults, or the finding that there are no faults.
  func findings() -> [Finding] {
    if let file = Self.file(on: path) { return [notADirectory(file)] }
    guard access(path, F_OK) == 0 else {
      guard errno == ENOENT else { return [denied(path)] }
      return [daemon.map(deleted) ?? Finding(.note, "data", "\(path) does not exist yet")]
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else { return [denied(path)] }
    if let strange = strange() { return [strange] }
    let faults = [space(), database(), noted(), locked(), lostContents()].compactMap(\.self)
    return (faults.isEmpty ? [Finding(.good, "data", path)] : faults)
      + setAside()
  }

  /// Returns the fault of a path after a failed system call.
  private func denied(_ path: String) -> Finding {
    let words = "\(path): \(String(cString: strerror(errno)))"
    var status = stat()
    let isOwn = stat(path, &status) == 0 && status.st_uid == getuid()
    let change = isOwn ? "chmod -R u+rwX" : #"sudo chown -R "$(id -un)""#
    return Finding(.bad, "data", words, remedy: "\(change) \(ShellWord.quoted(path))")
  }

  private func deleted(_ daemon: Int32) -> Finding {
    Finding(
      .bad, "data",
      "\(path) was deleted while process \(daemon) uses it: all rows are lost when the process ends",
      remedy:
        "Save the rows. Then end the daemon, which starts again with empty boards: kill \(daemon)")
  }

  private func notADirectory(_ file: String) -> Finding {
    Finding(
      .bad, "data", "\(file) is not a directory",
      remedy: "mv \(ShellWord.quoted(file)) \(ShellWord.quoted(file + ".old"))")
  }

  /// Returns the part of the path that is a file instead of a directory; nil if there is none.
  private static func file(on path: String) -> String? {
    var part = path
    while part.count > 1 {
      var status = stat()
      if stat(part, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? nil : part }
      part = String(part[..<(part.lastIndex(of: "/") ?? part.startIndex)])
    }
    return nil
  }

  // MARK: Faults

  /// Reports a file of the daemon that is not a regular file, because opening it could block.
  private func strange() -> Finding? {
    let paths = [DataFiles.database, DataFiles.damageNote, DataFiles.lock].map { path + "/" + $0 }
    let found = paths.first { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
    return found.map { path in
      Finding(
        .bad, "data", "\(path) is not a regular file",
        remedy: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
    }
  }

  /// The minimum free space in bytes.
  ///
  /// With less space, the database may be unable to store an edit.
  private static let minSpace: UInt = 1 << 20

  private func space() -> Finding? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return denied(path) }
    guard disk.f_bavail * disk.f_frsize < Self.minSpace else { return nil }
    return Finding(
      .bad, "disk", "the disk of \(path) is full: the daemon can read rows, but refuses edits",
      remedy: "Delete files from this disk. To list the largest directories: "
        + "du -xh \"$(stat -c %m \(ShellWord.quoted(path)))\" | sort -h | tail")
  }

  /// Checks the header of the file: whether it is a database, of a version that this release knows.
  ///
  /// Source: <https://sqlite.org/fileformat2.html#the_database_header>.
  private func database() -> Finding? {
    let path = path + "/" + DataFiles.database
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return errno == ENOENT ? nil : denied(path) }
    defer { close(file) }
    let header = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    guard !header.isEmpty else { return nil }
    guard header.count == 64, header.starts(with: "SQLite format 3\0".utf8) else {
      return damaged("\(path) is not a database")
    }
    let version = header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    guard version > DataFiles.databaseVersion else { return nil }
    return Finding(
      .bad, "database",
      "\(path) has version \(version), written by a later release (this release reads up to \(DataFiles.databaseVersion))",
      remedy: "Install the later release again")
  }

  /// Reports damage that the daemon has recorded in a note.
  private func noted() -> Finding? {
    let note = path + "/" + DataFiles.damageNote
    guard access(note, F_OK) == 0 else { return nil }
    return damaged(Self.firstLine(of: note) ?? "")
  }

  /// Reports contents that the running daemon has found missing or altered.
  private func lostContents() -> Finding? {
    let list = path + "/" + DataFiles.lostContents
    guard let first = Self.firstLine(of: list) else { return nil }
    return Finding(
      .bad, "contents", first,
      remedy: "Restore the file from a backup, or remove the row. To list all such files: "
        + "cat \(ShellWord.quoted(list))")
  }

  private func damaged(_ words: String) -> Finding {
    Finding(
      .bad, "database", "damaged: \(words)",
      remedy: "Restart the daemon. It recovers all readable rows, and keeps the damaged files: "
        + "systemctl --user restart dragboardd")
  }

  /// Reports another process that has locked the database; source: fcntl(2), `F_GETLK`.
  private func locked() -> Finding? {
    guard isFree else { return nil }
    let database = path + "/" + DataFiles.database
    let file = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid != daemon
    else { return nil }
    return Finding(
      .bad, "database", "\(database) is in use by process \(lock.l_pid)",
      remedy: "kill \(lock.l_pid)")
  }

  // MARK: Recoveries

  /// Reports recoveries of damaged databases.
  private func setAside() -> [Finding] {
    var findings: [Finding] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where name.hasPrefix(DataFiles.damagedPrefix) {
      let report = "\(path)/\(name)/\(DataFiles.report)"
      guard let words = Self.firstLine(of: report) else { continue }
      findings.append(
        Finding(
          .note, "recovery", words,
          remedy: "If no rows are missing: rm -r \(ShellWord.quoted("\(path)/\(name)"))"))
    }
    return findings
  }

  private static func firstLine(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
