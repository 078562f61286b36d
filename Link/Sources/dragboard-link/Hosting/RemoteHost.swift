import Files
import Glibc
import LinkEngine

/// The program `dragboard-link admit` on another machine, started by ssh.
///
/// It exchanges lines of text with this process.
final class RemoteHost {
  private let target: String
  private let process: Subprocess
  private let input: FileDescriptor
  private let output: FileDescriptor
  private var buffer: [UInt8] = []
  private var hasEnded = false

  /// The error of ssh, or of the program on the other machine.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Whether the same command can succeed later.
    var isTemporary = false
  }

  /// The command on the other machine.
  ///
  /// The login shell of the user may be any shell, so the command is for the shell `sh`. A shell that
  /// is not interactive often lacks `~/.local/bin` in its PATH.
  private static let command =
    #"exec sh -c 'PATH="$HOME/.local/bin:$PATH"; export PATH; exec dragboard-link admit'"#

  /// Starts ssh, which may ask for a passphrase on the terminal.
  init(_ target: String) throws {
    self.target = target
    guard let ssh = SupervisedProgram.find("ssh") else {
      throw Failure(
        description: "ssh is not installed (Debian, Ubuntu: sudo apt install openssh-client)")
    }
    let (input, output) = (try FileDescriptor.makePipe(), try FileDescriptor.makePipe())
    process = try Subprocess(
      ssh,
      [
        "-T", "-o", "ControlPath=none", "-o", "ForwardAgent=no", "-o", "ForwardX11=no", "-o",
        "ClearAllForwardings=yes", "--", target, Self.command,
      ], input: .descriptor(input.reading), output: .descriptor(output.writing))
    (self.input, self.output) = (input.writing, output.reading)
  }

  deinit { if !hasEnded { finish() } }

  /// The invitation of the other machine.
  func invitation() throws -> String {
    guard let line = readLine() else {
      throw failure(of: finish())
    }
    return line
  }

  /// Accepts a board on the other machine; returns the reason if this is not possible.
  func accept(_ board: String) -> String? {
    do { try input.write(Array("accept \(board)\n".utf8)) } catch { return "\(error)" }
    guard let line = readLine() else { return "the connection was lost" }
    return line == "ok" ? nil : line
  }

  /// Ends the program on the other machine, and returns the exit code of ssh.
  @discardableResult
  func finish() -> Int32 {
    hasEnded = true
    kill(process.id, SIGTERM)
    return process.wait()
  }

  private func failure(of code: Int32) -> Failure {
    switch code {
    case 127:
      Failure(
        description:
          "\(target): dragboard-link is not installed there (expected on PATH or in ~/.local/bin)")
    // ssh has printed the reason.
    case 255: Failure(description: "\(target): ssh has failed", isTemporary: true)
    default: Failure(description: "\(target): dragboard-link cannot admit this machine")
    }
  }

  private func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var part = [UInt8](repeating: 0, count: 4_096)
      let count = read(output.number, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, buffer.count < 1 << 20 else { return nil }
      buffer += part[..<count]
    }
  }
}
