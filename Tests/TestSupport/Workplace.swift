public import Foundation

/// A place to run the examples of documents: a daemon, a home directory, and `dragboard` on PATH.
public final class Workplace {
  /// The daemon.
  public let daemon: Daemon
  /// The working directory of the commands, and their HOME.
  public let home: URL
  private let environment: [String: String]

  /// Starts the daemon, and makes the home directory.
  ///
  /// - Parameter programs: scripts that replace desktop programs, by name.
  /// - Throws: the reason if the daemon does not start, or the error of the system.
  public init(programs: [String: String] = [:]) throws {
    daemon = try Daemon()
    home = daemon.bus.home.appending(path: "me")
    let bin = daemon.bus.home.appending(path: "bin")
    let products = URL(fileURLWithPath: try builtProduct("dragboard")).deletingLastPathComponent()
    environment = daemon.bus.environment.merging([
      "PATH": "\(products.path):\(bin.path):/usr/bin:/bin", "HOME": home.path,
      "DISPLAY": ":1",
    ]) { $1 }
    for folder in [home, bin] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    for (name, script) in programs {
      let file = bin.appending(path: name)
      try whileNothingStarts { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file) }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
  }

  /// Makes a file in the home directory, and its parent directories.
  ///
  /// - Throws: the error of the system.
  public func write(_ text: String, to name: String) throws {
    let file = home.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Starts a script that ends when one of its commands fails.
  ///
  /// - Throws: the reason if it does not start.
  public func start(_ script: String) throws -> ChildProcess {
    try ChildProcess("bash", arguments(script), environment: environment)
  }

  /// Runs a script and waits for its end.
  ///
  /// - Throws: the reason if it does not start.
  public func run(_ script: String) throws -> CommandResult {
    try TestSupport.run("bash", arguments(script), environment: environment)
  }

  private func arguments(_ script: String) -> [String] {
    ["-c", "cd && set -e -o pipefail\n\(script)"]
  }
}
