import Files
import Foundation

/// A program in a terminal.
///
/// The test reads the output and types keys. When the last reference is released, the program is
/// killed, and its end is awaited.
public final class Terminal {
  private let process: ChildProcess
  private let keyboard: FileDescriptor

  /// Starts `executable` in a terminal.
  ///
  /// - Parameters:
  ///   - executable: a path, or a name that is looked for on PATH.
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the complete environment.
  ///   - columns: the width of the terminal, in columns.
  ///   - lines: the height of the terminal, in lines.
  /// - Throws: the error if the system has no terminal, or the program cannot be started.
  public init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    columns: UInt16 = 80, lines: UInt16 = 24
  ) throws {
    var (screen, inner): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&screen, &inner, nil, nil, &size) == 0 else { throw SystemError("openpty") }
    for end in [screen, inner] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (keyboard, terminal) = (FileDescriptor(adopting: screen), FileDescriptor(adopting: inner))
    self.keyboard = keyboard
    guard let path = ttyname(terminal.number) else { throw SystemError("ttyname") }
    // If no process had the terminal open, the first read would fail.
    process = try withExtendedLifetime(terminal) {
      try ChildProcess(
        executable, arguments, environment: environment.merging(["TERM": "xterm"]) { $1 },
        at: String(cString: path), screen: keyboard)
    }
  }

  /// Types keys: `"\u{3}"` is Ctrl-C.
  public func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(keyboard.number, bytes, bytes.count)
  }

  /// Waits until the program has shown `text` since it started.
  ///
  /// - Returns: everything that was shown until then; nil if the program ended before.
  public func shown(until text: String) -> String? { process.text(until: text) }

  /// Waits until the program has ended; returns how it ended, and everything that it showed.
  public func waitForExit() -> (status: ProcessStatus, shown: String) {
    (process.waitForExit(), process.text(of: .output))
  }

  /// Sends a signal.
  public func kill(_ signal: Int32) { process.kill(signal) }
}
