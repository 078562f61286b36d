import BoardModel
import DragModel
import Testing

@Suite("A reserved position for a representation")
struct ReservationTests {
  private var session: DragSession

  init() throws {
    let limits = SessionLimits(maxItems: 4, maxRepresentationBytes: 10, maxSessionBytes: 15)
    session = DragSession(source: .uniqueName(":1.1"), limits: limits)
    try session.add(ItemProvider())
  }

  @Test("A reserved type keeps its position in the order of fidelity, invisible until filled")
  mutating func order() throws {
    try session.reserve(.html, item: 0)
    try session.register(.sample("text/rtf"), item: 0)
    try session.reserve(.png, item: 0)
    try session.register(.sample("image/tiff"), item: 0)
    #expect(try session.item(0).types(within: .ownProcess) == [.rtf, .tiff])
    #expect(try !session.canLoad(TypeQuery(.html), within: .ownProcess))
    #expect(throws: DragError.noSuchRepresentation(TypeQuery(.png), item: 0)) {
      try session.representation(
        of: 0, matching: TypeQuery(.png), for: Caller(uniqueName: ":1.1", confinement: .unsandboxed)
      )
    }
    #expect(
      CopyPlan(session, accepting: [.any]).items[0].representations.map(\.type) == [.rtf, .tiff])
    try session.fulfil(.sample("image/png", .team), item: 0)
    #expect(try session.item(0).types(within: .team) == [.rtf, .png, .tiff])
    #expect(try session.item(0).types(within: .all) == [.rtf, .tiff])
    try session.fulfil(.sample("text/html"), item: 0)
    #expect(try session.item(0).types(within: .all) == [.html, .rtf, .tiff])
  }

  @Test(
    "A reserved type cannot be registered or reserved again, until the reservation is cancelled")
  mutating func duplicates() throws {
    try session.reserve(.html, item: 0)
    #expect(throws: DragError.duplicateRepresentation(.html)) {
      try session.reserve(.html, item: 0)
    }
    #expect(throws: DragError.duplicateRepresentation(.html)) {
      try session.register(.sample("text/html"), item: 0)
    }
    session.release(.html, item: 0)
    try session.register(.sample("text/html"), item: 0)
    #expect(throws: DragError.duplicateRepresentation(.html)) {
      try session.reserve(.html, item: 0)
    }
  }

  @Test("Cancelling a reservation keeps registered types, and ignores an unknown type")
  mutating func releasing() throws {
    try session.register(.sample("text/html", bytes: 3), item: 0)
    session.release(.html, item: 0)
    session.release(.png, item: 0)
    session.release(.html, item: 7)
    session.release(.html, item: -1)
    #expect(try session.item(0).types(within: .all) == [.html])
    #expect(session.byteCount == 3)
  }

  @Test("A reserved type counts no bytes until it is filled, and bytes beyond a limit are refused")
  mutating func limits() throws {
    try session.reserve(.html, item: 0)
    #expect(session.byteCount == 0)
    #expect(throws: DragError.limitExceeded(.representationBytes, maximum: 10)) {
      try session.fulfil(.sample("text/html", bytes: 11), item: 0)
    }
    try session.register(.sample("text/rtf", bytes: 10), item: 0)
    #expect(throws: DragError.limitExceeded(.sessionBytes, maximum: 15)) {
      try session.fulfil(.sample("text/html", bytes: 6), item: 0)
    }
    #expect(try session.item(0).types(within: .ownProcess) == [.rtf])
    #expect(session.byteCount == 10)
    try session.fulfil(.sample("text/html", bytes: 5), item: 0)
    #expect(session.byteCount == 15)
    #expect(session.items[0].byteCount == 15)
  }

  @Test("A reserved type is one of the 256 representations that an item may have")
  mutating func mostRepresentations() throws {
    for number in 0..<255 { try session.reserve(MIMEType(parsing: "x/\(number)"), item: 0) }
    try session.reserve(.html, item: 0)
    let tooMany = DragError.limitExceeded(.representations, maximum: 256)
    #expect(throws: tooMany) { try session.reserve(.png, item: 0) }
    #expect(throws: tooMany) { try session.register(.sample("image/png"), item: 0) }
    session.release(.html, item: 0)
    try session.register(.sample("image/png"), item: 0)
  }

  @Test("A type is reserved and filled only for an existing item of an active session")
  mutating func states() throws {
    for item in [-1, 1, Int.max] {
      #expect(throws: DragError.noSuchItem(item, count: 1)) {
        try session.reserve(.html, item: item)
      }
    }
    try session.reserve(.html, item: 0)
    _ = try session.accept(.copy, by: .uniqueName(":1.2"))
    for _ in 0..<2 {
      #expect(throws: DragError.sessionEnded) { try session.reserve(.png, item: 0) }
      #expect(throws: DragError.sessionEnded) {
        try session.fulfil(.sample("text/html"), item: 0)
      }
      session.release(.html, item: 0)
      _ = session.timeOut()
    }
  }

  // MARK: Bytes that a promise gives

  @Test("Promised bytes count toward the session's limit as they arrive, until they are removed")
  mutating func promised() throws {
    try session.register(.sample("text/html", bytes: 5), item: 0)
    try session.countPromised(9)
    #expect(session.byteCount == 14)
    #expect(throws: DragError.limitExceeded(.sessionBytes, maximum: 15)) {
      try session.countPromised(2)
    }
    #expect(session.byteCount == 14)
    #expect(throws: DragError.limitExceeded(.sessionBytes, maximum: 15)) {
      try session.register(.sample("text/rtf", bytes: 2), item: 0)
    }
    try session.countPromised(-9)
    #expect(session.byteCount == 5)
    try session.register(.sample("text/rtf", bytes: 10), item: 0)
    #expect(session.byteCount == 15)
  }

  @Test("Promised bytes count also during a drop, until the session ends")
  mutating func promisedLater() throws {
    _ = try session.accept(.copy, by: .uniqueName(":1.2"))
    try session.countPromised(15)
    #expect(session.byteCount == 15)
    _ = session.timeOut()
    #expect(session.byteCount == 0)
    try session.countPromised(100)
    try session.countPromised(-15)
    #expect(session.byteCount == 0)
  }
}
