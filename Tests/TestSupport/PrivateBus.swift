public import Foundation

/// A separate message bus with a separate home directory.
///
/// Programs with its `environment` can reach only programs on this bus. `stop()`, or the release of
/// the last reference, ends the bus and removes its directory.
public final class PrivateBus: Sendable {
  /// An error for a bus that does not start.
  public struct StartFailure: Error, CustomStringConvertible {
    /// The error output of dbus-daemon.
    public let words: String
    /// The message, with the error output.
    public var description: String { "dbus-daemon did not start: \(words)" }
  }

  /// The address of the bus.
  public let address: String
  /// The home directory of all programs on the bus; it contains all other directories.
  public let home: URL
  /// The environment for programs on the bus.
  public let environment: [String: String]
  private let daemon: ChildProcess

  /// Starts a bus and waits until it listens.
  ///
  /// - Parameter variables: variables for the bus and its programs; nil removes one.
  /// - Throws: `StartFailure`, or the error of the system.
  public init(changing variables: [String: String?] = [:]) throws {
    home = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
    for folder in Self.folders.values {
      try FileManager.default.createDirectory(
        at: home.appending(path: folder), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let listening = "unix:path=\(home.path)/run/bus"
    let environment = Self.environment(home: home, address: listening)
      .merging(variables.compactMapValues(\.self)) { $1 }
      .filter { variables[$0.key] != .some(nil) }
    do {
      daemon = try ChildProcess(
        "dbus-daemon", ["--session", "--nofork", "--print-address", "--address=\(listening)"],
        environment: environment)
      guard let line = daemon.nextLine() else {
        daemon.kill(SIGKILL)
        throw StartFailure(words: daemon.text(of: .errors))
      }
      address = line
    } catch {
      try? FileManager.default.removeItem(at: home)
      throw error
    }
    self.environment = environment
  }

  deinit { stop() }

  /// Sends a signal to the bus.
  ///
  /// SIGSTOP and SIGCONT pause it; SIGKILL ends it like a crash.
  public func signal(_ number: Int32) { daemon.kill(number) }

  /// Ends the bus with all its connections, and removes its directory.
  ///
  /// A second call does nothing.
  public func stop() {
    daemon.kill(SIGKILL)
    daemon.waitForExit()
    try? FileManager.default.removeItem(at: home)
  }

  /// The directories in the home directory, each with the variable that names it.
  private static let folders = [
    "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run",
    "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state",
  ]

  /// Returns the test's environment with this bus and home directory in place of those of the user.
  private static func environment(home: URL, address: String) -> [String: String] {
    let foreign = ["DBUS_", "XDG_", "DRAGBOARD_", "DISPLAY", "WAYLAND_"]
    var environment = ProcessInfo.processInfo.environment.filter { variable, _ in
      !foreign.contains { variable.hasPrefix($0) }
    }
    for (variable, folder) in folders {
      environment[variable] = home.appending(path: folder).path
    }
    environment["HOME"] = home.path
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    // GLib would make the bus start the daemon of GVfs, which would outlive the test.
    environment["GIO_USE_VFS"] = "local"
    return environment
  }
}
