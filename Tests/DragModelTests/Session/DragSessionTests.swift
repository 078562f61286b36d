import BoardModel
import DragModel
import Testing

@Suite("A drag session")
struct DragSessionTests {
  static let copy = DropProposal(operation: .copy, destination: IndexPath(section: 0, row: 0))
  static let move = DropProposal(operation: .move, destination: IndexPath(section: 0, row: 1))
  static let cancel = DropProposal(operation: .cancel, destination: IndexPath(section: 0, row: 0))
  static let forbidden = DropProposal(
    operation: .forbidden, destination: IndexPath(section: 0, row: 0))

  var session = DragSession(source: .uniqueName(":1.1"), limits: SessionLimits())

  @Test(
    "A session begins active and empty, without an operation, and allows a move by every client")
  func beginning() {
    #expect(session.state.name == "active")
    #expect(session.operation == nil)
    #expect(session.itemCount == 0)
    #expect(session.allowsMove)
    #expect(!session.isRestrictedToApplication)
    #expect(session.origin == nil)
  }

  @Test("While the session is active, its operation is that of the latest proposal")
  mutating func proposals() throws {
    try session.didPropose(Self.copy)
    #expect(session.operation == .copy)
    try session.didPropose(Self.forbidden)
    #expect(session.operation == .forbidden)
    #expect(session.state.name == "active")
  }

  @Test("A drop that copies or moves ends with its operation")
  mutating func drop() throws {
    for proposal in [Self.copy, Self.move] {
      var session = session
      #expect(try session.beginDrop(proposal, asking: [0]) == .perform(proposal))
      #expect(session.state.name == "dropping")
      #expect(session.operation == proposal.operation)
      let end = session.endDrop(loaded: [0])
      let conclusion = try #require(end)
      #expect(conclusion.willEnd == nil)
      #expect(conclusion.transfer != nil)
      #expect(conclusion.operation == proposal.operation)
      #expect(session.state == .ended(proposal.operation))
    }
  }

  @Test("A drop that fails ends with cancel, and its transfer is reported")
  mutating func failedDrop() throws {
    _ = try session.beginDrop(Self.copy, asking: [0])
    let end = session.endDrop(loaded: [])
    let conclusion = try #require(end)
    #expect(conclusion.transfer != nil)
    #expect(conclusion.operation == .cancel)
    #expect(session.operation == .cancel)
  }

  @Test("A cancelled drop ends the session at once, and no transfer is reported")
  mutating func cancelledDrop() throws {
    let start = try session.beginDrop(Self.cancel, asking: [0])
    guard case .conclude(let conclusion) = start else {
      Issue.record("\(start)")
      return
    }
    #expect(conclusion.willEnd == .cancel)
    #expect(conclusion.transfer == nil)
    #expect(conclusion.operation == .cancel)
    #expect(session.state == .ended(.cancel))
  }

  @Test("A forbidden drop changes nothing, and another drop can follow")
  mutating func forbiddenDrop() throws {
    try session.add(.text())
    try session.didPropose(Self.copy)
    #expect(try session.beginDrop(Self.forbidden, asking: [0]) == .forbid)
    #expect(session.state == .active(proposal: Self.copy))
    #expect(session.itemCount == 1)
    #expect(try session.beginDrop(Self.copy, asking: [0]) == .perform(Self.copy))
  }

  @Test("The first of two drops wins")
  mutating func secondDrop() throws {
    _ = try session.beginDrop(Self.copy, asking: [0])
    #expect(throws: DragError.sessionEnded) { try session.beginDrop(Self.move, asking: [0]) }
    #expect(session.state.name == "dropping" && session.operation == .copy)
    _ = session.endDrop(loaded: [0])
    #expect(throws: DragError.sessionEnded) { try session.beginDrop(Self.move, asking: [0]) }
    #expect(session.state == .ended(.copy))
  }

  @Test("Cancelling ends an active drag")
  mutating func cancelled() throws {
    try session.didPropose(Self.copy)
    let conclusion = try session.cancel()
    #expect(conclusion.willEnd == .cancel)
    #expect(conclusion.transfer == nil)
    #expect(session.operation == .cancel)
    #expect(throws: DragError.sessionEnded) { try session.cancel() }
  }

  @Test("Cancelling ends a drop; its later outcome has no effect")
  mutating func brokenOff() throws {
    _ = try session.beginDrop(Self.copy, asking: [0])
    let conclusion = try session.cancel()
    #expect(conclusion.willEnd == nil)
    #expect(conclusion.transfer != nil)
    #expect(conclusion.operation == .cancel)
    #expect(session.endDrop(loaded: [0]) == nil)
    #expect(session.operation == .cancel)
  }

  @Test("A drag of a connection ends when the connection leaves, except during a drop")
  mutating func sourceLeaves() throws {
    #expect(session.connectionLeft(":1.2") == nil)
    #expect(session.state.name == "active")
    var dropping = session
    _ = try dropping.beginDrop(Self.copy, asking: [0])
    #expect(dropping.connectionLeft(":1.1") == nil)
    #expect(dropping.state.name == "dropping")
    #expect(session.connectionLeft(":1.1")?.operation == .cancel)
    #expect(session.state == .ended(.cancel))
  }

  @Test("A drag of an application outlives each of its connections")
  func applicationStays() throws {
    var session = DragSession(source: try .named("notes"), limits: SessionLimits())
    #expect(session.connectionLeft(":1.1") == nil)
    #expect(session.connectionLeft("notes") == nil)
    #expect(session.state.name == "active")
  }

  @Test("A timeout and a shutdown end every active session, also during a drop")
  mutating func timeOut() throws {
    var dropping = session
    _ = try dropping.beginDrop(Self.copy, asking: [0])
    #expect(dropping.timeOut()?.transfer != nil)
    #expect(dropping.shutDown() == nil)
    #expect(session.shutDown()?.willEnd == .cancel)
    #expect(session.timeOut() == nil)
  }

  @Test("Items, representations, flags and proposals change only while the session is active")
  mutating func frozen() throws {
    try session.add(.text())
    _ = try session.beginDrop(Self.copy, asking: [0])
    for _ in 0..<2 {
      #expect(throws: DragError.sessionEnded) { try session.add(.text()) }
      #expect(throws: DragError.sessionEnded) {
        try session.register(.sample("text/html"), item: 0)
      }
      #expect(throws: DragError.sessionEnded) { try session.setAllowsMove(false) }
      #expect(throws: DragError.sessionEnded) { try session.setRestrictedToApplication(true) }
      #expect(throws: DragError.sessionEnded) { try session.didPropose(Self.copy) }
      #expect(throws: DragError.sessionEnded) { try session.requireActive() }
      #expect(session.allowsMove && !session.isRestrictedToApplication)
      #expect(session.itemCount == 1)
      _ = session.endDrop(loaded: [0])
    }
  }

  @Test("During a drop the items can be read; after the end only their number can")
  mutating func lettingGo() throws {
    try session.add([.text(bytes: 5), .text(bytes: 6)])
    #expect(session.byteCount == 11)
    _ = try session.beginDrop(Self.copy, asking: [0])
    #expect(try session.canLoad(.plainText, within: .all))
    #expect(try session.item(1).types(within: .all) == [.plainText])
    _ = session.endDrop(loaded: [0])
    #expect(session.items.isEmpty)
    #expect(session.byteCount == 0)
    #expect(session.itemCount == 2)
    #expect(throws: DragError.sessionEnded) { try session.item(1) }
    #expect(throws: DragError.sessionEnded) { try session.canLoad(.plainText, within: .all) }
  }

  @Test("Items are identified by their index")
  mutating func items() throws {
    #expect(throws: DragError.noSuchItem(0, count: 0)) { try session.item(0) }
    #expect(try session.add(.text()) == 0)
    #expect(try session.add([.text(), .text()]) == 1..<3)
    #expect(try session.add([]) == 3..<3)
    for item in [-1, 3, Int.max, Int.min] {
      #expect(throws: DragError.noSuchItem(item, count: 3)) { try session.item(item) }
      #expect(throws: DragError.noSuchItem(item, count: 3)) {
        try session.register(.sample("text/html"), item: item)
      }
    }
    try session.register(.sample("text/html", .team), item: 1)
    #expect(try session.item(1).types(within: .team) == [.plainText, .html])
    #expect(try session.canLoad(TypeQuery(.html), within: .team))
    #expect(try !session.canLoad(TypeQuery(.html), within: .all))
    #expect(throws: DragError.duplicateRepresentation(.html)) {
      try session.register(.sample("text/html"), item: 1)
    }
  }

  @Test("A change that would exceed a limit is refused as a whole, and the error names the limit")
  func limits() throws {
    let limits = SessionLimits(maxItems: 3, maxRepresentationBytes: 10, maxSessionBytes: 15)
    var session = DragSession(source: .uniqueName(":1.1"), limits: limits)
    try session.add(.text(bytes: 10))
    let tooLarge = DragError.limitExceeded(.representationBytes, maximum: 10)
    #expect(throws: tooLarge) { try session.add(.text(bytes: 11)) }
    #expect(throws: tooLarge) { try session.register(.sample("a/b", bytes: 11), item: 0) }
    #expect(throws: tooLarge) { try session.add(.text(bytes: .max)) }
    let tooMuch = DragError.limitExceeded(.sessionBytes, maximum: 15)
    #expect(throws: tooMuch) { try session.add([.text(bytes: 3), .text(bytes: 3)]) }
    #expect(throws: tooMuch) { try session.register(.sample("a/b", bytes: 6), item: 0) }
    let tooMany = DragError.limitExceeded(.items, maximum: 3)
    #expect(throws: tooMany) { try session.add([.text(), .text(), .text()]) }
    #expect(session.itemCount == 1 && session.byteCount == 10)
    try session.register(.sample("a/b", bytes: 5), item: 0)
    #expect(session.byteCount == 15)
    #expect(tooMany.description.contains("max-items"))
  }

  @Test("A drag of rows has their board as its origin; a drag without rows has no origin")
  func origin() throws {
    #expect(DragOrigin(board: BoardKey(1), rows: []) == nil)
    let origin = try #require(DragOrigin(board: BoardKey(1), rows: [RowID(2), RowID(1)]))
    var session = DragSession(source: .uniqueName(":1.1"), origin: origin, limits: SessionLimits())
    _ = try session.cancel()
    #expect(session.origin?.rows == [RowID(2), RowID(1)])
  }
}
