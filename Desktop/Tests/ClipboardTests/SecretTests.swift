import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct SecretTests {
  private static let mark = "x-kde-passwordManagerHint"

  @Test("A secret is neither in the data nor in the memory nor in the log", arguments: Display.all)
  func aSecretIsNeitherInTheDataNorInTheMemoryNorInTheLog(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let (known, secret) = ("zzknown\(UUID())", "zzsecret\(UUID())")
    let first = try desk.own(try desk.type("text/html", known))
    try await desk.untilRows(1)
    let owner = try desk.own(
      try desk.type("text/plain;charset=utf-8", secret), try desk.type("text/html", secret),
      try desk.type(Self.mark, secret))
    // If the bridge ignored the mark, it would have read the types by now.
    for name in ["text/plain;charset=utf-8", "text/html"] {
      #expect(try desk.pastedHash(name) == desk.shell("printf \(secret) | sha256sum"))
    }
    owner.kill()
    let last = try desk.own(try desk.type("text/html", "after"))
    try await desk.untilRows(2)
    var names = ["org.dragboard.Dragboard1", "org.dragboard.Clipboard1"]
    if desk.picker != nil { names.append("org.dragboard.Shelf") }
    for name in names {
      let process = try desk.process(name)
      try desk.shell("gcore -o ~/image \(process) >/dev/null 2>&1 && test -s ~/image.\(process)")
    }
    let places = "data image.* log"
    try desk.shell("touch ~/log")
    #expect(try desk.files(with: known, in: places).contains { $0.hasPrefix("data/") })
    #expect(try desk.files(with: known, in: places).contains { $0.hasPrefix("image.") })
    #expect(try desk.files(with: secret, in: places) == [])
    first.kill()
    last.kill()
  }

  /// When the owner exits, GNOME offers the text without the mark.
  @Test("A secret from before the start is not stored", arguments: Display.all)
  func aSecretFromBeforeTheStartIsNotStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = [
      try desk.type("text/plain;charset=utf-8", "password"), try desk.type(Self.mark, "secret"),
    ]
    try await desk.until {
      desk.kill(.bridge)
      let secret = try desk.own(types)
      try await desk.start(.bridge)
      try await desk.untilBridgeIsReady()
      secret.kill()
      return try !display.isMutter || desk.offeredNames() == [types[0].name]
    }
    let owner = try desk.own(try desk.type("text/html", "after"))
    #expect(try await desk.untilRows(1)[0].types == [.html])
    owner.kill()
  }

  @Test("Clear erases all copies but pinned ones") func clearErasesAllCopiesButPinnedOnes()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    let noise = String(repeating: "zzsecret ", count: 30_000)
    let owners = try await [
      desk.copied([try desk.type("text/plain;charset=utf-8", "pinned")], 1),
      desk.copied([try desk.type("text/plain;charset=utf-8", "zzsecret 1")], 2),
      desk.copied([try desk.type("text/plain;charset=utf-8", noise)], 3),
      desk.copied(
        [try desk.type("text/html", "zzsecret 3"), try desk.type("image/png", noise)], 4),
    ]
    let (board, rows) = (try await desk.board(), try await desk.rows())
    try await board.setPinned(true, of: rows[3].id)
    try await board.setText(of: rows[2].id, to: "zzsecret 2")
    try await board.delete([rows[0].id])
    try await board.history.undo()
    try await board.delete([rows[2].id])
    #expect(try await board.search("zzsecret").count > 0)
    #expect(try !desk.files(with: "zzsecret", in: "data").isEmpty)
    try desk.shell("dragboard clipboard clear")
    #expect(try await desk.rows().map(\.preview) == ["pinned"])
    try await desk.until { try desk.files(with: "zzsecret", in: "data").isEmpty }
    try desk.shell("dragboard clipboard clear --all")
    #expect(try await desk.rows().isEmpty)
    owners.forEach { $0.kill() }
  }

  /// When the owner exits, GNOME offers the text again.
  @Test("A cleared copy is not stored again", arguments: Display.all)
  func aClearedCopyIsNotStoredAgain(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = [
      try desk.type("text/html", "cleared"), try desk.type("text/plain;charset=utf-8", "cleared"),
    ]
    try await desk.until {
      let owner = try await desk.copied(types, 1)
      try desk.call("org.dragboard.Clipboard1.Clear", "false")
      owner.kill()
      return try !display.isMutter || desk.offeredNames() == [types[1].name]
    }
    let owner = try desk.own(try desk.type("text/html", "after"))
    #expect(try await desk.untilRows(1)[0].types == [.html])
    owner.kill()
  }
}

extension ClipboardDesk {
  /// Returns the files below these directories of the home directory that contain a text.
  fileprivate func files(with text: String, in places: String) throws -> [String] {
    try shell("cd ~ && grep -raFl '\(text)' \(places) || test $? = 1")
      .split(separator: "\n").map(String.init)
  }

  /// Starts an owner of the clipboard, and waits until its copy is row number `count`.
  fileprivate func copied(_ types: [OfferedType], _ count: Int) async throws -> TestProgram {
    let owner = try own(types)
    try await untilRows(count)
    return owner
  }
}
