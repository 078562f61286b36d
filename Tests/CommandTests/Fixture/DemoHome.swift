import Foundation
import TestSupport

/// The home of a demonstration: everything in it afterwards was left by the demonstration.
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

  /// A path of no file, outside of what `isUnused` looks at.
  var unusedPath: String { folder.appending(path: "pipe").path }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Whether no file, and no process whose environment leads here, is left.
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

  /// Puts a copy of the command beside a daemon that is a shell script.
  ///
  /// - Returns: the path of the copy.
  func install(daemon script: String) throws -> String {
    let command = folder.appending(path: "dragboard").path
    let daemon = folder.appending(path: "dragboardd")
    try whileNothingStarts {
      try FileManager.default.copyItem(atPath: builtProduct("dragboard"), toPath: command)
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: daemon)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.path)
    return command
  }

  /// Makes a directory of links to the programs that a demonstration needs, except one.
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
