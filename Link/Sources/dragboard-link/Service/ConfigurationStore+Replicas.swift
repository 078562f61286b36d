import FoundationEssentials
import LinkEngine
import LinkModel

extension ConfigurationStore {
  /// Removes the replicas of boards that are no longer shared, with the entries of their logs.
  ///
  /// A board that is shared again has a new log, so nothing needs these files. A machine retains the
  /// replicas of the groups that it has left: if it joins such a group again, they prevent that it
  /// shares its rows twice.
  ///
  /// Ignores errors, because the next call removes the rest.
  func removeReplicas(of unshared: Set<LogID>) {
    for log in unshared {
      for suffix in ["", ".trail", ".tail", ".tail.old"] {
        try? FileManager.default.removeItem(atPath: "\(stateDirectory)/\(log)\(suffix)")
      }
    }
  }
}
