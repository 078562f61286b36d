/// A kind of work, by what it may have to wait for.
///
/// Each kind has threads of its own, so that no kind waits for another.
enum WorkKind: CaseIterable {
  /// Files of the daemon's own, and memory.
  case storage
  /// A client's file in memory or on a disk of this machine.
  case localFile
  /// A client's file on a network or served by a process: reading it may never end.
  case remoteFile
  /// The process of a caller.
  case inspection

  /// The number of threads that do such work at once.
  var maxThreads: Int {
    switch self {
    case .storage, .remoteFile, .inspection: 16
    case .localFile: 8
    }
  }
}
