import Foundation
import Synchronization

/// A process that a test has started.
///
/// It is killed when the last reference is released.
final class Program: Sendable {
  /// A failure of a program or of a check.
  struct Failure: Error, CustomStringConvertible {
    /// The problem.
    let description: String
  }

  /// The pipe to the standard input; nil if the input is empty.
  let input: Pipe?
  private let process: Process
  private let output: FileHandle
  private let rest = Mutex(Data())

  /// Starts a program from `PATH`.
  ///
  /// The program inherits the test's standard error.
  ///
  /// - Throws: an error if the program cannot be started.
  init(_ arguments: [String], _ environment: [String: String], input: Pipe? = nil) throws {
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
  var id: Int32 { process.processIdentifier }

  /// Runs a program until it exits, and returns its standard output.
  ///
  /// - Throws: `Failure` if the exit code is not 0.
  @discardableResult
  static func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
    let program = try Program(arguments, environment)
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
  /// - Returns: the line without its end; nil at the end of the output, and after 20 seconds
  ///   without output.
  func nextLine() -> String? {
    rest.withLock { rest in
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[(end + 1)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 20_000) > 0 else { return nil }
        let more = output.availableData
        guard !more.isEmpty else { return nil }
        rest.append(more)
      }
    }
  }

  /// Kills the process and its children, and waits until the process has exited.
  func kill() {
    guard process.isRunning else { return }
    // Foundation starts each process in its own process group.
    Foundation.kill(-process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
