import DragboardClient
import Foundation
import TestSupport
import Testing

/// The pause of the bridge while the screen is locked.
@Suite(.serialized) struct LockTests {
  private static let login = Mock(
    bus: "system", name: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager")
  private static let session = "/org/freedesktop/login1/session/_31"
  static let screenSavers = ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"].map {
    Mock(
      bus: "session", name: $0, path: "/" + $0.replacingOccurrences(of: ".", with: "/"),
      interface: $0)
  }

  @Test(
    "No copy is stored while logind reports a lock", arguments: Display.all.filter { !$0.isMutter })
  func noCopyIsStoredWhileLogindReportsALock(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let login = try Self.login.start(desk)
    try Self.login.call(desk, "AddMethod", "GetSession", "s", "o", "ret='\(Self.session)'")
    try Self.login.call(
      desk, "AddObject", Self.session, "org.freedesktop.login1.Session", "{'LockedHint': <false>}",
      "[]")
    try desk.shell("dragboard clipboard pause --while-locked")
    try await desk.expectPause(false)
    for isLocked in [true, false] {
      try Self.login.call(
        desk, path: Self.session, "UpdateProperties", "org.freedesktop.login1.Session",
        "{'LockedHint': <\(isLocked)>}")
      try await desk.expectPause(isLocked)
    }
    login.kill()
  }

  @Test("No copy is stored while a screen saver is active", arguments: screenSavers)
  func noCopyIsStoredWhileAScreenSaverIsActive(_ mock: Mock) async throws {
    let desk = try await ClipboardDesk(.x11)
    let saver = try mock.start(desk)
    try mock.call(desk, "AddMethod", "GetActive", "", "b", "ret=False")
    try desk.shell("dragboard clipboard pause --while-locked")
    for isActive in [true, false, true] {
      try mock.call(desk, "EmitSignal", mock.interface, "ActiveChanged", "b", "[<\(isActive)>]")
      try await desk.expectPause(isActive)
    }
    // A screen saver that exits does not report the end of the lock.
    saver.kill()
    try await desk.expectPause(false)
  }

  @Test("A screen that is locked at the start is noticed")
  func aScreenThatIsLockedAtTheStartIsNoticed() async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.shell("dragboard clipboard pause --while-locked")
    let mock = Self.screenSavers[0]
    let saver = try mock.start(desk)
    try mock.call(desk, "AddMethod", "GetActive", "", "b", "ret=True")
    desk.kill(.bridge)
    try await desk.start(.bridge)
    try await desk.untilBridgeIsReady()
    try await desk.expectPause(true)
    // The manual pause and the pause during a lock are independent.
    try desk.shell("dragboard clipboard pause && dragboard clipboard resume")
    #expect(try desk.property("Paused") == "<true>")
    try desk.shell("dragboard clipboard resume --while-locked")
    try await desk.expectPause(false)
    saver.kill()
  }

  /// When the screen is locked, GNOME closes the bridge's session and refuses a new one.
  @Test("The bridge stores copies again after a lock of GNOME")
  func theBridgeStoresCopiesAgainAfterALockOfGNOME() async throws {
    let desk = try await ClipboardDesk(.lockableMutter)
    #expect(desk.nextLineOfDisplay() == "enabled")
    #expect(try desk.sendToDisplay("copy text/html one") == "done")
    try await desk.untilRows(1)
    #expect(try desk.sendToDisplay("lock") == "done")
    #expect(desk.nextLineOfDisplay() == "refused")
    let row = try await desk.rows()[0]
    await #expect(throws: TestProgram.Failure.self) { try await desk.copy(row) }
    let secret = "copy text/plain;charset=utf-8 x-kde-passwordManagerHint secret"
    #expect(try desk.sendToDisplay(secret) == "done")
    #expect(try desk.sendToDisplay("unlock") == "done")
    #expect(desk.nextLineOfDisplay() == "enabled")
    // Copy the content that remains after the owner of the secret has exited, and then a new text.
    #expect(try desk.sendToDisplay("empty") == "done")
    #expect(try desk.sendToDisplay("copy text/plain;charset=utf-8 secret") == "done")
    #expect(try desk.sendToDisplay("copy text/html two") == "done")
    #expect(try await desk.untilRows(2).map(\.types) == [[.html], [.html]])
  }

  /// Without a screen, GNOME Shell does not close the bridge's session when it locks.
  @Test(
    "The lock of GNOME Shell pauses and is no copy",
    .enabled(if: Display.all.contains(where: \.isMutter)))
  func theLockOfGNOMEShellPausesAndIsNoCopy() async throws {
    let desk = try await ClipboardDesk(.gnomeShell)
    try desk.shell("dragboard clipboard pause --while-locked")
    var owner = try desk.own(try desk.type("text/html", "before"))
    try await desk.untilRows(1)
    owner.kill()
    try await desk.until { (try? desk.offeredNames()) == ["text/html"] }
    let shield =
      "gdbus call --session -d org.gnome.Shell.ScreenShield -o /org/gnome/ScreenSaver"
      + " -m org.gnome.ScreenSaver"
    for round in 1...2 {
      // In the second round, the lock does not pause the bridge. GNOME Shell then claims the
      // clipboard with an empty text.
      if round == 2 { try desk.shell("dragboard clipboard resume --while-locked") }
      try desk.shell("\(shield).Lock")
      try await desk.until {
        try desk.shell("\(shield).GetActive") == "(true,)"
          && desk.property("Paused") == "<\(round == 1)>"
      }
      #expect(try !desk.offeredNames().contains("text/html"))
      try desk.shell("\(shield).SetActive false")
      try await desk.until {
        try desk.shell("\(shield).GetActive") == "(false,)" && desk.property("Paused") == "<false>"
      }
      owner = try desk.own(try desk.type("text/html", "after \(round)"))
      #expect(try await desk.untilRows(1 + round).allSatisfy { $0.types == [.html] })
      owner.kill()
    }
  }

  @Test("A lock has no effect unless it was chosen") func aLockHasNoEffectUnlessItWasChosen()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    let mock = Self.screenSavers[0]
    let saver = try mock.start(desk)
    try mock.call(desk, "EmitSignal", mock.interface, "ActiveChanged", "b", "[<true>]")
    try await desk.expectPause(false)
    saver.kill()
  }
}

/// A mock service of python3-dbusmock.
struct Mock: CustomTestStringConvertible {
  let bus: String
  let name: String
  let path: String
  let interface: String

  var testDescription: String { name }

  func start(_ desk: ClipboardDesk) throws -> TestProgram {
    let mock = try desk.start(
      "exec /usr/bin/python3 -m dbusmock --\(bus) \(name) \(path) \(interface)")
    try desk.shell("gdbus wait --\(bus) --timeout 30 \(name)")
    return mock
  }

  func call(
    _ desk: ClipboardDesk, path: String? = nil, _ method: String, _ arguments: String...
  ) throws {
    try TestProgram.run(
      [
        "gdbus", "call", "--\(bus)", "-d", name, "-o", path ?? self.path, "-m",
        "org.freedesktop.DBus.Mock.\(method)",
      ] + (method == "AddMethod" ? [interface] + arguments : arguments),
      desk.environment)
  }
}

extension ClipboardDesk {
  /// Waits for the beginning or the end of a pause, and checks whether a copy is stored.
  fileprivate func expectPause(_ isPaused: Bool) async throws {
    try await until { try self.property("Paused") == "<\(isPaused)>" }
    let before = try await rows().count
    let text = isPaused ? "paused" : "stored \(UUID())"
    let owner = try own(try type("text/plain;charset=utf-8", text))
    if isPaused {
      #expect(try !offeredNames().isEmpty)
    } else {
      // When this row is stored, the bridge has handled all earlier copies.
      #expect(try await untilRows(before + 1).allSatisfy { $0.preview != "paused" })
    }
    owner.kill()
  }
}
