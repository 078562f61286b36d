import TestSupport
import Testing

@testable import DragboardClient

@Suite("Drags, with the client library")
struct DragTests {
  @Test("A drop on a board is reported to the source from beginning to end")
  func drop() async throws {
    let stage = try await Stage()
    let source = try await stage.another()
    let drag = try await source.beginDrag([.text("one"), .text("two")], as: "org.example.Notes")
    let board = stage.board
    let proposal = try await board.dropTarget.propose(drag.session.id, as: "org.example.Mail")
    #expect(proposal.operation == .copy)
    #expect(proposal.destination == 0)
    let result = try await board.dropTarget.perform(drag.session.id, as: "org.example.Mail")
    #expect(result.operation == .copy)
    #expect(try await board.texts(count: 9) == ["one", "two"])
    #expect(try await board.snapshot().sections[0].items == result.items)
    var events: [SessionEvent] = []
    let outcome = try await drag.outcome { events.append($0) }
    #expect(outcome == ActiveDrag.Outcome(operation: .copy, loaded: [0, 1], failed: []))
    #expect(
      events == [
        .itemsAdded(first: 0, count: 2),
        .updated(application: "org.example.Mail", board: board.id, .copy, 0),
        .willEnd(.copy), .transferred(loaded: [0, 1], failed: []), .ended(.copy),
      ])
  }

  @Test("If the application that drags rows drops them, they move")
  func move() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["a", "b", "c"])
    let drag = try await stage.board.beginDrag(of: [items[2]], as: "org.example.Mail")
    let info = try await drag.session.info()
    #expect(info.sourceRows == [items[2]])
    #expect(info.sourceBoard == stage.board.id)
    let result = try await stage.board.dropTarget.perform(
      drag.session.id, at: 0, as: "org.example.Mail")
    #expect(result == DropResult(operation: .move, items: [items[2]]))
    #expect(try await drag.outcome().operation == .move)
    #expect(try await stage.board.texts(count: 9) == ["c", "a", "b"])
  }

  @Test("A client can read the types, names and state of a drag")
  func questions() async throws {
    let stage = try await Stage()
    let item = DragItem(
      suggestedName: "note.html",
      [.init(.html, .data(Array("<p>".utf8))), .init(.plainText, .data(Array("p".utf8)))])
    let drag = try await stage.dragboard.beginDrag([item])
    let session = DragSession(drag.session.id, on: try await stage.another())
    #expect(try await session.types(ofItem: 0) == [.html, .plainText])
    #expect(try await session.suggestedName(ofItem: 0) == "note.html")
    #expect(try await session.canLoad("text/*"))
    #expect(try await session.canLoad(.png) == false)
    let info = try await session.info()
    #expect((info.state, info.operation, info.itemCount) == (.active, nil, 1))
    #expect(info.application == stage.dragboard.uniqueName)
    await expect(.accessDenied) { try await session.cancel() }
    await expect(.noSuchItem) { _ = try await session.types(ofItem: 3) }
  }

  @Test("A cancelled drag ends with cancel, and cannot be dropped")
  func cancelling() async throws {
    let stage = try await Stage()
    let drag = try await stage.dragboard.beginDrag([.text("one")])
    let events = try await drag.session.events()
    try await drag.session.cancel()
    #expect(try await drag.outcome() == ActiveDrag.Outcome(operation: .cancel))
    var seen: [SessionEvent] = []
    for try await event in events { seen.append(event) }
    #expect(seen == [.willEnd(.cancel), .ended(.cancel)])
    await expect(.sessionEnded) { _ = try await stage.board.dropTarget.perform(drag.session.id) }
    for try await _ in try await drag.session.events() { Issue.record("it has ended") }
  }

  @Test("Drags are listed oldest first, and the latest is found")
  func listing() async throws {
    let stage = try await Stage()
    #expect(try await stage.dragboard.latestSession() == nil)
    var drags: [ActiveDrag] = []
    for number in 1...3 { drags.append(try await stage.dragboard.beginDrag([.text("\(number)")])) }
    try await drags[1].session.cancel()
    let listed = try await stage.dragboard.sessions()
    #expect(listed.map(\.session.id) == [drags[0].session.id, drags[2].session.id])
    #expect(try await stage.dragboard.latestSession()?.id == drags[2].session.id)
    await expect(.noSuchSession) {
      _ = try await DragSession(SessionID(99), on: stage.dragboard).info()
    }
  }

  @Test("An item that is refused cancels the drag")
  func refusedItem() async throws {
    let stage = try await Stage()
    let twice = DragItem([.init(.html, .data([])), .init("public.html", .data([]))])
    await expect(.duplicateRepresentation) { _ = try await stage.dragboard.beginDrag([twice]) }
    #expect(try await stage.dragboard.sessions().isEmpty)
  }

  @Test("When the daemon stops, a task that waits for the drag gets an error")
  func loss() async throws {
    let stage = try await Stage()
    let drag = try await stage.dragboard.beginDrag([.text("one")])
    stage.daemon.kill()
    await expect(.noDaemon) { _ = try await drag.outcome() }
  }

  @Test("The events of the connection report boards, drags and the daemon")
  func events() async throws {
    let stage = try await Stage()
    var events = await stage.dragboard.events().makeAsyncIterator()
    let other = try await stage.another()
    let board = try await other.createBoard(named: "zoo")
    let drag = try await other.beginDrag(as: "org.example.Notes")
    try await drag.session.cancel()
    try await board.settings.setMaxRows(10)
    try await other.renameBoard(named: "zoo", to: "ark")
    try await other.deleteBoard(named: "ark")
    stage.daemon.kill()
    let wanted: [DragboardEvent] = [
      .boardAdded(board.id), .dragBegan(drag.session.id, application: "org.example.Notes"),
      .dragEnded(drag.session.id, application: "org.example.Notes", .cancel),
      .boardRenamed(board.id, to: "ark"), .boardRemoved(board.id), .daemonLeft,
    ]
    for event in wanted { #expect(try await events.next() == event) }
  }
}
