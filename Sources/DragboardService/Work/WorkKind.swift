/// A kind of work, by the resource for which it may have to wait.
///
/// Each kind has its own threads, so that no kind waits for another.
enum WorkKind: CaseIterable {
  /// The daemon's own files, and memory.
  case storage
  /// A client's file in memory or on a disk of this machine.
  case localFile
  /// A client's file that a network or a process serves, so that reading it may never end.
  case remoteFile
  /// The process of a caller.
  case inspection

  /// The maximum number of threads that do this kind of work at once.
  var maxThreads: Int {
    switch self {
    case .storage, .remoteFile, .inspection: 16
    case .localFile: 8
    }
  }
}
