import Files
import FoundationEssentials
import Glibc
import LinkEngine
import LinkModel

extension ConfigurationStore {
  /// Removes the replicas of boards that are no longer shared, with the entries of their logs.
  ///
  /// A board that is shared again has a new log, so nothing needs these files. A machine retains
  /// the replicas of the groups that it has left: if it joins such a group again, they prevent that
  /// it shares its rows twice.
  ///
  /// Ignores errors, because the next call removes the rest.
  func removeReplicas(of unshared: Set<LogID>) {
    for log in unshared {
      for suffix in ["", ".board", ".trail", ".tail", ".tail.old"] {
        try? FileManager.default.removeItem(atPath: "\(stateDirectory)/\(log)\(suffix)")
      }
    }
  }

  private func boardFile(of log: LogID) -> String { "\(stateDirectory)/\(log).board" }

  /// Returns the object path of the daemon's board of a log; nil if it is unknown.
  func boardPath(of log: LogID) -> String? {
    guard let file = try? FileDescriptor(opening: boardFile(of: log), O_RDONLY),
      let bytes = file.read(1_024, at: 0)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether this machine shares the board of a log, or has shared it before it left the group.
  func isAccepted(_ log: LogID) -> Bool {
    boardPath(of: log) != nil || access("\(stateDirectory)/\(log)/replica", F_OK) == 0
  }

  /// Stores the object path of the daemon's board of a log, in one step.
  func setBoardPath(_ path: String, of log: LogID) throws {
    try AtomicFile.write(Array(path.utf8), to: boardFile(of: log))
  }
}
