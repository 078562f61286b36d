import DragboardClient
import Foundation
import TestSupport
import Testing

/// Pastes by the portal RemoteDesktop, on a stub of KDE: its scripts, its portal and its database of permissions.
@Suite(.serialized) struct PortalPasteTests {
  /// A desk whose bridge has started beside the stub.
  private final class Scene {
    let desk: ClipboardDesk
    private let desktop: TestProgram
    /// The events since the last step.
    private(set) var events: [String] = []
    /// The file of the token.
    let token: URL

    init(_ display: Display = .ext) async throws {
      desk = try await ClipboardDesk(display)
      let state =
        desk.environment["XDG_STATE_HOME"].map { URL(fileURLWithPath: $0) }
        ?? desk.home.appending(path: ".local/state")
      token = state.appending(path: "dragboard/paste-permission")
      desk.kill(.bridge)
      desktop = try TestProgram(
        [Checkout.path("Desktop/Tests/Peers/portal-desktop")], desk.environment, hasInput: true)
      guard desktop.nextLine() == "serves" else {
        throw TestProgram.Failure(description: "the stub does not start")
      }
      try await restartBridge()
      try perform("focus editor org.example.Editor")
    }

    deinit { desktop.kill() }

    func restartBridge() async throws {
      desk.kill(.bridge)
      try await desk.start(.bridge)
      try await desk.untilBridgeIsReady()
    }

    /// Sends a line without waiting for its end.
    func send(_ line: String) throws { try desktop.send(line) }

    /// Waits for an event, and records those before it.
    func wait(for event: String) throws {
      while let line = desktop.nextLine() {
        events.append(line)
        if line == event { return }
      }
      throw TestProgram.Failure(description: "no event \(event) after \(events)")
    }

    /// Waits for the end of a line, and returns its reply.
    func end(of verb: String) throws -> String {
      while let line = desktop.nextLine() {
        let prefix = "ended: \(verb)"
        if line.hasPrefix(prefix) {
          return line.dropFirst(prefix.count).drop { $0 == ":" }
            .trimmingCharacters(in: .whitespaces)
        }
        events.append(line)
      }
      throw TestProgram.Failure(description: "no end of \(verb) after \(events)")
    }

    /// Performs a line, and returns its reply; `events` has the events meanwhile.
    @discardableResult
    func perform(_ line: String) throws -> String {
      events = []
      try send(line)
      return try end(of: String(line.split(separator: " ")[0]))
    }

    func paste(_ row: Row, _ options: String = "") throws -> String {
      try perform(
        "paste /org/dragboard/Dragboard1/board/clipboard \(row.id.description) \(options)")
    }

    /// Shows and hides a picker, and pastes.
    func pick(_ row: Row) throws -> String {
      var all: [String] = []
      for line in ["prepare", "focus picker org.dragboard.Shelf", "focus editor"] {
        try perform(line)
        all += events
      }
      let outcome = try paste(row)
      events = all + events
      return outcome
    }

    func row(_ text: String) async throws -> Row {
      let board = try await desk.board()
      _ = try await board.insert(
        [(ContentType("text/plain;charset=utf-8"), RowBytes.data(Array(text.utf8)))], at: 0)
      return try await board.row(at: RowPosition(section: 0, row: 0))
    }

    var hasToken: Bool { FileManager.default.fileExists(atPath: token.path) }
  }

  private static let pressed = [
    "key Shift_L down", "key Insert down", "key Insert up", "key Shift_L up",
  ]
  private static let missing = "copied The desktop asks once whether Dragboard may press keys."

  @Test("The desktop asks only after the user has asked for it; then rows are pasted")
  func theDesktopAsksOnlyAfterTheUserHasAskedForIt() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    #expect(try scene.perform("get PasteMeans") == "portal")
    #expect(try scene.perform("get PastePermission") == "missing")
    #expect(try scene.pick(row) == Self.missing)
    #expect(scene.events.isEmpty, "the portal is not even called")
    #expect(try scene.desk.offeredNames().contains("text/plain;charset=utf-8"))
    #expect(try scene.perform("allow") == "")
    #expect(scene.events == ["registered org.dragboard.Shelf", "dialog", "started asked"])
    #expect(try scene.perform("get PastePermission") == "granted")
    // The window is still remembered.
    #expect(try scene.paste(row) == "pasted")
    #expect(scene.events == Self.pressed)
    #expect(try scene.pick(row) == "pasted")
    #expect(scene.events == Self.pressed)
    #expect(try scene.perform("allow") == "")
    #expect(scene.events.isEmpty, "the user is asked once")
    let mode = try FileManager.default.attributesOfItem(atPath: scene.token.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("A later bridge restores the permission without a question, with a new token each time")
  func aLaterBridgeRestoresThePermission() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("allow")
    var tokens: Set<String> = []
    for _ in 1...3 {
      tokens.insert(try String(contentsOf: scene.token, encoding: .utf8))
      try await scene.restartBridge()
      #expect(try scene.perform("get PastePermission") == "granted")
      #expect(try scene.pick(row) == "pasted")
      #expect(
        scene.events == ["registered org.dragboard.Shelf", "started restored"] + Self.pressed)
    }
    #expect(tokens.count == 3)
    // A permission that the desktop does not remember ends with the bridge.
    try scene.perform("forbid")
    if !scene.events.contains("deleted") { try scene.wait(for: "deleted") }
    #expect(!scene.hasToken)
    #expect(try scene.pick(row) == Self.missing)
    try scene.perform("answer once")
    try scene.perform("allow")
    #expect(!scene.hasToken)
    #expect(try scene.pick(row) == "pasted")
    try await scene.restartBridge()
    #expect(try scene.pick(row) == Self.missing)
  }

  @Test("A permission that the user has revoked leads to no question")
  func aPermissionThatTheUserHasRevoked() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("allow")
    // In the desktop's settings.
    try scene.perform("store forget")
    try await scene.restartBridge()
    #expect(try scene.pick(row) == Self.missing)
    #expect(scene.events == ["registered org.dragboard.Shelf"])
    #expect(!scene.hasToken)
    // By the icon of the session.
    try scene.perform("allow")
    try scene.perform("session end")
    #expect(try scene.pick(row) == Self.missing)
    #expect(scene.events.isEmpty, "the session is not restored")
    #expect(try scene.perform("get PastePermission") == "missing")
    #expect(try scene.perform("allow") == "")
    #expect(scene.events == ["registered org.dragboard.Shelf", "started restored"])
    #expect(try scene.pick(row) == "pasted")
    // With an invalid token, which a program may have written.
    for text in ["", "x y", String(repeating: "x", count: 1_000), "unknown"] {
      try Data(text.utf8).write(to: scene.token)
      try await scene.restartBridge()
      #expect(try scene.pick(row) == Self.missing)
      #expect(!scene.events.contains("dialog"))
    }
    // Without the database, a dialog could appear.
    try scene.perform("allow")
    try await scene.restartBridge()
    try scene.perform("store leave")
    #expect(try scene.pick(row) == Self.missing)
    #expect(scene.events == ["registered org.dragboard.Shelf"])
  }

  @Test("The session is opened again if the portal was restarted, or refuses a key")
  func theSessionIsOpenedAgain() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("allow")
    try scene.perform("portal leave")
    #expect(try scene.pick(row).hasPrefix("copied"))
    try scene.perform("portal return")
    #expect(try scene.pick(row) == "pasted")
    #expect(scene.events.contains("started restored"))
    try scene.perform("session fail")
    #expect(try scene.pick(row) == "copied The desktop refused to paste.")
    #expect(scene.events.allSatisfy { $0 == "session closed" })
    #expect(try scene.pick(row) == "pasted")
    #expect(scene.events.contains("started restored"))
  }

  @Test(
    "Without the permission, nothing is pasted and no token is stored",
    arguments: ["refuse", "nothing"])
  func withoutThePermission(_ answer: String) async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("answer \(answer)")
    #expect(try scene.perform("allow") == "error The desktop refused to paste.")
    #expect(scene.events.contains("session closed"))
    #expect(try scene.pick(row) == Self.missing)
    #expect(!scene.hasToken)
    try scene.perform("answer allow")
    #expect(try scene.perform("allow") == "")
    #expect(try scene.pick(row) == "pasted")
  }

  @Test("A portal that cannot press keys is not asked", arguments: ["version 1", "devices 6"])
  func aPortalThatCannotPressKeys(_ state: String) async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("portal \(state)")
    let reason = "This desktop lets no program paste. Press the keys that paste."
    #expect(try scene.perform("allow") == "error \(reason)")
    #expect(!scene.events.contains("dialog"))
    #expect(try scene.pick(row) == "copied \(reason)")
    #expect(try scene.perform("get PasteMeans") == "")
    #expect(try scene.perform("get PastePermission") == "not-needed")
  }

  /// The answers of the portal have deadlines.
  @Test("A portal that does not answer ends no later paste")
  func aPortalThatDoesNotAnswer() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("allow")
    try await scene.restartBridge()
    try scene.perform("portal hang")
    #expect(try scene.pick(row) == Self.missing)
    #expect(try scene.perform("allow") == "error The desktop refused to paste.")
    try scene.perform("portal answer")
    #expect(try scene.pick(row) == "pasted")
    // While the user is asked, pastes do not wait.
    try scene.perform("forbid")
    try scene.perform("answer never")
    try scene.send("allow")
    try scene.wait(for: "dialog")
    #expect(try scene.pick(row) == Self.missing)
    // A revocation removes the dialog.
    try scene.send("forbid")
    try scene.wait(for: "request closed")
    #expect(try scene.end(of: "allow") == "error The desktop refused to paste.")
    try scene.send("allow")
    try scene.wait(for: "dialog")
    try scene.perform("portal leave")
    #expect(try scene.end(of: "allow") == "error The desktop refused to paste.")
  }

  @Test("Keys are pressed only in the window that had the focus, and modifiers are released")
  func keysArePressedOnlyInTheWindowThatHadTheFocus() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    try scene.perform("allow")
    let elsewhere = "copied Another window has the focus now."
    try scene.perform("prepare")
    try scene.perform("focus other org.example.Other")
    #expect(try scene.paste(row) == elsewhere)
    #expect(scene.events.isEmpty)
    // The focus moves when Shift is pressed.
    try scene.perform("focus editor")
    try scene.perform("prepare")
    try scene.perform("refocus other org.example.Other")
    #expect(try scene.paste(row) == elsewhere)
    #expect(scene.events == ["key Shift_L down", "key Shift_L up"])
    // Other keys of an application.
    try scene.perform("focus picture org.gimp.GIMP")
    try scene.perform("prepare")
    try scene.desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "PasteKeys",
      "<['control+v *gimp']>")
    #expect(try scene.paste(row) == "pasted")
    #expect(scene.events == ["key Control_L down", "key v down", "key v up", "key Control_L up"])
  }

  @Test("A text with line ends is pasted after a confirmation where a terminal could get it")
  func aTextWithLineEnds() async throws {
    let scene = try await Scene()
    let row = try await scene.row("rm -r /\n")
    try scene.perform("allow")
    #expect(try scene.pick(row) == "pasted")
    // Konsole would paste the clipboard.
    try scene.perform("open console org.kde.konsole")
    #expect(try scene.pick(row).hasPrefix("confirm"))
    #expect(scene.events.isEmpty)
    #expect(try scene.paste(row, "confirmed") == "pasted")
    #expect(scene.events == Self.pressed)
    try scene.perform("close console")
    #expect(try scene.pick(row) == "pasted")
    try scene.perform("focus console org.kde.konsole")
    try scene.perform("prepare")
    #expect(try scene.paste(row).hasPrefix("confirm"))
  }

  @Test("Nothing is pasted while the screen is locked")
  func nothingIsPastedWhileTheScreenIsLocked() async throws {
    let scene = try await Scene()
    let row = try await scene.row("text")
    let mock = LockTests.screenSavers[0]
    let saver = try mock.start(scene.desk)
    try mock.call(scene.desk, "AddMethod", "GetActive", "", "b", "ret=True")
    try scene.perform("allow")
    #expect(try scene.pick(row) == "copied The screen is locked.")
    #expect(scene.events.isEmpty)
    saver.kill()
  }

  private static let hasKDE =
    Display.all.contains(.kwin)
    && PickingDesk.kdePortal.allSatisfy { FileManager.default.isExecutableFile(atPath: $0.0) }

  @Test(
    "The dialog of KDE gives the permission, which a later bridge restores", .enabled(if: hasKDE))
  func theDialogOfKDE() async throws {
    let desk = try await PickingDesk(.kwin, portal: .kde)
    let clipboard = desk.clipboard
    let editor = try await desk.editor("gtk4")
    let row = try await desk.row("text")
    #expect(try desk.pick(row) == Self.missing)
    let command = try clipboard.start("dragboard clipboard allow-pasting; echo $?")
    let screen = Checkout.path("Desktop/Tests/screen")
    try await clipboard.until {
      try clipboard.shell("echo 'frame ^Remote Control$' | \(screen)").count > "ok \n".count
    }
    // The dialog has the focus. Its second button is "Cancel".
    try clipboard.shell("printf 'rest 500\nkey Tab\nrest 200\nkey Return\n' | \(screen)")
    #expect(command.nextLine() == "0")
    try desk.focus("Editor")
    try await editor.untilFocused()
    #expect(try desk.pick(row) == "pasted")
    #expect(try await editor.nextInserted() == "text")
    clipboard.kill(.bridge)
    try await clipboard.start(.bridge)
    try await clipboard.untilBridgeIsReady()
    #expect(try desk.pick(row) == "pasted")
    #expect(try await editor.nextInserted() == "text")
    // After the user has revoked the permission, no dialog appears.
    try clipboard.shell("dragboard clipboard allow-pasting --revoke")
    #expect(try desk.pick(row) == Self.missing)
  }

  /// Without a report of the focus, the keys could reach any window.
  @Test("Nothing is pasted on a desktop that does not report the focus")
  func nothingIsPastedOnADesktopThatDoesNotReportTheFocus() async throws {
    let desk = try await ClipboardDesk(.ext)
    #expect(try desk.property("PasteMeans") == "<''>")
    #expect(try desk.property("PastePermission") == "<'not-needed'>")
    #expect(throws: (any Error).self) { try desk.call("org.dragboard.Clipboard1.AllowPasting") }
  }
}
