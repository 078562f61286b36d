import DragboardClient
import Files
import Glibc

/// A program that lets the user choose lines.
///
/// It reads lines from standard input, and writes the chosen lines to standard output.
struct Chooser: Equatable, Sendable {
  /// The shell command that runs the program.
  let command: String
  /// Whether each line begins with the id of the row and a tab, which the program does not show.
  var readsIDs = false

  /// A program whose options are known.
  private enum Known: CaseIterable {
    case fzf, rofi, dmenu

    /// Returns the shell command, with options to show the lines below a prompt: in their order, and
    /// the best match first when the user types.
    func command(for board: String, at address: String?, severalAllowed: Bool) -> String {
      let prompt = ShellWord.quoted(board)
      return switch self {
      case .fzf:
        "fzf --tiebreak=index --layout=reverse --prompt=\(prompt)'> '"
          + (severalAllowed ? " --multi" : "")
          + Self.preview(at: address)
      case .rofi:
        "rofi -dmenu -i -sort -sorting-method fzf -p \(prompt)"
          + (severalAllowed ? " -multi-select" : "")
      case .dmenu: "dmenu -i -l 20 -p \(prompt)"
      }
    }

    /// Returns the options that hide the ids, and show a preview of the row at the cursor.
    ///
    /// fzf replaces words in braces in the command of the preview. So there is no preview if a path
    /// contains a brace.
    private static func preview(at address: String?) -> String {
      let hiding = " --delimiter='\t' --with-nth=2.."
      guard let path = try? Program.findSibling("dragboard") else { return hiding }
      let options = address.map { ["--address", $0] } ?? []
      let command = ([path, "show"] + options).map(ShellWord.quoted).joined(separator: " ")
      guard !command.contains("{") else { return hiding }
      return hiding + " --preview=\(ShellWord.quoted(command + " {1}"))"
    }

    /// Returns whether the program can run: fzf needs a terminal, dmenu an X server, and rofi an X
    /// server or a Wayland compositor.
    func isUsable(hasTerminal: Bool) -> Bool {
      switch self {
      case .fzf: hasTerminal
      case .rofi: Environment["DISPLAY"] != nil || Environment["WAYLAND_DISPLAY"] != nil
      case .dmenu: Environment["DISPLAY"] != nil
      }
    }
  }

  /// Looks for fzf, rofi and dmenu, in this order.
  ///
  /// - Parameters:
  ///   - board: the name of the board, for the prompt.
  ///   - address: the address of the bus, for the preview; nil for the session bus.
  ///   - severalAllowed: whether the user may choose several lines.
  ///   - hasTerminal: whether the command is used in a terminal.
  /// - Returns: the first program that is installed and can run; nil if there is none.
  static func installed(
    for board: String, at address: String?, severalAllowed: Bool, hasTerminal: Bool
  ) -> Chooser? {
    let known = Known.allCases.first { known in
      known.isUsable(hasTerminal: hasTerminal) && Program.onPath("\(known)") != nil
    }
    return known.map {
      Chooser(
        command: $0.command(for: board, at: address, severalAllowed: severalAllowed),
        readsIDs: $0 == .fzf)
    }
  }

  /// Runs the program until it exits.
  ///
  /// - Parameter lines: returns the next lines, each with its line feed; nil after the last line.
  /// - Returns: the chosen lines; empty if the user has cancelled.
  /// - Throws: `CommandError` if the program cannot be run; `Failure` if its streams fail; the
  ///   errors of `lines`.
  func choose(among lines: () async throws -> String?) async throws -> [Substring] {
    // The program may exit before it has read all lines.
    let handler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, handler) }
    var chooser = try start()
    do {
      while let next = try await lines(), let input = chooser.input {
        try Console.write(next, to: input.number)
      }
    } catch Failure.outputClosed {
      // The program closed its input before the last line, which is not an error.
    } catch {
      chooser.input = nil
      _ = chooser.process.wait()
      throw error
    }
    chooser.input = nil
    let chosen = try withExtendedLifetime(chooser.output) { output in
      try InputFile(output.number, name: "the chooser", isOwned: false).bytes()
    }
    let code = chooser.process.wait()
    guard code != 126, code != 127 else {
      throw CommandError(
        .notFound, "'\(command)' cannot be run", remedy: "Check that the program is installed.")
    }
    return code == 0 ? String(decoding: chosen, as: UTF8.self).split(separator: "\n") : []
  }

  /// Starts the program; returns the ends of its streams, which the caller releases to close them.
  private func start() throws -> (
    process: Subprocess, input: FileDescriptor?, output: FileDescriptor
  ) {
    let (input, output) = (try FileDescriptor.makePipe(), try FileDescriptor.makePipe())
    let process = try Subprocess(
      shell: command, input: .descriptor(input.reading), output: .descriptor(output.writing))
    return (process, input.writing, output.reading)
  }
}
