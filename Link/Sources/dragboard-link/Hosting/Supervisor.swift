import Files
import Glibc
import LinkModel
import Text

/// Runs programs, and starts each of them again when it has ended.
///
/// One thread waits for signals, for the programs and for their messages, so that the process needs
/// little memory.
struct Supervisor {
  /// A running program, or one that waits for its next start.
  fileprivate struct Child {
    var program: SupervisedProgram
    var process: Subprocess?
    var errors: FileDescriptor?
    /// The last line that the program has written to standard error, without the line end.
    var line: [UInt8] = []
    /// Whether the next byte begins a new line.
    var isLineComplete = true
    var failures = 0
    var started = ContinuousClock.now
    var nextStart = ContinuousClock.now

    init(_ program: SupervisedProgram) { self.program = program }
  }

  /// If a program has run for this time, its last failure is over.
  fileprivate static let stableTime = Duration.seconds(15)
  /// The delay after ssh has refused the keys, because the other machine may lock out a machine that
  /// tries too often.
  fileprivate static let refusedDelay = Duration.seconds(60)
  fileprivate static let maxLineBytes = 500

  /// Returns the programs that should run now.
  let programs: () throws -> [SupervisedProgram]
  private var children: [Child] = []

  init(_ programs: @escaping () throws -> [SupervisedProgram]) { self.programs = programs }

  /// Runs the programs until SIGTERM, SIGINT, or until there are no programs.
  ///
  /// `report` gets the failure of a program, and nil when there is none.
  mutating func run(_ report: (String?) -> Void) throws {
    let signals = try SignalPipe([SIGCHLD, SIGTERM, SIGINT, SIGHUP, ServiceLock.updateSignal])
    defer { stop() }
    try update()
    report(nil)
    while !children.isEmpty {
      start(report)
      for signal in wait(signals) {
        switch signal {
        case SIGTERM, SIGINT: return
        case SIGCHLD: reap(report)
        default: try update()
        }
      }
      if children.allSatisfy(\.isStable) { report(nil) }
    }
  }

  /// Reads the list of programs again.
  private mutating func update() throws {
    let programs = try self.programs()
    for index in children.indices.reversed() {
      let child = children[index]
      guard let program = programs.first(where: { $0.isSameProcess(as: child.program) }) else {
        Self.end(children.remove(at: index))
        continue
      }
      if program.files != child.program.files, let process = child.process {
        kill(process.id, SIGHUP)
      }
      children[index].program = program
      // The user has just changed something, so try at once.
      children[index].nextStart = .now
    }
    for program in programs where !children.contains(where: { $0.program == program }) {
      children.append(Child(program))
    }
  }

  private mutating func start(_ report: (String?) -> Void) {
    for index in children.indices
    where children[index].process == nil && children[index].nextStart <= .now {
      do { try children[index].start() } catch {
        children[index].fail(with: error.description, report)
      }
    }
  }

  /// Waits for signals, and reads the messages of the programs.
  private mutating func wait(_ signals: SignalPipe) -> [Int32] {
    var requests = [pollfd(fd: signals.descriptor.number, events: Int16(POLLIN), revents: 0)]
    requests += children.map {
      pollfd(fd: $0.errors?.number ?? -1, events: Int16(POLLIN), revents: 0)
    }
    poll(&requests, nfds_t(requests.count), timeout)
    for index in children.indices where requests[index + 1].revents != 0 {
      children[index].readErrors()
    }
    return requests[0].revents == 0 ? [] : signals.read()
  }

  /// The time until something is due, in milliseconds; -1 if nothing is due.
  private var timeout: Int32 {
    let times = children.compactMap { child -> ContinuousClock.Instant? in
      if child.process == nil { return child.nextStart }
      return child.isStable ? nil : child.started + Self.stableTime
    }
    guard let next = times.min() else { return -1 }
    return Int32(max(1, ContinuousClock.now.duration(to: next) / .milliseconds(1) + 1))
  }

  private mutating func reap(_ report: (String?) -> Void) {
    for index in children.indices {
      guard let process = children[index].process else { continue }
      var status: Int32 = 0
      guard waitpid(process.id, &status, WNOHANG) == process.id else { continue }
      children[index].readErrors()
      let line = String(decoding: children[index].line, as: UTF8.self)
      let words = line.isEmpty ? "it has ended with status \(status >> 8 & 0xff)" : line
      children[index].fail(with: words, report)
    }
  }

  private func stop() { for child in children { Self.end(child) } }

  /// Ends a program, and waits for its end.
  private static func end(_ child: Child) {
    guard let process = child.process else { return }
    kill(process.id, SIGTERM)
    let deadline = ContinuousClock.now + .seconds(5)
    while waitpid(process.id, nil, WNOHANG) == 0 {
      if ContinuousClock.now > deadline { kill(process.id, SIGKILL) }
      usleep(5_000)
    }
  }
}

extension Supervisor.Child {
  fileprivate var isStable: Bool {
    process != nil && ContinuousClock.now - started >= Supervisor.stableTime
  }

  fileprivate mutating func start() throws(SystemError) {
    let pipe = try FileDescriptor.makePipe()
    let flags = fcntl(pipe.reading.number, F_GETFL)
    _ = fcntl(pipe.reading.number, F_SETFL, flags | O_NONBLOCK)
    var (path, arguments) = (program.path, program.arguments)
    // If this process is killed, the program must not continue without it.
    if let setpriv = SupervisedProgram.find("setpriv") {
      (path, arguments) = (setpriv, ["--pdeathsig", "TERM", "--", path] + arguments)
    }
    for (name, value) in program.variables { setenv(name, value, 1) }
    (line, isLineComplete, started) = ([], true, .now)
    process = try Subprocess(
      path, arguments, input: .null, output: .null, errors: .descriptor(pipe.writing), group: .own)
    errors = pipe.reading
  }

  /// Reads everything that the program has written, and retains the last line.
  fileprivate mutating func readErrors() {
    guard let errors else { return }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(errors.number, &buffer, buffer.count)
      guard count > 0 else {
        if count == 0 { self.errors = nil }
        return
      }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          isLineComplete = true
        } else {
          if isLineComplete { line = [] }
          isLineComplete = false
          if line.count < Supervisor.maxLineBytes, byte != UInt8(ascii: "\r") { line.append(byte) }
        }
      }
    }
  }

  /// Records that the program has ended or could not be started.
  fileprivate mutating func fail(with words: String, _ report: (String?) -> Void) {
    (process, errors) = (nil, nil)
    if ContinuousClock.now - started >= Supervisor.stableTime { failures = 0 }
    let isRefused = words.contains("Permission denied")
    let delay = isRefused ? Supervisor.refusedDelay : Backoff.delay(afterFailures: failures)
    failures += 1
    nextStart = .now + delay
    let text = "\(program.name): \(words)".harmlessLine()
    StandardError.writeLine(text)
    if program.isNecessary { report(text) }
  }
}

/// A pipe into which a signal handler writes the numbers of signals.
private struct SignalPipe {
  let descriptor: FileDescriptor
  private let writing: FileDescriptor

  /// The write end, for the handler.
  nonisolated(unsafe) private static var number: Int32 = -1

  init(_ signals: [Int32]) throws {
    let pipe = try FileDescriptor.makePipe(isBlocking: false)
    (descriptor, writing) = (pipe.reading, pipe.writing)
    Self.number = writing.number
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals {
      sigaddset(&set, number)
      signal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = Glibc.write(SignalPipe.number, &byte, 1)
        errno = code
      }
    }
    // The parent process may have blocked them.
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  func read() -> [Int32] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor.number, &buffer, buffer.count)
    return count > 0 ? buffer[..<count].map(Int32.init) : []
  }
}
