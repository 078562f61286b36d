import FoundationEssentials

/// An isolated environment for programs, with its own directories and its own bus address.
///
/// Its directories are removed when the last reference is released. Every `ChildProcess` in it has
/// a reference.
final class PrivateHome {
  let busAddress: String
  let environment: [String: String]
  /// The path of the file to which the programs write standard error.
  let log: String
  private let folder: TemporaryFolder

  /// Creates the directories.
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

  var logText: String {
    String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
  }

  private static let folders = [
    "HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
    "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run",
  ]

  /// The environment of the command, without the variables of the session and of the daemon.
  private static var inherited: [String: String] {
    let foreign = ["DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY", "WAYLAND_", "JOURNAL_STREAM"]
    return ProcessInfo.processInfo.environment.filter { variable in
      !foreign.contains { variable.key.hasPrefix($0) }
    }
  }
}
