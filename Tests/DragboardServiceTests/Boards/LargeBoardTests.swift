import BoardModel
import DBus
import DragboardInterface
import DragboardService
import Foundation
import TestSupport
import Testing

@Suite("A board of 100,000 rows")
struct LargeBoardTests {
  private static let count = 100_000

  @Test("100,000 rows are inserted and deleted by one call each; their purge delays no call")
  func comesAndGoes() throws {
    let clock = TestClock()
    let service = try ServiceThread(
      now: { clock.time }, elapsed: { .microseconds(Int64(clock.time)) })
    defer { service.stop() }
    let client = try service.client()
    // All texts together are so long that SQLite checkpoints its log during the insertion.
    let padding = String(repeating: ".", count: 40)
    let texts = (0..<Self.count).map { "row \($0)\(padding)" }
    #expect(service.orders.wait(forEnds: 1))

    let first = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "first")
    let items = try client.call(BoardInterface.insertTexts, at: first, 0, 0, texts)
    #expect(items.count == Self.count)
    #expect(try changes(client) == ["reset"])
    let (section, row) = try client.call(BoardInterface.getIndexPath, at: first, items[77_777])
    #expect((section, row) == (0, 77_777))
    let last = try client.call(BoardInterface.getTexts, at: first, 0, 99_998, 9)
    #expect(last == texts.suffix(2))

    _ = try client.board("second")
    try client.deleteBoard("first")
    #expect(service.orders.wait(forEnds: 2))
    // The first board expires, and the next deletion purges it.
    clock.time = 31 * 24 * 3_600 * 1_000_000
    try client.deleteBoard("second")
    let item = try client.call(BoardInterface.insertText, 0, 0, "x")
    for _ in 0..<100 { _ = try client.call(BoardInterface.getIndexPath, item) }
    #expect(service.orders.ends == 2, "the reads were answered before everything was cleaned up")
    #expect(service.orders.wait(forEnds: 3))

    let size = try service.databaseSize()
    #expect(size > Self.count * padding.utf8.count)
    _ = try client.call(BoardInterface.insertTexts, 0, 0, texts)
    #expect(try service.databaseSize() <= size + size / 8)
  }

  @Test("More than 10,000 cleared rows are reported as a reset, and purged without a restart")
  func rows() throws {
    let service = try ServiceThread()
    defer { service.stop() }
    let client = try service.client()
    #expect(service.orders.wait(forEnds: 1))
    _ = try client.call(BoardInterface.insertTexts, 0, 0, (0...10_000).map { "row \($0)" })
    _ = try client.call(BoardInterface.clear)
    #expect(try changes(client) == ["reset", "reset"])
    #expect(try client.get(BoardInterface.count) == 0)
    // A deleted row that an undo could restore is kept; any other deleted row is purged.
    _ = try client.call(BoardInterface.undo)
    _ = try client.call(BoardInterface.undo)
    #expect(service.orders.ends == 1)
    _ = try client.call(BoardInterface.insertText, 0, 0, "an edit that ends the redo branch")
    #expect(service.orders.wait(forEnds: 2))
    #expect(service.orders.ends == 2)
  }

  /// Returns the kinds of the changes since the last call of this function.
  private func changes(_ client: BusClient) throws -> [String] {
    try client.takeSignals().filter { $0.member == "Changed" }.flatMap { signal in
      try signal.message.arguments(as: UInt64.self, UInt64.self, [WireChange].self).2
        .map(\.members.0)
    }
  }
}
