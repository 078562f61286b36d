import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Calls of other clients during a call about many rows")
struct LongCallTests {
  private static let count = 5_000

  private let daemon: Daemon
  private let reader: BusClient
  private let other: BusClient
  private let rows: [String]

  init() throws {
    daemon = try Daemon()
    reader = try daemon.client()
    other = try daemon.client()
    rows = try other.insert((0..<Self.count).map { "word \($0)" })
    _ = try reader.call(BoardInterface.search, "word", 1)
  }

  /// Sends calls of the reader and then calls of the other client, which the daemon receives
  /// together, and returns the answers to the reader.
  private func answers(
    to calls: [OutgoingMessage], beside others: [OutgoingMessage]
  ) throws -> [Message] {
    daemon.signal(SIGSTOP)
    let (read, done) = (reader.send(calls), other.send(others))
    daemon.signal(SIGCONT)
    #expect(done.errors() == [String](repeating: "", count: others.count))
    return try read.all().map { try $0.get() }
  }

  @Test("GetTexts of many rows reads the text that another client has set since the call")
  func texts() throws {
    let last = try #require(rows.last)
    let answer = try answers(
      to: [call(BoardInterface.getTexts, 0, 0, UInt32(Self.count))],
      beside: [call(BoardInterface.setText, last, "changed")])[0]
    let texts = try answer.arguments(as: [String].self)
    #expect(texts.count == Self.count)
    #expect(texts.last == "changed")
  }

  @Test("GetRows of many rows has the order of the call, also for rows that are deleted during it")
  func rowsOfPage() throws {
    let revision = try other.get(BoardInterface.revision)
    let last = try #require(rows.last)
    let answer = try answers(
      to: [call(BoardInterface.getRows, 0, 0, UInt32(Self.count))],
      beside: [call(BoardInterface.deleteItems, [last]), call(BoardInterface.erase, true)])[0]
    let page = try answer.arguments(as: UInt64.self, [BoardInterface.Row].self)
    #expect(page.0 == revision)
    #expect(page.1.map(\.members.0) == rows)
    #expect(page.1.last?.members.1 == "")
    #expect(daemon.terminate() == .exited(0))
    try daemon.start()
    #expect(try daemon.client().get(BoardInterface.count) == 0)
  }

  @Test("Search of many rows returns them in the order after an edit of another client")
  func search() throws {
    let last = try #require(rows.last)
    let answer = try answers(
      to: [call(BoardInterface.search, "word", 10)],
      beside: [call(BoardInterface.moveItems, [last], 0, 0)])[0]
    #expect(try answer.arguments(as: [String].self) == [last] + rows.prefix(9))
  }

  @Test("The replies to one client have the order of its calls")
  func order() throws {
    var order: [Int] = []
    let calls = [
      call(BoardInterface.getTexts, 0, 0, UInt32(Self.count)), getting(BoardInterface.count),
      call(BoardInterface.search, "word", 1), call(BoardInterface.insertText, 0, -1, "x"),
      call(BoardInterface.getRows, 0, 0, UInt32(Self.count)), getting(BoardInterface.count),
    ]
    for (index, call) in calls.enumerated() {
      reader.connection.send(call) { _ in order.append(index) }
    }
    reader.connection.loop.wait { order.count == calls.count }
    #expect(order == Array(calls.indices))
  }

  @Test("The deletion of the board during a long call is an error of the call")
  func deletedBoard() throws {
    let board = try other.call(ManagerInterface.createBoard, at: Dragboard.root, "b")
    _ = try other.call(
      BoardInterface.insertTexts, at: board, 0, -1, (0..<Self.count).map { "\($0)" })
    daemon.signal(SIGSTOP)
    let read = reader.send([call(BoardInterface.getTexts, at: board, 0, 0, UInt32(Self.count))])
    let deletion = other.send([call(ManagerInterface.deleteBoard, at: Dragboard.root, "b")])
    daemon.signal(SIGCONT)
    #expect(deletion.errors() == [""])
    // If the deletion is served first, the board's object no longer exists.
    #expect(Set(read.errors()).isSubset(of: ["NoSuchBoard", "UnknownObject"]))
  }

  @Test("A search returns the first rows of the board up to its limit")
  func found() throws {
    let all = rows + (try other.insert((0..<6_000).map { "word \($0)" }))
    for (limit, count) in [(0, 10_000), (100, 100), (7_000, 7_000), (20_000, 11_000)] {
      let found = try reader.call(BoardInterface.search, "word", UInt32(limit))
      #expect(found == Array(all.prefix(count)))
    }
  }
}
