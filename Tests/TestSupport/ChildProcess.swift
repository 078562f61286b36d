import Files
public import Foundation
import Synchronization

private let start = Mutex(())

/// Calls `body` while this process starts no other process.
///
/// A process that is being started holds every open descriptor until it executes its program. Until
/// then no process can execute a file that is written here ("Text file busy"), and a removed file
/// uses space on the disk.
///
/// - Throws: the error of `body`.
public func whileNothingStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
  try start.withLock { _ in try body() }
}

/// A program that a test has started.
///
/// Separate threads read its output. When the last reference is released, the program is killed,
/// and its end is awaited.
public final class ChildProcess: Sendable {
  /// An output stream.
  public enum Stream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case errors
  }

  /// The process id.
  public let id: pid_t
  private let output: OutputLines
  private let errors: OutputLines
  private let exit: ProcessExit

  /// Starts `executable` with `/dev/null` as its standard input.
  ///
  /// - Parameters:
  ///   - executable: a path, or a name that is looked for on PATH.
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the complete environment; nil means the environment of the test.
  /// - Throws: the error if the program cannot be started.
  public convenience init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil
  ) throws {
    let errors = try FileDescriptor.makePipe()
    try self.init(
      executable, arguments, environment: environment, errors: .descriptor(errors.writing),
      reading: OutputLines(reading: errors.reading))
  }

  /// Starts a program whose standard output is read.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String]?,
    input: Subprocess.Stream = .null, errors: Subprocess.Stream, reading lines: OutputLines,
    group: Subprocess.Group = .inherited
  ) throws {
    let output = try FileDescriptor.makePipe()
    id = try whileNothingStarts {
      try Subprocess(
        executable, arguments, environment: environment, input: input,
        output: .descriptor(output.writing), errors: errors, group: group
      ).id
    }
    self.output = OutputLines(reading: output.reading)
    self.errors = lines
    exit = ProcessExit(of: id, isGroup: group == .own)
  }

  /// Starts a program in a new session, with a terminal as its streams; returns the other end of the
  /// terminal.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    at terminal: String, screen: FileDescriptor
  ) throws {
    id = try whileNothingStarts {
      try Subprocess(
        executable, arguments, environment: environment, input: .path(terminal),
        output: .path(terminal), errors: .path(terminal), group: .session
      ).id
    }
    output = OutputLines(reading: screen)
    errors = OutputLines()
    exit = ProcessExit(of: id, isGroup: false)
  }

  deinit {
    kill(SIGKILL)
    exit.wait()
  }

  /// Waits until the process has ended; its output can still be read afterwards.
  @discardableResult
  public func waitForExit() -> ProcessStatus { exit.wait() }

  /// How the process ended; nil while it runs.
  public var status: ProcessStatus? { exit.status }

  /// Sends a signal to the process, or to its group if it has one, unless the process has ended.
  public func kill(_ signal: Int32) { exit.kill(signal) }

  /// Waits for the next line of a stream, without its line feed.
  ///
  /// - Returns: the line; nil at the end of the stream, and after `limit`, so that a test cannot
  ///   hang.
  public func nextLine(of stream: Stream = .output, within limit: Duration = .seconds(30))
    -> String?
  {
    lines(of: stream).next(before: Date(timeIntervalSinceNow: limit / .seconds(1)))
  }

  /// Waits for the end of a stream and returns all of its text.
  ///
  /// The stream ends when every process that has it open has ended.
  public func text(of stream: Stream) -> String { lines(of: stream).all() }

  /// Waits until standard output contains `text`.
  ///
  /// - Returns: everything up to `text`; nil if the output ends without it, or after 30 seconds.
  func text(until text: String) -> String? {
    output.all(until: text, before: Date(timeIntervalSinceNow: 30))
  }

  private func lines(of stream: Stream) -> OutputLines {
    switch stream {
    case .output: output
    case .errors: errors
    }
  }
}

/// The end of a child process, for which a separate thread waits.
///
/// No signal is sent after the end, because another process may have the id by then.
private final class ProcessExit: @unchecked Sendable {
  // `@unchecked` is safe, because only code with the condition's lock accesses `ended`.
  private let id: pid_t
  private let isGroup: Bool
  private let condition = NSCondition()
  private var ended: ProcessStatus?

  init(of id: pid_t, isGroup: Bool) {
    (self.id, self.isGroup) = (id, isGroup)
    Thread.detachNewThread { [self] in
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      reap()
    }
  }

  var status: ProcessStatus? { condition.withLock { ended } }

  @discardableResult
  func wait() -> ProcessStatus {
    condition.withLock {
      while true {
        if let ended { return ended }
        condition.wait()
      }
    }
  }

  func kill(_ signal: Int32) {
    condition.withLock {
      if ended == nil { _ = Foundation.kill(isGroup ? -id : id, signal) }
    }
  }

  private func reap() {
    condition.withLock {
      var status: Int32 = 0
      ended = waitpid(id, &status, 0) == id ? ProcessStatus(waitStatus: status) : .exited(-1)
      condition.broadcast()
    }
  }
}
