public import Foundation

/// A place to run the examples of documents: a daemon, a home directory, and `dragboard` on PATH.
public final class Workplace {
  /// The daemon.
  public let daemon: Daemon
  /// Where commands run, which is HOME.
  public let home: URL
  private let environment: [String: String]

  /// Starts the daemon, and makes the home.
  ///
  /// - Parameter programs: scripts that replace programs of a desktop, by their names.
  /// - Throws: what keeps the daemon from starting, or what the system says.
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

  /// Makes a file in the home, and the folders above it.
  ///
  /// - Throws: what the system says.
  public func write(_ text: String, to name: String) throws {
    let file = home.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Starts a script, which ends where one of its commands fails.
  ///
  /// - Throws: what keeps it from starting.
  public func start(_ script: String) throws -> ChildProcess {
    try ChildProcess("bash", arguments(script), environment: environment)
  }

  /// Runs a script to its end.
  ///
  /// - Throws: what keeps it from starting.
  public func run(_ script: String) throws -> CommandResult {
    try TestSupport.run("bash", arguments(script), environment: environment)
  }

  private func arguments(_ script: String) -> [String] {
    ["-c", "cd && set -e -o pipefail\n\(script)"]
  }
}
