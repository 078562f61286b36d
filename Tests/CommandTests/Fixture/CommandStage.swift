import Foundation
import TestSupport
import Testing

/// A daemon on a private bus, and a folder in which tests run the command `dragboard`.
final class CommandStage {
  let daemon: Daemon
  private let command: String
  /// The working directory of the commands.
  let folder: URL

  /// Starts a daemon with the given arguments.
  init(_ options: String...) throws {
    daemon = try Daemon(options)
    command = try builtProduct("dragboard")
    folder = daemon.bus.home.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs the command and waits until it exits.
  func run(_ arguments: String...) throws -> CommandResult { try run(arguments) }

  /// Runs the command with a list of arguments, and waits until it exits.
  func run(_ arguments: [String]) throws -> CommandResult { try daemon.run(command, arguments) }

  /// Runs a command that must succeed; returns its output.
  @discardableResult
  func output(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try daemon.run(command, arguments)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    return result.output
  }

  /// Returns the lines of the output.
  func lines(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try lines(arguments, sourceLocation: sourceLocation)
  }

  /// Returns the lines of the output of the command with a list of arguments.
  func lines(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let result = try daemon.run(command, arguments)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Returns the objects that the command prints with `--json`, one on each line.
  func objects(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[String: Any]] {
    let result = try daemon.run(command, arguments + ["--json"])
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    return try result.output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], sourceLocation: sourceLocation)
    }
  }

  /// The environment of the bus, with the command on PATH.
  var environment: [String: String] {
    var environment = daemon.bus.environment
    let folder = URL(fileURLWithPath: command).deletingLastPathComponent().path
    environment["PATH"] = "\(folder):\(environment["PATH"] ?? "/usr/bin:/bin")"
    return environment
  }

  /// Runs a line of shell; the shell finds `dragboard` on PATH.
  func shell(_ line: String) throws -> CommandResult {
    try TestSupport.run(
      "bash", ["-c", "cd \"$0\" && \(line)", folder.path], environment: environment)
  }

  /// Starts a program in a terminal, in the folder, with `dragboard` on PATH.
  func terminal(running program: String, _ arguments: [String]) throws -> Terminal {
    try Terminal(
      "env", ["--chdir=\(folder.path)", program] + arguments,
      environment: environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }, columns: 200, lines: 50)
  }

  /// Starts the command and does not wait for it.
  func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(command, arguments, environment: daemon.bus.environment)
  }

  /// Starts the command in a terminal, with additional variables.
  func terminal(
    _ arguments: String..., environment: [String: String] = [:], columns: UInt16 = 80,
    lines: UInt16 = 24
  ) throws -> Terminal {
    try Terminal(
      command, arguments, environment: daemon.bus.environment.merging(environment) { $1 },
      columns: columns, lines: lines)
  }

  /// Returns the texts of the rows in order, each with its position.
  func rows(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let result = try daemon.run(command, ["list"] + arguments)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    return result.output.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return "\(fields.first ?? "") \(fields.last ?? "")"
    }
  }

  /// Checks that a command fails with that exit code and prints at least one line of explanation.
  func expect(
    _ code: Int32, _ arguments: String..., naming word: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try daemon.run(command, arguments)
    #expect(result.status == .exited(code), sourceLocation: sourceLocation)
    #expect(result.errors.hasPrefix("Error: "), sourceLocation: sourceLocation)
    #expect(
      word.isEmpty || result.errors.contains(word), "\(result.errors)",
      sourceLocation: sourceLocation)
  }
}
