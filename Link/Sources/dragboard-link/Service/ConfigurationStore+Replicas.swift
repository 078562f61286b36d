import FoundationEssentials
import LinkEngine
import LinkModel

extension ConfigurationStore {
  /// Removes the replicas of boards that are not shared, with the entries of their logs.
  ///
  /// A board that is shared again has a new log, so nothing needs these files. A machine that leaves
  /// its group retains its replicas: if it joins again, they prevent that it shares its rows twice.
  ///
  /// Ignores errors, because the next call removes the rest.
  func removeReplicas(except shared: some Sequence<LogID>) {
    let files = FileManager.default
    let shared = Set(shared.map(\.description))
    for name in (try? files.contentsOfDirectory(atPath: stateDirectory)) ?? [] {
      guard name.utf8.count == 32, name.allSatisfy(\.isHexDigit), !shared.contains(name) else {
        continue
      }
      for suffix in [".trail", ".tail", ".tail.old", ""] {
        try? files.removeItem(atPath: "\(stateDirectory)/\(name)\(suffix)")
      }
    }
  }
}
