import Foundation
import TestSupport

/// A home directory for the demonstration, in which a test finds everything that the demonstration
/// leaves behind.
final class DemoHome: Sendable {
  /// The environment of the demonstration.
  let environment: [String: String]
  private let folder: URL
  private let temporary: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
    temporary = folder.appending(path: "t")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary.path
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    self.environment = environment
  }

  /// A path at which no file exists, and which `isUnused` ignores.
  var unusedPath: String { folder.appending(path: "pipe").path }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Whether the demonstration left neither a file nor a process with this home in its environment.
  var isUnused: Bool {
    get throws {
      let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        .filter { Int32($0) != nil }
        .filter { process in
          let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
          return environment?.range(of: Data(temporary.path.utf8)) != nil
        }
      let files = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
      return processes.isEmpty && files.isEmpty
    }
  }

  /// Puts a copy of the command beside a shell script that replaces the daemon.
  ///
  /// - Returns: the directory of both.
  func install(daemon script: String) throws -> String {
    let command = folder.appending(path: "dragboard").path
    let daemon = folder.appending(path: "dragboardd")
    try whileNothingStarts {
      try FileManager.default.copyItem(atPath: builtProduct("dragboard"), toPath: command)
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: daemon)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.path)
    return folder.path
  }

  /// Makes a directory of links to the programs that the demonstration needs, without one of them.
  func folderOfPrograms(without missing: String) throws -> String {
    let programs = folder.appending(path: "programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    for name in ["dbus-daemon", "dbus-send", "dbus-monitor"] where name != missing {
      try FileManager.default.createSymbolicLink(
        atPath: programs.appending(path: name).path, withDestinationPath: "/usr/bin/\(name)")
    }
    return programs.path
  }
}
