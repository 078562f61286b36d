import Foundation
import TestSupport
import Testing

/// A daemon on a bus of its own, and the command `dragboard` to ask it with.
final class CommandStage {
  let daemon: Daemon
  private let command: String
  /// Where commands run, and files can be left.
  let folder: URL

  init() throws {
    daemon = try Daemon()
    command = try builtProduct("dragboard")
    folder = daemon.bus.home.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs the command to its end.
  func run(_ arguments: String...) throws -> CommandResult { try run(arguments) }

  /// The same, with the arguments in a list.
  func run(_ arguments: [String]) throws -> CommandResult { try daemon.run(command, arguments) }

  /// Runs the command, which shall do what it is asked; gives its output.
  @discardableResult
  func output(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try daemon.run(command, arguments)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    return result.output
  }

  /// The lines of the output.
  func lines(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try lines(arguments, sourceLocation: sourceLocation)
  }

  /// The same, with the arguments in a list.
  func lines(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let result = try daemon.run(command, arguments)
    #expect(result.status == .exited(0), "\(result.errors)", sourceLocation: sourceLocation)
    return result.output.split(separator: "\n").map(String.init)
  }

  /// The objects that the command prints with `--json`, one to a line.
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

  /// The bus's environment, with the command on PATH.
  var environment: [String: String] {
    var environment = daemon.bus.environment
    let folder = URL(fileURLWithPath: command).deletingLastPathComponent().path
    environment["PATH"] = "\(folder):\(environment["PATH"] ?? "/usr/bin:/bin")"
    return environment
  }

  /// Runs a line of a shell, in which `dragboard` is the command.
  func shell(_ line: String) throws -> CommandResult {
    try TestSupport.run(
      "bash", ["-c", "cd \"$0\" && \(line)", folder.path], environment: environment)
  }

  /// Starts a program in a terminal and in the folder, with `dragboard` on its PATH.
  func terminal(running program: String, _ arguments: [String]) throws -> Terminal {
    try Terminal(
      "env", ["--chdir=\(folder.path)", program] + arguments,
      environment: environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }, columns: 200, lines: 50)
  }

  /// Starts the command and leaves it running.
  func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(command, arguments, environment: daemon.bus.environment)
  }

  /// Starts the command in a terminal, with some variables set.
  func terminal(
    _ arguments: String..., environment: [String: String] = [:], columns: UInt16 = 80,
    lines: UInt16 = 24
  ) throws -> Terminal {
    try Terminal(
      command, arguments, environment: daemon.bus.environment.merging(environment) { $1 },
      columns: columns, lines: lines)
  }

  /// The texts of the rows, in order, each with its place.
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

  /// Checks that a command is refused with that exit code, and told why in one line at least.
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
