import DragboardClient
import Foundation
import TestSupport

/// A desktop with a picker, for tests that paste.
final class PickingDesk {
  let clipboard: ClipboardDesk
  private let picker: TestProgram
  private var programs: [TestProgram] = []
  private static let peer = Checkout.path("Desktop/Tests/Peers/paste-peer")

  /// The portal of a desk with KWin.
  enum Portal {
    /// A stub that asks nothing, and presses the keys as KDE's portal does.
    case stub
    /// KDE's portal, which asks the user.
    case kde
  }

  init(_ display: Display, portal: Portal = .stub) async throws {
    clipboard = try await ClipboardDesk(display)
    if display == .sway {
      // Without a keyboard, a compositor gives no window the focus. A user has one.
      programs.append(try clipboard.start("exec wtype -s 3600000 -k Shift_L"))
    }
    if display == .kwin {
      programs += try portal == .stub ? [Self.startStub(clipboard)] : Self.startKDE(clipboard)
    }
    picker = try TestProgram([Self.peer, "picker"], clipboard.environment, hasInput: true)
    guard picker.nextLine() == "ready" else {
      throw TestProgram.Failure(description: "the picker does not start")
    }
  }

  deinit {
    picker.kill()
    for program in programs { program.kill() }
  }

  // MARK: The portal

  private static func startStub(_ desk: ClipboardDesk) throws -> TestProgram {
    let portal = try TestProgram(
      [Checkout.path("Desktop/Tests/Peers/portal-desktop"), "--keys", "portal-only"],
      desk.environment, hasInput: true)
    guard portal.nextLine() == "serves" else {
      throw TestProgram.Failure(description: "the portal does not start")
    }
    try desk.call("org.dragboard.Clipboard1.AllowPasting")
    return portal
  }

  /// The programs of KDE's portal: the database of permissions, KDE's part, and the portal itself.
  static let kdePortal = [
    ("/usr/libexec/xdg-permission-store", "org.freedesktop.impl.portal.PermissionStore"),
    (
      "/usr/lib/x86_64-linux-gnu/libexec/xdg-desktop-portal-kde",
      "org.freedesktop.impl.portal.desktop.kde"
    ),
    ("/usr/libexec/xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
  ]

  private static func startKDE(_ desk: ClipboardDesk) throws -> [TestProgram] {
    // The portal knows an application by its desktop file.
    let folder = desk.home.appending(path: "data/applications")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let entry = "[Desktop Entry]\nType=Application\nName=Shelf\nExec=true\n"
    try Data(entry.utf8).write(to: folder.appending(path: "org.dragboard.Shelf.desktop"))
    return try kdePortal.map { path, name in
      let program = try desk.start("XDG_CURRENT_DESKTOP=KDE exec \(path)")
      try ClipboardDesk.wait(for: name, desk.environment)
      return program
    }
  }

  // MARK: Rows

  /// Stores a text as a row.
  func row(_ text: String) async throws -> Row { try await row(("text/plain;charset=utf-8", text)) }

  func row(_ types: (String, String)...) async throws -> Row {
    let board = try await clipboard.board()
    _ = try await board.insert(
      types.map { (ContentType($0), RowBytes.data(Array($1.utf8))) }, at: 0)
    return try await board.row(at: RowPosition(section: 0, row: 0))
  }

  // MARK: The picker

  /// Sends a line to the picker, and returns its answer.
  func ask(_ line: String) throws -> String {
    try picker.send(line)
    guard let answer = picker.nextLine() else {
      throw TestProgram.Failure(description: "the picker does not answer: \(line)")
    }
    return answer
  }

  /// Shows and hides the picker, and pastes a row.
  ///
  /// If `pause` is true, the user takes a moment to pick.
  ///
  /// - Returns: the outcome and the reason.
  func pick(_ row: Row, _ options: String..., pause: Bool = false) throws -> String {
    for (command, answer) in [("prepare", "prepared"), ("show", "shown"), ("hide", "hidden")] {
      if pause, command == "hide" { usleep(300_000) }
      let line = try ask(command)
      guard line == answer else { return line }
      // The picker may believe that it still has its last focus.
      while isGNOME, command == "show", try focusedTitle() != "Picker" { usleep(10_000) }
    }
    return try paste(row, options)
  }

  func paste(_ row: Row, _ options: String...) throws -> String { try paste(row, options) }

  private func paste(_ row: Row, _ options: [String]) throws -> String {
    let words =
      ["paste", "/org/dragboard/Dragboard1/board/clipboard", row.id.description] + options
    let answer = try ask(words.joined(separator: " "))
    // The answer has the time of the call after the outcome.
    let parts = answer.split(separator: " ", maxSplits: 2)
    return ([parts[0]] + parts.dropFirst(2)).joined(separator: " ")
  }

  // MARK: Other windows

  /// Starts an editor with the name of another program, and waits until it has the focus.
  func editor(
    _ toolkit: String, titled title: String = "Editor", as name: String = "paste-peer"
  ) async throws -> Editor {
    let file = clipboard.home.appending(path: UUID().uuidString).path
    var peer = Self.peer
    if name != "paste-peer" {
      // The application of a window is the name of its file.
      peer = clipboard.home.appending(path: name).path
      try clipboard.shell("ln -sf \(Self.peer) \(peer)")
    }
    let program = try clipboard.start("\(peer) editor \(toolkit) \(title) | tee \(file)")
    programs.append(program)
    let editor = Editor(program, writingTo: file)
    // GNOME and KWin do not always give the focus to a window that the user has not asked for.
    if clipboard.display == .kwin {
      let find = "echo 'frame ^\(title)$' | \(Checkout.path("Desktop/Tests/screen"))"
      try await clipboard.until { try clipboard.shell(find).count > "ok \n".count }
    }
    if isGNOME || clipboard.display == .kwin { try focus(title) }
    try await editor.untilFocused()
    return editor
  }

  /// The command that gives a window the focus.
  func focusCommand(_ title: String) -> String {
    switch clipboard.display {
    case .openbox: "xdotool search --name '^\(title)$' windowactivate"
    default: "echo 'focus ^\(title)$' | \(Checkout.path("Desktop/Tests/screen"))"
    }
  }

  /// Waits until the display has no window with a title.
  func untilClosed(_ title: String) async throws {
    let find =
      isX
      ? "xdotool search --name '^\(title)$' || true"
      : "echo 'frame ^\(title)$' | \(Checkout.path("Desktop/Tests/screen"))"
    try await clipboard.until {
      ["", "ok"].contains(
        try clipboard.shell(find).trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  func focus(_ title: String) throws { try clipboard.shell(focusCommand(title)) }

  /// Whether programs can grab the keyboard, and own the primary selection without the focus.
  var isX: Bool { clipboard.display == .openbox }

  // MARK: The primary selection

  private var isGNOME: Bool { clipboard.display == .gnomeExtension }

  /// Runs code in GNOME Shell, and returns its value.
  private func evaluate(_ code: String) throws -> String {
    let answer = try TestProgram.run(
      [
        "gdbus", "call", "--session", "-d", "org.gnome.Shell", "-o", "/org/gnome/Shell", "-m",
        "org.gnome.Shell.Eval", "const {Clipboard, ClipboardType} = imports.gi.St; \(code)",
      ], clipboard.environment)
    // The answer is `(true, '"text"')`.
    return answer.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
  }

  /// Returns the title of the window that has the focus in GNOME Shell.
  private func focusedTitle() throws -> String {
    try evaluate("global.display.focus_window?.get_title() ?? ''")
  }

  /// Selects a text in another program.
  func select(_ text: String) throws {
    if isGNOME {
      _ = try evaluate("Clipboard.get_default().set_text(ClipboardType.PRIMARY, '\(text)'); 1")
      return
    }
    try clipboard.shell(
      isX
        ? "printf '%s' '\(text)' | xclip -selection primary >/dev/null"
        : "printf '%s' '\(text)' | wl-copy --primary")
    while try selected() != text { usleep(10_000) }
  }

  /// Claims the primary selection with these types.
  func claimPrimary(_ types: (String, String)...) throws -> TestProgram {
    let owner = try TestProgram(
      [Self.peer, "select"] + types.map { "\($0)=\($1)" }, clipboard.environment)
    programs.append(owner)
    guard owner.nextLine() == "selected" else {
      throw TestProgram.Failure(description: "the peer does not own the selection")
    }
    return owner
  }

  /// Returns the text of the primary selection; nil if there is none.
  func selected() throws -> String? {
    if isGNOME {
      _ = try evaluate(
        "Clipboard.get_default().get_text(ClipboardType.PRIMARY, (c, text) => { global.selected = text; }); 1"
      )
      usleep(100_000)
      let text = try evaluate("global.selected")
      return text.isEmpty ? nil : text
    }
    return try? clipboard.shell(
      isX
        ? "timeout 5 xclip -o -selection primary -t UTF8_STRING 2>/dev/null"
        : "timeout 5 wl-paste --primary -n 2>/dev/null")
  }
}

/// A window with a text.
final class Editor {
  let program: TestProgram
  /// The file with the lines of the program.
  private let file: String
  private var takenCount = 0

  init(_ program: TestProgram, writingTo file: String) {
    (self.program, self.file) = (program, file)
  }

  private var lines: [String] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    // The last line may be incomplete.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until the window has the focus.
  func untilFocused(line: Int = #line) async throws {
    try await ClipboardDesk.until(line: line) {
      self.lines.last { $0.hasPrefix("focused") || $0.hasPrefix("blurred") }?.hasPrefix("focused")
        == true
    }
  }

  /// Waits for the next inserted text.
  func nextInserted(line: Int = #line) async throws -> String {
    try await ClipboardDesk.until(line: line) { self.texts.count > self.takenCount }
    takenCount += 1
    return texts[takenCount - 1]
  }

  /// The texts that have been inserted without being waited for.
  ///
  /// A text that is pasted by mistake arrives within a tenth of a second.
  func inserted() async throws -> [String] {
    try await Task.sleep(for: .milliseconds(100))
    return Array(texts.dropFirst(takenCount))
  }

  private var texts: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.first == "inserted", words.count == 3 else { return nil }
      return try? JSONDecoder().decode(String.self, from: Data(words[2].utf8))
    }
  }
}
