import Foundation
import TestSupport
import Testing

extension CommandStage {
  /// Runs a command; a shell script replaces a program on PATH.
  func run(_ line: String, with program: String, _ script: String) throws -> CommandResult {
    let bin = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    let path = bin.appending(path: program)
    try whileNothingStarts { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: path) }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
    return try shell("PATH=$PWD/bin:$PATH dragboard \(line)")
  }

  /// Copies the command to a directory without the other programs, which may be built beside it.
  func isolateCommand() throws {
    let copy = try shell("mkdir bin && cp \"$(command -v dragboard)\" bin")
    try #require(copy.status == .exited(0))
  }
}
