import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("GetChanges: a client that was away catches up")
struct ChangesTests {
  @Test("The changes since any revision update a copy to the board, also after restarts")
  func everyRevision() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    var edits = RandomEdits(seed: 5, prefix: "x", arranges: true)
    var copies = [try client.replica()]
    for round in 0..<3 {
      for _ in 0..<70 {
        let items = copies.last?.rows ?? []
        client.make(edits.next(items: items.suffix(40), board: copies.last))
        let copy = try client.replica()
        if copy.revision != copies.last?.revision { copies.append(copy) }
      }
      if round > 0 {
        daemon.kill()
        try daemon.start()
        client = try daemon.client()
      }
      let board = try #require(copies.last)
      for var copy in copies {
        try copy.apply(try client.call(BoardInterface.getChanges, copy.revision))
        try #require(copy == board)
      }
    }
    #expect(copies.count > 80)
    #expect(copies.map(\.revision) == Array(1...UInt64(copies.count)))
  }

  @Test("GetChanges returns the changes in the Changed signals, including edits of the same moment")
  func sameAsChanged() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let items = try client.insert(["a", "b", "c"])
    _ = client.takeSignals()
    let since = try client.get(BoardInterface.revision)
    let answers = client.answers(to: [
      call(BoardInterface.moveRow, 0, 0, 0, 2), call(BoardInterface.setText, items[1], "B"),
      call(BoardInterface.getChanges, since), call(BoardInterface.undo),
      call(BoardInterface.getChanges, since),
    ])
    let told = words(of: try client.takeRevisions().flatMap(\.changes))
    let first = try answers[2].get().arguments(as: UInt64.self, [WireChange].self)
    let second = try answers[4].get().arguments(as: UInt64.self, [WireChange].self)
    #expect(first.0 == since + 2)
    #expect(words(of: first.1) == Array(told.prefix(2)))
    #expect(second.0 == since + 3)
    #expect(words(of: second.1) == told)
  }

  @Test("The latest 1,000 revisions are retained, also after restarts; older ones are refused")
  func thousand() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    let item = try client.insert(["a"])[0]
    for _ in 0..<27 {
      let calls = (0..<100).map { call(BoardInterface.setMovable, item, $0 % 2 != 0) }
      for answer in client.answers(to: calls) { _ = try answer.get() }
    }
    for _ in 0..<2 {
      let revision = try client.get(BoardInterface.revision)
      #expect(revision > 2_700)
      for since in [revision - 1_000, revision - 999, revision - 1] {
        let (to, changes) = try client.call(BoardInterface.getChanges, since)
        #expect(to == revision)
        #expect(changes.count == Int(revision - since))
      }
      expect(.staleRevision, naming: "since", "GetSnapshot") {
        _ = try client.call(BoardInterface.getChanges, 1)
      }
      #expect(throws: DBusError.self) { try client.call(BoardInterface.getChanges, 0) }
      daemon.kill()
      try daemon.start()
      client = try daemon.client()
      _ = try client.call(BoardInterface.setMovable, item, false)
    }
  }

  @Test("The history of a revision stays, and an earlier copy of the data gets another one")
  func histories() throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    func edit() throws -> (revision: UInt64, history: String) {
      try client.insert(["row"])
      let (revision, history, _) = try client.call(BoardInterface.getHistory, 1, "")
      return (revision, history)
    }
    func restart() throws {
      daemon.kill()
      try daemon.start()
      client = try daemon.client()
    }
    let created = try client.call(BoardInterface.getHistory, 1, "")
    let first = try edit()
    #expect(!first.history.isEmpty && created.1 == first.history)
    try restart()
    #expect(try client.call(BoardInterface.getHistory, first.revision, first.history).2.isEmpty)
    let (data, copy) = (
      daemon.bus.home.appending(path: "data/dragboard"), daemon.bus.home.appending(path: "copy")
    )
    daemon.kill()
    try FileManager.default.copyItem(at: data, to: copy)
    try daemon.start()
    client = try daemon.client()
    let second = try edit()
    #expect(second.history != first.history)
    try restart()
    let changes = try client.call(BoardInterface.getHistory, first.revision, first.history)
    #expect((changes.0, changes.1, changes.2.count) == (second.revision, second.history, 1))

    daemon.kill()
    try FileManager.default.removeItem(at: data)
    try FileManager.default.copyItem(at: copy, to: data)
    try daemon.start()
    client = try daemon.client()
    let third = try edit()
    #expect(third.revision == second.revision)
    expect(.invalidArgs, naming: "history", second.history) {
      _ = try client.call(BoardInterface.getHistory, second.revision, second.history)
    }
    #expect(try client.call(BoardInterface.getHistory, first.revision, first.history).2.count == 1)
    expect(.invalidArgs, naming: "since") {
      _ = try client.call(BoardInterface.getHistory, third.revision + 1, third.history)
    }
    expect(.staleRevision, naming: "since") {
      _ = try client.call(BoardInterface.getHistory, 0, "")
    }
  }

  @Test("Revision 0 is too old, also for a new board")
  func zero() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for text in ["a", "b"] {
      expect(.staleRevision, naming: "since") { _ = try client.call(BoardInterface.getChanges, 0) }
      try client.insert([text])
    }
    #expect(try client.call(BoardInterface.getChanges, 1).1.count == 2)
  }

  @Test("A future revision is refused; the current revision has no changes")
  func future() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (revision, changes) = try client.call(BoardInterface.getChanges, 1)
    #expect(revision == 1 && changes.isEmpty)
    for since in [2, UInt64.max] {
      expect(.invalidArgs, naming: "since", "\(since)", "1") {
        _ = try client.call(BoardInterface.getChanges, since)
      }
    }
  }

  @Test("100,000 changes are reported, and 100,001 are too many; a reset cannot be crossed")
  func tooMuch() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let texts = [String](repeating: "x", count: 10_000)
    _ = try client.insert(texts)
    _ = try client.call(BoardInterface.clear)
    for _ in 0..<4 {
      _ = try client.call(BoardInterface.undo)
      _ = try client.call(BoardInterface.redo)
    }
    let (revision, changes) = try client.call(BoardInterface.getChanges, 1)
    #expect((revision, changes.count) == (11, 100_000))
    _ = try client.insert(["one more"])
    expect(.staleRevision) { _ = try client.call(BoardInterface.getChanges, 1) }
    #expect(try client.call(BoardInterface.getChanges, 2).1.count == 90_001)

    _ = try client.insert(texts)
    _ = try client.call(BoardInterface.clear)
    let after = try client.get(BoardInterface.revision)
    #expect(try client.takeRevisions().last?.changes.map(\.members.0) == ["reset"])
    _ = try client.insert(["later"])
    expect(.staleRevision) { _ = try client.call(BoardInterface.getChanges, after - 1) }
    #expect(try client.call(BoardInterface.getChanges, after).1.count == 1)
  }
}
