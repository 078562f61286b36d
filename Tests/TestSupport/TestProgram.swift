import Files
public import Foundation
import Synchronization

/// A program on PATH that a test has started, with all its children.
///
/// They are killed when the last reference is released. A ``ChildProcess`` is a single process, whose
/// end and standard error a test can observe.
public final class TestProgram: Sendable {
  /// A failure of a program or of a check.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem.
    public let description: String

    /// Creates a failure.
    public init(description: String) { self.description = description }
  }

  /// The time after which a test no longer waits for an event.
  ///
  /// A step takes up to one second, but 20 times as long when 40 other programs use both cores.
  public static let limit = Duration.seconds(60)

  private let process: ChildProcess
  private let input: Mutex<FileDescriptor?>

  /// Starts a program from `PATH`.
  ///
  /// The program inherits the test's standard error.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: the complete environment.
  ///   - hasInput: whether the standard input is a pipe, for ``send(_:)``; otherwise it is empty.
  /// - Throws: an error if the program cannot be started.
  public init(
    _ arguments: [String], _ environment: [String: String], hasInput: Bool = false
  ) throws {
    let pipe = try hasInput ? FileDescriptor.makePipe() : nil
    // The name is looked for on the PATH of the program's environment.
    process = try ChildProcess(
      "/usr/bin/env", arguments, environment: environment,
      input: pipe.map { .descriptor($0.reading) } ?? .null, errors: .inherited,
      reading: OutputLines(), group: .own)
    input = Mutex(pipe?.writing)
  }

  /// The id of the process.
  public var id: pid_t { process.id }

  /// Runs a program until it exits, and returns its standard output.
  ///
  /// - Throws: `Failure` if the exit code is not 0.
  @discardableResult
  public static func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
    let program = try TestProgram(arguments, environment)
    let text = program.process.text(of: .output)
    let status = program.process.waitForExit()
    guard status.isSuccess else {
      throw Failure(description: "\(arguments.joined(separator: " ")) \(status): \(text)")
    }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Waits for the next line of standard output.
  ///
  /// - Returns: the line without its end; nil at the end of the output, and after `limit`
  ///   without output.
  public func nextLine() -> String? { process.nextLine(within: Self.limit) }

  /// Starts a daemon and waits until it has its name on the bus.
  ///
  /// - Parameters:
  ///   - environment: the environment, with the bus.
  ///   - command: the program and its arguments.
  /// - Returns: the daemon.
  /// - Throws: an error if the daemon does not start.
  public static func daemon(
    _ environment: [String: String], by command: [String] = ["dragboardd"]
  ) throws -> TestProgram {
    let daemon = try TestProgram(command, environment)
    try run(
      ["gdbus", "wait", "--session", "--timeout", "60", "org.dragboard.Dragboard1"], environment)
    return daemon
  }

  /// Writes a line to the standard input.
  public func send(_ line: String) throws {
    try input.withLock { try $0?.write(Array("\(line)\n".utf8)) }
  }

  /// Closes the standard input.
  public func closeInput() { input.withLock { $0 = nil } }

  /// Whether the process runs.
  public var isRunning: Bool { process.status == nil }

  /// Sends a signal to the process and its children, unless the process has exited.
  public func signal(_ number: Int32) { process.kill(number) }

  /// Kills the process and its children, and waits until the process has exited.
  public func kill() {
    signal(SIGKILL)
    process.waitForExit()
  }
}
