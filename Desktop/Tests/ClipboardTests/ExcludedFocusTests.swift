import DragboardClient
import Foundation
import TestSupport
import Testing

/// Exclusions of applications on each display that reports the application of a copy.
///
/// An excluded application makes copies, and keeps the focus or loses it at once. Another
/// application then makes as many copies, which must all be stored.
@Suite(.serialized) struct ExcludedFocusTests {
  /// The number of copies of each application.
  static let count =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_ROUNDS"].flatMap(Int.init) ?? 3

  /// Starts an application, and another one that is excluded and has the focus.
  private func scene(
    on display: Display
  ) async throws -> (
    desk: ClipboardDesk, editor: TestProgram, manager: TestProgram, keyboard: TestProgram?
  ) {
    let desk = try await ClipboardDesk(display)
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedApplications",
      "<['dragboard-manager']>")
    // The window of the other application gets the focus when the manager's window is hidden.
    let editor = try desk.startFocusPeer("dragboard-editor")
    let manager = try desk.startFocusPeer("dragboard-manager")
    return (desk, editor, manager, try desk.pressKeys())
  }

  @Test(
    "No copy of an excluded application is stored, and every copy of another is",
    arguments: Display.withFocus, ["keep", "leave", "late"])
  func noCopyOfAnExcludedApplicationIsStored(_ display: Display, _ mode: String) async throws {
    let (desk, editor, manager, keyboard) = try await scene(on: display)
    try manager.send("copy \(Self.count) \(mode)")
    #expect(manager.nextLine() == "done")
    try manager.send("hide")
    #expect(manager.nextLine() == "hidden")
    // Copies within a second after the focus has left an excluded application are not stored.
    try await Task.sleep(for: .milliseconds(1_500))
    // A program may replace a copy before the bridge has read it.
    for number in 1...Self.count {
      try editor.send("copy 1 keep")
      #expect(editor.nextLine() == "done")
      let text = "dragboard-editor-\(number)"
      try await desk.until { try await desk.rows().first?.preview == text }
    }
    #expect(
      try await desk.rows().map(\.preview)
        == (1...Self.count).reversed().map { "dragboard-editor-\($0)" })
    for program in [editor, manager, keyboard] { program?.kill() }
  }

  @Test(
    "A copy within a second after the focus has left an excluded application is not stored",
    arguments: Display.withFocus.filter { $0 != .x11 })
  func aCopyWithinASecondIsNotStored(_ display: Display) async throws {
    let (desk, editor, manager, keyboard) = try await scene(on: display)
    // The keyboard works after the first copy.
    try manager.send("copy 1 keep")
    #expect(manager.nextLine() == "done")
    try editor.send("copy 1 keep")
    try manager.send("hide")
    #expect(editor.nextLine() == "done")
    try await Task.sleep(for: .milliseconds(1_500))
    try editor.send("copy 1 keep")
    #expect(editor.nextLine() == "done")
    try await desk.until { try await desk.rows().first?.preview == "dragboard-editor-2" }
    #expect(try await desk.rows().count == 1)
    for program in [editor, manager, keyboard] { program?.kill() }
  }
}

/// Exclusions of windows by their titles, on the displays that report titles.
@Suite(.serialized) struct ExcludedWindowTests {
  private static let displays = Display.all.filter { [.x11, .sway, .labwc, .kwin].contains($0) }

  @Test("No copy of a window that is excluded by its title is stored", arguments: displays)
  func noCopyOfAWindowThatIsExcludedByItsTitleIsStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedWindows",
      "<['* - Private']>")
    let editor = try desk.startFocusPeer("dragboard-editor")
    let keyboard = try desk.pressKeys()
    // The X display has no window manager, which would set this property.
    if display == .x11 {
      try desk.shell(
        """
        window=$(xdotool search --onlyvisible --name '^dragboard-editor$' | head -n 1)
        xprop -root -f _NET_ACTIVE_WINDOW 32x -set _NET_ACTIVE_WINDOW $window
        """)
    }
    try editor.send("title Bank - Private")
    #expect(editor.nextLine() == "titled")
    try editor.send("copy 1 keep")
    #expect(editor.nextLine() == "done")
    try editor.send("title Bank")
    #expect(editor.nextLine() == "titled")
    try await Task.sleep(for: .milliseconds(1_500))
    try editor.send("copy 1 keep")
    #expect(editor.nextLine() == "done")
    try await desk.until { try await desk.rows().first?.preview == "dragboard-editor-2" }
    #expect(try await desk.rows().count == 1)
    // Applications are offered for exclusion, but never titles.
    // The kernel cuts off the name of a process.
    let name = display == .x11 ? "dragboard-edito" : "dragboard-editor"
    #expect(try desk.property("RecentApplications") == "<['\(name)']>")
    for program in [editor, keyboard] { program?.kill() }
  }

  @Test(
    "Only KWin can report the focus", .enabled(if: Display.all.contains(.kwin)))
  func onlyKWinCanReportTheFocus() async throws {
    let desk = try await ClipboardDesk(.kwin)
    #expect(try desk.property("ApplicationReports") == "<'kwin-script'>")
    let answers = try desk.shell(
      """
      for name in $(gdbus call --session -d org.freedesktop.DBus -o / -m org.freedesktop.DBus.ListNames \
        | grep -o "':[0-9.]*'" | tr -d "'"); do
        gdbus call --session --timeout 5 -d "$name" -o /org/dragboard/Focus \
          -m org.dragboard.Focus1.Focus forged forged forged 2>&1 || true
      done
      """)
    #expect(answers.contains("only KWin may report the focus"))
    #expect(try desk.property("RecentApplications") == "<@as []>")
  }
}

extension ClipboardDesk {
  /// Starts an application that copies while it has the focus, and waits for its window.
  func startFocusPeer(_ name: String) throws -> TestProgram {
    // On X11, the application's name is the name of its script.
    let script = home.appending(path: name).path
    try shell("cp '\(Self.peer("focus-peer"))' '\(script)'")
    let program = try TestProgram([script, name], environment, hasInput: true)
    guard program.nextLine() == "shown" else {
      throw TestProgram.Failure(description: "the window of \(name) does not appear")
    }
    return program
  }
}
