import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct CopyTests {
  @Test("Copies of one to twelve types keep their bytes and their order", arguments: Display.all)
  func copiesOfOneToTwelveTypesKeepTheirBytesAndTheirOrder(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    // On GNOME, the bridge assumes that a type of exactly 64 KiB was cut off.
    let piece = display.isMutter ? 65_537 : 65_536
    let sizes = [0, 1, 70_000, 4_096, 3_000_000, piece, 8_193, 300_000, 8_192, 12, 131_072, 5]
    for count in [1, 2, 5, 12] {
      let types = try (0..<count).map { index in
        try desk.type(
          "application/x-test-\((index * 7) % 12)",
          ClipboardDesk.noise(sizes[(index + count) % 12], seed: UInt64(index + count * 100)))
      }
      let before = try await desk.rows().count
      let owner = try desk.own(types)
      let row = try await desk.untilRows(before + 1)[0]
      #expect(row.types.map(\.rawValue) == types.map(\.name))
      for type in types {
        let bytes = try await desk.board().data(of: row.id, as: ContentType(type.name))
        #expect(bytes == [UInt8](try Data(contentsOf: URL(fileURLWithPath: type.source))))
      }
      owner.kill()
    }
  }

  /// The shelf passes the files of unsandboxed clients to the portal, so a row of the bridge must
  /// not belong to one.
  @Test("A copy belongs to no client", arguments: Display.all)
  func aCopyBelongsToNoClient(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let uri = "file:///root/.ssh/id_rsa\r\n"
    let board = try await desk.connection.clipboard.board()
    let earlier = try await board.insert(
      [(type: .uriList, content: .data(Array(uri.utf8)))], at: 0)
    let owner = try desk.own(try desk.type("text/uri-list", uri))
    let rows = try await desk.untilRows(2)
    #expect(rows.map(\.source) == ["/clipboard", ""])
    // The bridge recognises its own row.
    try await desk.copy(rows[0])
    #expect(owner.nextLineWithoutRequests() == "lost")
    let second = try desk.own(try desk.type("text/html", "x"))
    try await desk.untilRows(3)
    let third = try desk.own(try desk.type("text/uri-list", uri))
    try await desk.until { try await desk.rows().first?.id == rows[0].id }
    #expect(try await desk.rows().last?.id == earlier)
    second.kill()
    third.kill()
  }

  @Test("The name of a program is stored without controls")
  func theNameOfAProgramIsStoredWithoutControls() async throws {
    let desk = try await ClipboardDesk(.x11)
    let type = try desk.type("text/html", "x")
    let path = #"$HOME/$'a\tb'"#
    let owner = try desk.start(
      "cp $(command -v clipboard-peer) \(path) && exec \(path) text/html=\(type.source)")
    #expect(try await desk.untilRows(1)[0].attributes.application == "ab")
    owner.kill()
  }

  @Test("The names of a text become one type", arguments: Display.all)
  func theNamesOfATextBecomeOneType(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let owner = try desk.own(
      try desk.type("text/html", "<b>ß</b>"), try desk.type("STRING", "wrong"),
      try desk.type("text/plain", "wrong"), try desk.type("UTF8_STRING", "ß"),
      try desk.type("TEXT", "wrong"))
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == [.html, .plainText])
    #expect(try await desk.board().text(of: row.id) == "ß")
    owner.kill()
  }

  /// A text of 64 MiB in Latin-1 has up to 128 MiB in UTF-8.
  @Test("A text in Latin-1 is limited in UTF-8") func aTextInLatin1IsLimitedInUTF8() async throws {
    let desk = try await ClipboardDesk(.x11)
    let small = try desk.own(try desk.type("STRING", [0xDF]))
    #expect(try await desk.board().text(of: try await desk.untilRows(1)[0].id) == "ß")
    small.kill()
    let path = try desk.file([])
    try desk.shell("head -c \(40 << 20) /dev/zero | tr '\\0' '\\337' > \(path)")
    let large = try desk.own(OfferedType(name: "STRING", source: path))
    try await desk.until { desk.log.hasSuffix("it has more than 64 MiB\n") }
    #expect(try await desk.rows().count == 1)
    large.kill()
  }

  /// GNOME replaces the content by an empty text when it locks the screen.
  @Test("An empty text is not stored", arguments: Display.all)
  func anEmptyTextIsNotStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types = [
      try desk.type("text/plain;charset=utf-8", ""), try desk.type("UTF8_STRING", ""),
    ]
    let empty = try desk.own(types)
    // After these pastes, the bridge has had enough time to read the text.
    for type in types { #expect(try desk.pastedHash(type.name) == desk.hash(type.source)) }
    let owner = try desk.own(try desk.type("text/html", ""))
    #expect(try await desk.untilRows(1).map(\.types) == [[.html]])
    empty.kill()
    owner.kill()
  }

  @Test("A hundred copies are stored in their order", arguments: Display.all)
  func aHundredCopiesAreStoredInTheirOrder(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    var owners: [TestProgram] = []
    for number in 1...100 {
      owners.append(try desk.own(try desk.type("text/plain;charset=utf-8", "copy \(number)")))
      try await desk.untilRows(number)
    }
    let texts = try await desk.board().texts(count: 200)
    #expect(texts == (1...100).reversed().map { "copy \($0)" })
  }

  /// Mutter refuses a read until the end of the previous read is known to it.
  @Test("Each of thirty copies has all its types", arguments: Display.all)
  func eachOfThirtyCopiesHasAllItsTypes(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let types =
      try ["text/html", "image/png", "application/x-a", "application/x-b"].map {
        try desk.type($0, "short")
      } + [
        try desk.type("application/x-c", ClipboardDesk.noise(200_000)),
        try desk.type("text/plain;charset=utf-8", "a text"),
      ]
    var previous: TestProgram?
    for number in 1...30 {
      let own = types + [try desk.type("application/x-\(number)", "another copy")]
      let owner = try desk.own(own)
      previous?.kill()
      previous = owner
      let row = try await desk.untilRows(number)[0]
      #expect(row.types.map(\.rawValue) == own.map(\.name), "copy \(number)")
    }
    previous?.kill()
  }

  @Test("A superseded copy is not stored", arguments: Display.all)
  func aSupersededCopyIsNotStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let slow = try desk.own(
      try desk.type("text/html", "old"), OfferedType(name: "image/png", source: "@hang"))
    // When the bridge requests the second type, it has already read the first type.
    while let line = slow.nextLine(), line != "asked image/png" {}
    let owner = try desk.own(try desk.type("text/html", "new"))
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().data(of: row.id, as: .html) == Array("new".utf8))
    owner.kill()
  }

  @Test("An endless read is cancelled", arguments: Display.all)
  func anEndlessReadIsCancelled(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let endless = try desk.own(OfferedType(name: "image/png", source: "@endless"))
    while let line = endless.nextLine(), line != "asked image/png" {}
    let owner = try desk.own(try desk.type("text/html", "new"))
    #expect(try await desk.untilRows(1)[0].types == [.html])
    owner.kill()
  }

  @Test("A copy of more than 64 MiB is skipped and the owner lives", arguments: Display.all)
  func aCopyOfMoreThan64MiBIsSkippedAndTheOwnerLives(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let path = try desk.file([])
    try desk.shell("head -c \(64 << 20) /dev/zero > \(path)")
    let large = try desk.own(OfferedType(name: "image/png", source: path))
    #expect(try await desk.untilRows(1, areLarge: true)[0].byteCount == 64 << 20)
    try desk.shell("head -c \(64 << 20 | 1) /dev/zero > \(path)")
    let tooLarge = try desk.own(OfferedType(name: "image/gif", source: path))
    // If the picture's owner exited earlier, Mutter would offer the bytes of the picture that it
    // has read.
    large.kill()
    while let line = tooLarge.nextLine(), line != "asked image/gif" {}
    #expect(try desk.offeredNames() == ["image/gif"])
    let owner = try desk.own(try desk.type("text/html", "small"))
    #expect(try await desk.untilRows(2)[0].types == [.html])
    owner.kill()
  }

  @Test("A secret is never requested", arguments: Display.all)
  func aSecretIsNeverRequested(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let first = try desk.own(try desk.type("text/html", "before"))
    try await desk.untilRows(1)
    let types = [
      try desk.type("text/plain;charset=utf-8", "password"),
      try desk.type("text/html", "password"), try desk.type("x-kde-passwordManagerHint", "secret"),
    ]
    var secret = try desk.own(types)
    if display.isMutter {
      // If Mutter has read the text, it offers the text without the mark after the owner has
      // exited.
      try await desk.until {
        secret.kill()
        if try desk.offeredNames() == [types[0].name] { return true }
        secret = try desk.own(types)
        return false
      }
    }
    let owner = try desk.own(try desk.type("text/html", "after"))
    let rows = try await desk.untilRows(2)
    #expect(rows.allSatisfy { $0.types == [.html] && $0.byteCount < 7 })
    if !display.isMutter { #expect(secret.nextLine() == "lost") }
    first.kill()
    owner.kill()
  }

  @Test("The bridge ends with the display", arguments: Display.all)
  func theBridgeEndsWithTheDisplay(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    desk.endDisplay()
    #expect(desk.bridge.nextLine() == "1")
  }
}
