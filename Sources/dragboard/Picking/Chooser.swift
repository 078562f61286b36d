import DragboardClient
import Glibc

/// A program to choose lines with: it reads them from standard input and writes the chosen ones.
struct Chooser: Equatable, Sendable {
  /// As a shell takes it.
  let command: String

  /// A program whose options are known.
  private enum Known: CaseIterable {
    case fzf, rofi, dmenu

    /// The command, with options to show the lines in order below a prompt.
    func command(for board: String, at address: String?, severalAllowed: Bool) -> String {
      let prompt = ShellWord.quoted(board)
      return switch self {
      case .fzf:
        "fzf --no-sort --layout=reverse --prompt=\(prompt)'> '" + (severalAllowed ? " --multi" : "")
          + Self.preview(of: board, at: address)
      case .rofi: "rofi -dmenu -i -p \(prompt)" + (severalAllowed ? " -multi-select" : "")
      case .dmenu: "dmenu -i -l 20 -p \(prompt)"
      }
    }

    /// The options for a preview of the row at the cursor, whose place precedes two spaces.
    ///
    /// fzf replaces words in braces: a name with a brace gets no preview.
    private static func preview(of board: String, at address: String?) -> String {
      guard let path = try? Program.findSibling("dragboard") else { return "" }
      let options = ["--board", board] + (address.map { ["--address", $0] } ?? [])
      let command = ([path, "show"] + options).map(ShellWord.quoted).joined(separator: " ")
      guard !command.contains("{") else { return "" }
      return " --delimiter='  ' --preview=\(ShellWord.quoted(command + " -- {1}"))"
    }

    /// Whether it can run: fzf needs a terminal, dmenu an X server, rofi either kind of display.
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
  ///   - board: name of the board, for the prompt and the preview.
  ///   - address: the bus, for the preview; nil is the session bus.
  ///   - severalAllowed: whether more than one line may be chosen.
  ///   - hasTerminal: whether a person sits at one.
  /// - Returns: the first that is installed and can run; nil for none.
  static func installed(
    for board: String, at address: String?, severalAllowed: Bool, hasTerminal: Bool
  ) -> Chooser? {
    let known = Known.allCases.first { known in
      known.isUsable(hasTerminal: hasTerminal) && Program.onPath("\(known)") != nil
    }
    return known.map {
      Chooser(
        command: $0.command(for: board, at: address, severalAllowed: severalAllowed))
    }
  }

  /// Runs it to its end.
  ///
  /// - Parameter lines: returns the next lines, each with its line feed, until nil.
  /// - Returns: the chosen lines; none if the person has cancelled.
  /// - Throws: `CommandError` if there is no such program; `Failure`, and what `lines` throws.
  func choose(among lines: () async throws -> String?) async throws -> [Substring] {
    // The program may exit before it has read all lines.
    let handler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, handler) }
    var input = try Pipe()
    var output = try Pipe()
    let process = try Subprocess(
      shell: command, input: .descriptor(input.reading), output: .descriptor(output.writing))
    input.closeReading()
    output.closeWriting()
    do {
      while let next = try await lines() { try Console.write(next, to: input.writing) }
    } catch Failure.outputClosed {
      // It has read as much as it wanted.
    } catch {
      input.closeWriting()
      _ = process.wait()
      throw error
    }
    input.closeWriting()
    let chosen = try InputFile(output.takeReading(), name: "the chooser", isOwned: true).bytes()
    let code = process.wait()
    guard code != 126, code != 127 else {
      throw CommandError(.notFound, "'\(command)' cannot be run", remedy: "Is it installed?")
    }
    return code == 0 ? String(decoding: chosen, as: UTF8.self).split(separator: "\n") : []
  }
}
