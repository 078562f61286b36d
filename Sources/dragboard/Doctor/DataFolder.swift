import DragboardInterface
import Files
import Glibc

/// Looks at the folder in which the daemon keeps boards, from outside.
struct DataFolder {
  private let path: String
  /// The daemon's process; nil where none runs.
  private let daemon: Int32?

  init(_ path: String, daemon: Int32?) { (self.path, self.daemon) = (path, daemon) }

  /// What was found; a finding that all is well where nothing else was.
  func findings() -> [Finding] {
    guard access(path, F_OK) == 0 else {
      guard errno == ENOENT else { return [denied(path)] }
      return [Finding(state: .note, subject: "data", words: "\(path) is not there yet")]
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else { return [denied(path)] }
    if let strange = strange() { return [strange] }
    let faults = [space(), database(), noted(), locked(), lostContents()].compactMap(\.self)
    return (faults.isEmpty ? [Finding(state: .good, subject: "data", words: path)] : faults)
      + setAside()
  }

  /// What the system says to the latest call, of a file or the folder.
  private func denied(_ path: String) -> Finding {
    let words = "\(path): \(String(cString: strerror(errno)))"
    return Finding(
      state: .bad, subject: "data", words: words, remedy: "ls -ld \(ShellWord.quoted(path))")
  }

  // MARK: What is wrong

  /// A name of the daemon's that is not a regular file: it may hang whoever opens it.
  private func strange() -> Finding? {
    let paths = [DataFiles.database, DataFiles.damageNote, DataFiles.lock].map { path + "/" + $0 }
    let found = paths.first { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
    return found.map { path in
      Finding(
        state: .bad, subject: "data",
        words: "\(path) is not a regular file: the daemon cannot start",
        remedy: "Move it elsewhere: ls -l \(path)")
    }
  }

  /// An edit takes a few pages of the database; with less than that left it is refused.
  private static let leastSpace: UInt = 1 << 20

  private func space() -> Finding? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return denied(path) }
    guard disk.f_bavail * disk.f_frsize < Self.leastSpace else { return nil }
    return Finding(
      state: .bad, subject: "disk",
      words: "the disk of \(path) is full: what is there can be read, edits are refused",
      remedy: "Make room on it: df -h \(ShellWord.quoted(path))")
  }

  /// The beginning of the file tells whether it is a database, and of which release.
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
      return damaged("\(path) is no database")
    }
    let version = header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    guard version > DataFiles.databaseVersion else { return nil }
    return Finding(
      state: .bad, subject: "database",
      words:
        "\(path) was written by a later release: version \(version), this one knows \(DataFiles.databaseVersion)",
      remedy: "Install the later release again")
  }

  /// The note that the daemon leaves.
  private func noted() -> Finding? {
    let note = path + "/" + DataFiles.damageNote
    guard access(note, F_OK) == 0 else { return nil }
    return damaged(Self.firstLine(of: note) ?? "")
  }

  /// What the daemon has found of contents since it was started last.
  private func lostContents() -> Finding? {
    let list = path + "/" + DataFiles.lostContents
    guard let first = Self.firstLine(of: list) else { return nil }
    return Finding(
      state: .bad, subject: "contents", words: first,
      remedy: "Restore the file from a backup, or remove the row; all such files: cat \(list)")
  }

  private func damaged(_ words: String) -> Finding {
    Finding(
      state: .bad, subject: "database", words: "damaged: \(words)",
      remedy: "Restart the daemon: what can be read is recovered, the rest set aside: "
        + "systemctl --user restart dragboardd")
  }

  /// Somebody else who has locked the database; the corresponding C function is `fcntl`, with `F_GETLK`.
  private func locked() -> Finding? {
    let database = path + "/" + DataFiles.database
    let file = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid != daemon
    else { return nil }
    return Finding(
      state: .bad, subject: "database", words: "\(database) is in use by process \(lock.l_pid)",
      remedy: "End it: ps -fp \(lock.l_pid)")
  }

  // MARK: What was

  /// Databases that were damaged.
  private func setAside() -> [Finding] {
    var findings: [Finding] = []
    for name in Self.names(in: path).sorted() where name.hasPrefix(DataFiles.damagedPrefix) {
      let report = "\(path)/\(name)/\(DataFiles.report)"
      guard let words = Self.firstLine(of: report) else { continue }
      findings.append(
        Finding(
          state: .note, subject: "recovery", words: words,
          remedy: "When nothing is missed: rm -r \(ShellWord.quoted("\(path)/\(name)"))"))
    }
    return findings
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
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
