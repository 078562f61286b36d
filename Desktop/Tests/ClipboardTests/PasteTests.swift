import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct PasteTests {
  private static let textNames = [
    "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT",
  ]

  @Test("A row becomes the clipboard with all its types", arguments: Display.all)
  func aRowBecomesTheClipboardWithAllItsTypes(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = [
      try desk.type("text/html", "<b>x</b>"), try desk.type("text/plain;charset=utf-8", "x ß"),
      try desk.type("image/png", ClipboardDesk.noise(3_000_000)), try desk.type("image/gif", []),
    ]
    let owner = try desk.own(types)
    try await desk.untilRows(1)
    let other = try desk.own(try desk.type("text/html", "other"))
    let row = try await desk.untilRows(2)[1]
    try await desk.copy(row)
    #expect(other.nextLineWithoutRequests() == "lost")
    #expect(
      try desk.offeredNames() == ["text/html"] + Self.textNames + ["image/png", "image/gif"])
    for type in types {
      #expect(try desk.pastedHash(type.name) == desk.hash(type.source), "\(type.name)")
    }
    #expect(try desk.pastedHash("UTF8_STRING") == desk.hash(types[1].source))
    let rows = try await desk.rows()
    #expect(rows.count == 2)
    #expect(rows[0].id == row.id)
    owner.kill()
  }

  /// Each call needs several calls of the daemon, so a later call could overtake an earlier one.
  @Test("The last of several copies at once is the clipboard", arguments: Display.all)
  func theLastOfSeveralCopiesAtOnceIsTheClipboard(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = try (0..<3).map { try desk.type("application/x-\($0)", "\($0)") }
    for (index, type) in types.enumerated() {
      let owner = try desk.own(type)
      try await desk.untilRows(index + 1)
      try await desk.copy(try await desk.rows()[0])
      owner.kill()
    }
    let board = try await desk.board()
    let rows = try await desk.rows()
    for round in 0..<30 {
      let order = (0..<3).map { rows[($0 + round) % 3] }
      try desk.shell(
        """
        /usr/bin/python3 - <<'END'
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        loop, count = GLib.MainLoop(), 0
        def end(bus, result):
            global count
            bus.call_finish(result)
            count += 1
            if count == 3: loop.quit()
        for item in "\(order.map(\.id.description).joined(separator: " "))".split():
            bus.call("org.dragboard.Clipboard1", "/org/dragboard/Clipboard1", "org.dragboard.Clipboard1", "Copy",
                     GLib.Variant("(os)", ("\(board.id.path)", item)), None, 0, -1, None, end)
        loop.run()
        END
        """)
      let wanted = order[2].types.map(\.rawValue)
      try await desk.until { try desk.offeredNames() == wanted }
      #expect(try await desk.rows().map(\.id) == order.reversed().map(\.id))
    }
  }

  @Test("A copy survives its owner", arguments: Display.all)
  func aCopySurvivesItsOwner(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = [
      try desk.type("text/html", "<b>x</b>"), try desk.type("text/plain;charset=utf-8", "x"),
      try desk.type("image/png", ClipboardDesk.noise(200_000)),
    ]
    let owner = try desk.own(types)
    try await desk.untilRows(1)
    owner.kill()
    // At first, the clipboard is empty.
    try await desk.until {
      (try? desk.offeredNames()) == ["text/html"] + Self.textNames + ["image/png"]
    }
    for type in types {
      #expect(try desk.pastedHash(type.name) == desk.hash(type.source), "\(type.name)")
    }
    #expect(try await desk.rows().count == 1)
  }

  /// Pastes for which the daemon has not sent the bytes, and pastes whose bytes no program reads, need
  /// memory and descriptors.
  @Test(
    "The number of unfinished pastes is limited",
    arguments: Display.all.filter { [.x11, .ext].contains($0) })
  func theNumberOfUnfinishedPastesIsLimited(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let owner = try desk.own(try desk.type("image/png", ClipboardDesk.noise(200_000)))
    try await desk.copy(try await desk.untilRows(1)[0])
    #expect(owner.nextLineWithoutRequests() == "lost")
    let daemon = try desk.process("org.dragboard.Dragboard1")
    func startPastes(_ count: Int) throws -> TestProgram {
      try desk.start("exec clipboard-peer --pastes \(count) image/png")
    }
    // While the daemon is stopped, no paste gets bytes.
    try desk.shell("kill -STOP \(daemon)")
    let pastes = try startPastes(100)
    for _ in 0..<36 { #expect(pastes.nextLine() == "refused") }
    try desk.shell("kill -CONT \(daemon)")
    for _ in 0..<64 { #expect(pastes.nextLine() == "started") }
    #expect(try startPastes(1).nextLine() == "refused")
    // On X11, the bridge itself limits the transfers. On Wayland, the daemon limits the open files.
    if display == .x11 { #expect(!desk.log.contains("cannot be pasted")) }
    pastes.kill()
    try await desk.until { try startPastes(1).nextLine() == "started" }
  }

  @Test("The number of writes to full pipes is limited")
  func theNumberOfWritesToFullPipesIsLimited() async throws {
    let desk = try await ClipboardDesk(.ext)
    let type = try desk.type("text/html", "x")
    let owner = try desk.own(type)
    try await desk.copy(try await desk.untilRows(1)[0])
    #expect(owner.nextLineWithoutRequests() == "lost")
    func startPastes(_ count: Int) throws -> TestProgram {
      let pastes = try desk.start("exec clipboard-peer --full-pipes \(count) text/html")
      #expect(pastes.nextLine() == "ready")
      return pastes
    }
    let first = try startPastes(60)
    // The daemon answers in order, so the bridge has the bytes of the earlier requests, too.
    #expect(try desk.pastedHash("text/html") == desk.hash(type.source))
    let second = try startPastes(40)
    for _ in 0..<36 { #expect(second.nextLine() == "refused") }
    first.kill()
    second.kill()
    try await desk.until {
      try (try? desk.pastedHash("text/html")) == desk.hash(type.source)
    }
  }

  /// A user who copies with another program at the same moment gets the newer copy.
  @Test("A claim does not replace a copy that is made before its time is known")
  func aClaimDoesNotReplaceACopyThatIsMadeBeforeItsTimeIsKnown() async throws {
    let desk = try await ClipboardDesk(.x11)
    let owner = try desk.own(try desk.type("text/html", "first"))
    let row = try await desk.untilRows(1)[0]
    let second = try desk.type("text/html", "second")
    // While a program has grabbed the server, the server handles no request of the bridge.
    let newer = try TestProgram(
      ["clipboard-peer", "--grab", "\(second.name)=\(second.source)"], desk.environment,
      hasInput: true)
    #expect(newer.nextLine() == "grabbed")
    try await desk.copy(row)
    try newer.send("copy")
    #expect(newer.nextLineWithoutRequests() == "owner")
    try await desk.untilRows(2)
    #expect(try desk.pastedHash("text/html") == desk.hash(second.source))
    newer.kill()
    owner.kill()
  }

  @Test("A secret does not survive its owner", arguments: Display.all)
  func aSecretDoesNotSurviveItsOwner(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let first = try desk.own(try desk.type("text/html", "before"))
    try await desk.untilRows(1)
    let secret = try desk.own(
      try desk.type("text/html", "password"), try desk.type("x-kde-passwordManagerHint", ""))
    first.kill()
    secret.kill()
    // When the bridge has stored a later copy, it has handled the end of the earlier owner.
    let owner = try desk.own(try desk.type("text/html", "after"))
    try await desk.untilRows(2)
    #expect(try desk.pastedHash("text/html") == desk.shell("printf after | sha256sum"))
    owner.kill()
  }
}
