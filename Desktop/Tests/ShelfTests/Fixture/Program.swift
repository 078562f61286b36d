import Foundation
import Synchronization

/// A program that a test has started; it is killed with the last reference.
final class Program: Sendable {
  /// A program that failed.
  struct Failure: Error, CustomStringConvertible {
    /// The command, and how it ended.
    let description: String
  }

  /// The pipe to its standard input; nil if it has none.
  let input: Pipe?
  private let process: Process
  private let output: FileHandle
  private let rest = Mutex(Data())

  /// Starts a program that is found on PATH; what it writes to standard error goes to the test's.
  ///
  /// - Throws: what keeps it from starting.
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

  /// Runs a program to its end, and gives what it wrote.
  ///
  /// - Throws: `Failure` where it does not end well.
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

  /// Waits for the next line that it writes; nil at the end, and after 20 seconds, which end a test that would hang.
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

  /// Kills it and what it has started, as a bus its services, and waits until it is gone.
  func kill() {
    guard process.isRunning else { return }
    // Foundation gives each process that it starts a group of its own.
    Foundation.kill(-process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
