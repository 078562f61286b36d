import DragboardClient
import Foundation
import TestSupport
import Testing

/// Pastes of a picked row into the window that had the focus before.
@Suite(.serialized) struct SelectToPasteTests {
  /// The displays with a window manager that gives windows the focus.
  private static let displays: [Display] = {
    Display.all.compactMap { display in
      switch display {
      case .x11: .openbox
      case .sway, .kwin, .gnomeExtension: display
      default: nil
      }
    }
  }()
  private static let editors: [String] = ["gtk3", "gtk4", qt, "action", "xterm", "vte", "foot"]
  /// The newest Qt that Python has.
  private static let qt =
    FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/PyQt6") ? "qt6" : "qt5"
  /// The display and the editor of each case.
  ///
  /// Foot runs only on Wayland, and xterm only on X11.
  private static let cases: [(Display, String)] = displays.flatMap { display in
    editors.filter { $0 != (display == .openbox ? "foot" : "xterm") }.map { (display, $0) }
  }
  private static let rounds =
    Int(ProcessInfo.processInfo.environment["DRAGBOARD_TEST_ROUNDS"] ?? "") ?? 5

  @Test("A picked row is pasted into the window that had the focus", arguments: cases)
  func aPickedRowIsPasted(_ display: Display, _ editor: String) async throws {
    let desk = try await PickingDesk(display)
    // In a program of KDE, Shift+Insert is an action.
    let window = try await desk.editor(
      editor, as: editor == "action" ? "org.kde.action" : "paste-peer")
    for round in 1...Self.rounds {
      let text = "text ß \(round)"
      let row = try await desk.row(text)
      // If the focus leaves a window of Qt and comes back at once, the window may stay inactive, and
      // its shortcuts do not work.
      #expect(try desk.pick(row, pause: editor == "action") == "pasted")
      #expect(try await window.nextInserted() == text)
      #expect(try desk.clipboard.offeredNames().contains("text/plain;charset=utf-8"))
    }
  }

  @Test(
    "A text with line ends into a terminal is pasted only after a confirmation", arguments: displays
  )
  func aTextWithLineEndsNeedsAConfirmation(_ display: Display) async throws {
    let desk = try await PickingDesk(display)
    let terminal = try await desk.editor(display == .openbox ? "xterm" : "foot")
    for text in ["rm -r /\n", "a\rb", "a\u{1B}[201~b", "a\u{9B}b", "a\tb"] {
      let row = try await desk.row(text)
      let before = try? desk.clipboard.pastedHash("text/plain;charset=utf-8")
      #expect(
        try desk.pick(row)
          == "confirm The text has several lines or control characters, which a terminal may run as commands."
      )
      #expect((try? desk.clipboard.pastedHash("text/plain;charset=utf-8")) == before)
    }
    let row = try await desk.row("a\nb")
    #expect(try desk.pick(row).hasPrefix("confirm"))
    #expect(try desk.paste(row, "confirmed") == "pasted")
    #expect(try await terminal.nextInserted() == "a\rb")
    // An editor needs no confirmation.
    let editor = try await desk.editor("gtk3")
    #expect(try desk.pick(row) == "pasted")
    #expect(try await editor.nextInserted() == "a\nb")
    #expect(try await terminal.inserted().isEmpty)
    guard [.sway, .kwin].contains(display) else { return }
    // This one has no name of a terminal. So it shows the effect on a terminal that gets the keys
    // although it is not the remembered window: it pastes nothing.
    let hidden = try await desk.editor("vte")
    try desk.select("former")
    #expect(try desk.pick(row) == "pasted")
    try await desk.clipboard.until { try desk.selected() == "former" }
    #expect(try await hidden.inserted().isEmpty)
    // Konsole would paste the clipboard, not the selection.
    let konsole = try await desk.editor("gtk3", titled: "Konsole", as: "konsole")
    try desk.focus("Editor")
    try await hidden.untilFocused()
    #expect(try desk.pick(row).hasPrefix("confirm"))
    konsole.program.kill()
    try await hidden.untilFocused()
    #expect(try await hidden.inserted().isEmpty)
  }

  @Test("Only the plain text of a row is pasted if that is asked for", arguments: displays)
  func onlyThePlainTextIsPasted(_ display: Display) async throws {
    let desk = try await PickingDesk(display)
    let editor = try await desk.editor("gtk3")
    let row = try await desk.row(
      ("text/html", "<b>x</b>"), ("text/plain;charset=utf-8", "x"))
    #expect(try desk.pick(row, "plain") == "pasted")
    #expect(try await editor.nextInserted() == "x")
    #expect(try !desk.clipboard.offeredNames().contains("text/html"))
    let picture = try await desk.row(("image/png", "x"))
    #expect(
      try desk.pick(picture, "plain")
        == "error org.freedesktop.DBus.Error.InvalidArgs: GDBus.Error:org.freedesktop.DBus.Error.InvalidArgs:"
        + " plain: the row has no plain text (expected a row with text)")
    #expect(
      try desk.paste(picture, "other").hasPrefix("error org.freedesktop.DBus.Error.InvalidArgs"))
  }

  @Test("The primary selection gets back its text", arguments: displays)
  func thePrimarySelectionGetsBackItsText(_ display: Display) async throws {
    let desk = try await PickingDesk(display)
    let terminal = try await desk.editor(display == .openbox ? "xterm" : "foot")
    for round in 1...2 {
      let text = "text \(round)"
      let row = try await desk.row(text)
      if round == 1 { try desk.select("former") }
      #expect(try desk.pick(row, pause: true) == "pasted")
      #expect(try await terminal.nextInserted() == text)
      try await desk.clipboard.until { try desk.selected() == "former" }
      #expect(
        try desk.clipboard.pastedHash("text/plain;charset=utf-8")
          == desk.clipboard.shell("printf '\(text)' | sha256sum"))
    }
    guard desk.isX else { return }
    // A secret is not offered without its mark.
    let secret = try desk.claimPrimary(
      ("text/plain;charset=utf-8", "secret"), ("x-kde-passwordManagerHint", ""))
    #expect(try desk.pick(try await desk.row("text 3"), pause: true) == "pasted")
    #expect(try await terminal.nextInserted() == "text 3")
    try await desk.clipboard.until { try desk.selected() == nil }
    secret.kill()
  }

  @Test("A window is remembered for one paste of the same caller", arguments: displays)
  func aWindowIsRememberedForOnePaste(_ display: Display) async throws {
    let desk = try await PickingDesk(display)
    let editor = try await desk.editor("gtk3")
    let row = try await desk.row("text")
    let unknown = "copied The window to paste into is not known."
    #expect(try desk.paste(row) == unknown)
    #expect(try desk.pick(row) == "pasted")
    #expect(try await editor.nextInserted() == "text")
    #expect(try desk.paste(row) == unknown)
    #expect(try desk.ask("prepare") == "prepared")
    let path = try await desk.clipboard.board().id.path
    #expect(
      try desk.clipboard.call(
        "org.dragboard.Clipboard1.Paste", path, row.id.description, "@a{sv} {}")
        == "('copied', 'The window to paste into is not known.')")
    #expect(try await editor.inserted().isEmpty)
  }

  @Test("Held keys are released", .enabled(if: displays.contains(.openbox)))
  func heldKeysAreReleased() async throws {
    let desk = try await PickingDesk(.openbox)
    let editor = try await desk.editor("gtk4")
    for (round, keys) in ["super", "ctrl", "alt+shift", "super+ctrl", "Return"].enumerated() {
      let row = try await desk.row("text \(round)")
      #expect(try desk.ask("prepare") == "prepared")
      #expect(try desk.ask("show") == "shown")
      for key in keys.split(separator: "+") { try desk.clipboard.shell("xdotool keydown \(key)") }
      #expect(try desk.ask("hide") == "hidden")
      #expect(try desk.paste(row) == "pasted")
      #expect(try await editor.nextInserted() == "text \(round)")
      for key in keys.split(separator: "+") { try desk.clipboard.shell("xdotool keyup \(key)") }
    }
    // No key is left pressed: an ordinary key has its ordinary meaning.
    try desk.clipboard.shell("xdotool key a")
    #expect(try await editor.nextInserted() == "a")
  }

  /// The reasons why a key could go to a wrong window or paste a wrong text, in random order.
  private enum Hazard: CaseIterable {
    case none, otherWindow, otherWindowLate, closedWindow, otherPrimary, lockedScreen,
      grabbedKeyboard,
      linesIntoTerminal
  }

  @Test("Nothing is pasted where it does not belong", arguments: displays)
  func nothingIsPastedWhereItDoesNotBelong(_ display: Display) async throws {
    let desk = try await PickingDesk(display)
    let terminal = try await desk.editor(display == .openbox ? "xterm" : "foot", titled: "Terminal")
    let other = try await desk.editor("gtk3", titled: "Other")
    let mock = LockTests.screenSavers[0]
    let saver = try mock.start(desk.clipboard)
    try mock.call(desk.clipboard, "AddMethod", "GetActive", "", "b", "ret=False")
    var generator = SystemRandomNumberGenerator()
    var hazards: [Hazard] = []
    for round in 1...(2 * Self.rounds) {
      if hazards.isEmpty { hazards = Hazard.allCases.shuffled(using: &generator) }
      let hazard = hazards.removeLast()
      if hazard == .grabbedKeyboard, !desk.isX { continue }
      let text = "text \(round)" + (hazard == .linesIntoTerminal ? "\n" : "")
      let row = try await desk.row(text)
      try desk.focus("Terminal")
      try await terminal.untilFocused()
      let closed = try await hazard == .closedWindow ? desk.editor("gtk3", titled: "Closed") : nil
      #expect(try desk.ask("prepare") == "prepared")
      #expect(try desk.ask("show") == "shown")
      var helper: TestProgram?
      switch hazard {
      case .otherWindow: try desk.focus("Other")
      case .closedWindow:
        closed?.program.kill()
        // The display may notice the end of the program later.
        try await desk.untilClosed("Closed")
      case .lockedScreen:
        try mock.call(
          desk.clipboard, "EmitSignal", mock.interface, "ActiveChanged", "b", "[<true>]")
      case .otherPrimary: try desk.select("stale")
      default: break
      }
      #expect(try desk.ask("hide") == "hidden")
      switch hazard {
      case .grabbedKeyboard:
        helper = try TestProgram(
          [Checkout.path("Desktop/Tests/Peers/paste-peer"), "grab"], desk.clipboard.environment)
        #expect(helper?.nextLine() == "grabbed")
      case .otherWindowLate:
        let milliseconds = Int.random(in: 0...20)
        helper = try desk.clipboard.start(
          "sleep 0.\(milliseconds < 10 ? "00" : "0")\(milliseconds); \(desk.focusCommand("Other"))")
      default: break
      }
      let outcome = try desk.paste(row)
      let expected: [String] =
        switch hazard {
        case .none, .otherPrimary: ["pasted"]
        case .otherWindow: ["copied Another window has the focus now."]
        case .otherWindowLate: ["pasted", "copied Another window has the focus now."]
        case .closedWindow:
          [
            "copied The window to paste into was closed.",
            "copied Another window has the focus now.",
          ]
        case .lockedScreen: ["copied The screen is locked."]
        case .grabbedKeyboard: ["copied An open menu or another program has the keyboard."]
        case .linesIntoTerminal:
          [
            "confirm The text has several lines or control characters, which a terminal may run as commands."
          ]
        }
      #expect(expected.contains(outcome), "\(hazard), round \(round)")
      if outcome == "pasted" {
        #expect(try await terminal.nextInserted() == text, "\(hazard), round \(round)")
      }
      helper?.kill()
      if hazard == .lockedScreen {
        try mock.call(
          desk.clipboard, "EmitSignal", mock.interface, "ActiveChanged", "b", "[<false>]")
      }
      #expect(try await other.inserted().isEmpty, "\(hazard), round \(round)")
      #expect(try await terminal.inserted().isEmpty, "\(hazard), round \(round)")
    }
    saver.kill()
  }
}
