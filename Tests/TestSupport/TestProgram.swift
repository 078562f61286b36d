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

  /// The pipe to the standard input; nil if the input is empty.
  public let input: Pipe?
  private let process: Process
  private let output: FileHandle
  private let rest = Mutex(Data())

  /// Starts a program from `PATH`.
  ///
  /// The program inherits the test's standard error.
  ///
  /// - Throws: an error if the program cannot be started.
  public init(
    _ arguments: [String], _ environment: [String: String], input: Pipe? = nil
  ) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    self.process = process
    self.input = input
    output = pipe.fileHandleForReading
  }

  deinit { kill() }

  /// The id of the process.
  public var id: pid_t { process.processIdentifier }

  /// Runs a program until it exits, and returns its standard output.
  ///
  /// - Throws: `Failure` if the exit code is not 0.
  @discardableResult
  public static func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
    let program = try TestProgram(arguments, environment)
    let text = String(decoding: program.output.readDataToEndOfFile(), as: UTF8.self)
    program.process.waitUntilExit()
    guard program.process.terminationStatus == 0 else {
      let words = arguments.joined(separator: " ")
      throw Failure(description: "\(words): \(program.process.terminationStatus): \(text)")
    }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Waits for the next line of standard output.
  ///
  /// - Returns: the line without its end; nil at the end of the output, and after `limit`
  ///   without output.
  public func nextLine() -> String? {
    rest.withLock { rest in
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[(end + 1)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(Self.limit.components.seconds * 1_000)) > 0 else { return nil }
        let more = output.availableData
        guard !more.isEmpty else { return nil }
        rest.append(more)
      }
    }
  }

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
    try input?.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Whether the process runs.
  public var isRunning: Bool { process.isRunning }

  /// Sends a signal to the process and its children, unless the process has exited.
  public func signal(_ number: Int32) {
    guard process.isRunning else { return }
    // Foundation starts each process in its own process group.
    Foundation.kill(-process.processIdentifier, number)
  }

  /// Kills the process and its children, and waits until the process has exited.
  public func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }
}
