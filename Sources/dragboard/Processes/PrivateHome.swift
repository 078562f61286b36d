import FoundationEssentials
import Glibc

/// A home for programs that shall meet nobody else: folders of their own and a bus address of their own.
///
/// It goes, with all that is in it, when the last reference does; every `ChildProcess` in it holds one.
final class PrivateHome {
  /// Where its bus listens.
  let busAddress: String
  /// What programs in it are started with.
  let environment: [String: String]
  /// The file that gathers their standard errors.
  let log: String
  private let folder: TemporaryFolder

  /// Makes one.
  ///
  /// - Throws: `system`.
  init() throws(Failure) {
    folder = try TemporaryFolder()
    busAddress = "unix:path=\(folder.path)/bus"
    log = "\(folder.path)/log"
    var environment = Self.inherited
    for (variable, name) in Self.folders { environment[variable] = try folder.makeFolder(name) }
    environment["DBUS_SESSION_BUS_ADDRESS"] = busAddress
    self.environment = environment
  }

  /// What stands in the log.
  var logText: String {
    String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
  }

  private static let folders = [
    "HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
    "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run",
  ]

  /// The command's own environment without what leads to a session, and without what configures the daemon.
  private static var inherited: [String: String] {
    let foreign = ["DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY=", "WAYLAND_", "JOURNAL_STREAM="]
    var variables: [String: String] = [:]
    var entry = environ
    while let start = entry.pointee {
      entry += 1
      let text = String(cString: start)
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !foreign.contains(where: text.hasPrefix) else { continue }
      variables[String(parts[0])] = String(parts[1])
    }
    return variables
  }
}
