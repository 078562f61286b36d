import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Limits of promised bytes")
struct PromiseLimitTests {
  private static let piece = pattern(60_000)

  @Test("Promised bytes count toward the limit of the session")
  func session() throws {
    let fixture = try PromiseFixture("--max-session-bytes", "150000")
    let session = try fixture.source.drag(
      type: "application/x-data", [.gives(Self.piece), .gives(Self.piece), .gives(Self.piece)])
    _ = try fixture.client.call(DragSessionInterface.addText, at: session, "eager")
    try fixture.accept(session)
    #expect(try fixture.load(session, 0) == Self.piece)
    #expect(try fixture.load(session, 1) == Self.piece)
    expect(.limitsExceeded, naming: "item 2", "max-session-bytes", "150000") {
      _ = try fixture.load(session, 2)
    }
    #expect(try fixture.load(session, 3) == Array("eager".utf8))
    expect(.limitsExceeded, naming: "max-session-bytes") { _ = try fixture.load(session, 2) }
  }

  @Test(
    "The promises of all sessions count toward the limit of all sessions; a failed promise does not"
  )
  func allSessions() throws {
    let fixture = try PromiseFixture("--max-bytes", "150000")
    let type = "application/x-data"
    let sessions = [
      try fixture.source.drag(type: type, [.gives(Self.piece)]),
      try fixture.source.drag(type: type, [.gives(Self.piece), .refuses("no")]),
      try fixture.source.drag(type: type, [.gives(Self.piece)]),
    ]
    for session in sessions { try fixture.accept(session) }
    #expect(try fixture.load(sessions[0]) == Self.piece)
    #expect(try fixture.load(sessions[1]) == Self.piece)
    expect(.loadFailed) { _ = try fixture.load(sessions[1], 1) }
    expect(.limitsExceeded, naming: "max-bytes", "150000") { _ = try fixture.load(sessions[2]) }
    _ = try fixture.dropper.call(DragSessionInterface.finish, at: sessions[0])
    #expect(try fixture.load(sessions[2]) == Self.piece)
    let another = try fixture.source.drag([.gives("")])
    expect(.limitsExceeded, naming: "max-bytes") {
      try fixture.client.call(
        DragSessionInterface.registerData, at: another, 0, type, "all", Self.piece)
    }
  }

  @Test("The bytes of a promise that fails half-way are not counted")
  func freedAgain() throws {
    let fixture = try PromiseFixture("--max-session-bytes", "100000")
    let session = try fixture.source.run { try $0.beginDrag(as: "org.source") }
    for _ in 0..<2 {
      let item = try fixture.source.addItem(to: session)
      try fixture.source.promise(
        [.write(Self.piece), .refuse("half-way")], .gives(Self.piece), type: "image/png",
        item: item, of: session)
    }
    try fixture.accept(session)
    for item: UInt32 in 0..<2 {
      expect(.loadFailed, naming: "half-way") { _ = try fixture.load(session, item) }
    }
    #expect(try fixture.load(session, 0) == Self.piece)
    expect(.limitsExceeded, naming: "max-session-bytes") { _ = try fixture.load(session, 1) }
  }

  @Test("A drop leaves out representations above a limit")
  func drop() throws {
    let fixture = try PromiseFixture("--max-representation-bytes", "100000")
    let session = try fixture.source.drag(
      type: "application/x-data",
      [.gives(Self.piece), .gives(pattern(100_001)), .gives(pattern(100_000))])
    let items = try fixture.dropper.beginDrop(session).dropResult().items
    #expect(items.count == 2)
    #expect(try fixture.client.call(BoardInterface.getData, items[0], "*/*") == Self.piece)
    #expect(
      try fixture.client.call(BoardInterface.getData, items[1], "*/*") == pattern(100_000))
  }
}
