import ArgumentParser
import DragboardClient

struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Ask which parts are on, and switch them.",
    discussion: """
      Ask three questions: whether the bridge stores every copy of the clipboard, whether the shelf starts at login, and \
      which shortcut opens the shelf. A part without an answer stays as it is. Options are answers, too; with an option, \
      nothing is asked. Without a terminal, or with --json, only print the state of the parts.

      EXAMPLES:
        dragboard setup
        dragboard setup --clipboard on --shelf off
        dragboard setup --shortcut '<Super><Shift>v'
        dragboard setup --json
      """)

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Option(help: "Store every copy of the clipboard: on or off.")
  var clipboard: Switch?
  @Option(help: "Start the shelf at login: on or off.")
  var shelf: Switch?
  @Option(
    help: ArgumentHelp(
      "Shortcut that opens the shelf on GNOME, such as <Super><Shift>v; none removes it.",
      valueName: "keys"))
  var shortcut: ShelfShortcut.Keys?
  @OptionGroup var output: OutputOptions

  func run() throws {
    if clipboard != nil || shelf != nil || shortcut != nil {
      try apply()
    } else if Console.isInteractive, !output.json {
      try askAll()
    }
    try printState()
  }

  /// Checks all answers, and then carries them out.
  private func apply() throws {
    if clipboard == .on { _ = try program("--clipboard", ClipboardUnit.program) }
    if shelf == .on { _ = try program("--shelf", LoginShelf.program) }
    if case .keys? = shortcut { _ = try program("--shortcut", LoginShelf.program) }
    if shortcut != nil, ShelfShortcut.state == nil {
      throw CommandError(
        .notFound, "--shortcut: only GNOME has such a setting", remedy: ShelfShortcut.otherDesktops)
    }
    if let clipboard { try ClipboardUnit.systemctl(clipboard == .on ? "enable" : "disable") }
    if let shelf { try LoginShelf.set(shelf == .on) }
    if let shortcut { try ShelfShortcut.set(shortcut) }
  }

  private func program(_ option: String, _ name: String) throws(CommandError) -> String {
    do throws(Failure) { return try Program.findSibling(name) } catch {
      throw CommandError(
        .notFound, "\(option): \(name) is not installed",
        remedy: "To build and install it: packaging/install --help")
    }
  }

  private func askAll() throws {
    if let isOn = PartState.ofClipboard.isOn,
      let answer = Question.ask(
        "Store every copy of the clipboard on a board? It is \(isOn ? "on" : "off").")
    {
      try ClipboardUnit.systemctl(answer ? "enable" : "disable")
    }
    if let isOn = PartState.ofShelf.isOn,
      let answer = Question.ask("Start the shelf at login? It is \(isOn ? "on" : "off").")
    {
      try LoginShelf.set(answer)
    }
    guard PartState.ofShelf.isOn != nil else { return }
    guard let keys = ShelfShortcut.state else {
      return Console.writeError(ShelfShortcut.otherDesktops + "\n")
    }
    if let answer = askShortcut(keys) { try ShelfShortcut.set(answer) }
  }

  /// Asks for the shortcut until the answer is valid; returns nil for no answer.
  private func askShortcut(_ keys: ShelfShortcut.Keys) -> ShelfShortcut.Keys? {
    while true {
      let question = "Shortcut that opens the shelf, such as <Super><Shift>v? It is \(keys)."
      guard let answer = Question.askText(question), !answer.isEmpty else { return nil }
      if let keys = ShelfShortcut.Keys(argument: answer) { return keys }
      Console.writeError(
        "'\(TerminalText(answer).text)' is not a shortcut (expected keys such as <Super><Shift>v, or none)\n"
      )
    }
  }

  private func printState() throws {
    let shortcut = ShelfShortcut.state
    if output.json {
      return try Console.writeLine([
        "clipboard": .string(PartState.ofClipboard.rawValue),
        "shelf": .string(PartState.ofShelf.rawValue),
        "shortcut": JSON(text: shortcut),
      ])
    }
    for (name, value) in [
      ("clipboard", PartState.ofClipboard.words), ("shelf", PartState.ofShelf.words),
      ("shortcut", shortcut?.description ?? "only on GNOME"),
    ] {
      try Console.writeLine(
        Ink.standard.dim(TerminalText(name).padded(to: 12)) + TerminalText(value).text)
    }
  }
}

/// Whether a part is switched on.
enum PartState: String {
  case on, off, absent
  /// The session has no systemd, so the command cannot switch the part.
  case unknown

  static var ofClipboard: PartState {
    guard (try? Program.findSibling(ClipboardUnit.program)) != nil else { return .absent }
    return ClipboardUnit.isEnabled.map { $0 ? .on : .off } ?? .unknown
  }

  static var ofShelf: PartState {
    guard (try? Program.findSibling(LoginShelf.program)) != nil else { return .absent }
    return LoginShelf.isOn ? .on : .off
  }

  /// Whether the part is on; nil if the command cannot switch it.
  var isOn: Bool? {
    switch self {
    case .on: true
    case .off: false
    case .absent, .unknown: nil
    }
  }

  var words: String {
    switch self {
    case .on, .off: rawValue
    case .absent: "not installed"
    case .unknown: "unknown, because there is no systemd"
    }
  }
}
