import Files
import Glibc
import Synchronization

/// The pager of long output on a terminal, as in git.
///
/// Output that fits on the screen is printed without a pager. DRAGBOARD_PAGER, PAGER or `less` shows
/// longer output. If the user closes the pager, the command ends.
enum Pager {
  private struct State {
    /// The output that fits on the screen so far.
    var waiting = ""
    var lineCount = 0
    /// The pager and its input.
    var running: (process: Subprocess, input: FileDescriptor)?
    /// Whether all output is printed at once.
    var isOff = false
  }

  private static let state = Mutex(State())

  /// Prints text, by the pager if it is long.
  ///
  /// - Throws: `outputClosed` if the user has closed the pager; `system`.
  static func write(_ text: String) throws(Failure) {
    guard Console.isTerminal else { return try Console.write(text) }
    let result = state.withLock { state in
      Result { () throws(Failure) in try write(text, &state) }
    }
    try result.get()
  }

  /// Prints the waiting output, and waits until the user closes the pager.
  ///
  /// - Returns: whether there was a pager.
  @discardableResult
  static func finish() -> Bool {
    var rest = state.withLock { state in
      defer { state = State() }
      return state
    }
    if !rest.waiting.isEmpty { try? Console.write(rest.waiting) }
    guard let process = rest.running?.process else { return false }
    // This is the last reference to the pager's input, which closes.
    rest.running = nil
    // Ctrl-C belongs to the pager.
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    _ = process.wait()
    return true
  }

  private static func write(_ text: String, _ state: inout State) throws(Failure) {
    if let running = state.running { return try Console.write(text, to: running.input.number) }
    guard !state.isOff, let command else { return try Console.write(text) }
    state.waiting += text
    state.lineCount += text.utf8.count { $0 == UInt8(ascii: "\n") }
    guard state.lineCount >= Console.lines else { return }
    let waiting = state.waiting
    state.waiting = ""
    guard let running = start(command) else {
      state.isOff = true
      return try Console.write(waiting)
    }
    state.running = running
    try Console.write(waiting, to: running.input.number)
  }

  /// The command of the pager; nil if output is printed without one.
  private static var command: String? {
    let named = Environment["DRAGBOARD_PAGER"] ?? Environment["PAGER"]
    guard let named else { return Program.onPath("less") }
    return named.isEmpty || named == "cat" ? nil : named
  }

  private static func start(_ command: String) -> (process: Subprocess, input: FileDescriptor)? {
    // As git does: show colours, and leave the text on the screen.
    setenv("LESS", "FRX", 0)
    signal(SIGPIPE, SIG_IGN)
    guard let pipe = try? FileDescriptor.makePipe(),
      let process = try? Subprocess(shell: command, input: .descriptor(pipe.reading))
    else { return nil }
    return (process, pipe.writing)
  }
}
