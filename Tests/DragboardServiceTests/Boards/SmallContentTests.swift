import DBus
import DragboardInterface
import DragboardService
import DragboardStore
import Foundation
import TestSupport
import Testing

/// One commit of many small representations would block all clients.
@Suite("Items with many representations of at most 64 KiB each")
struct SmallContentTests {
  private static let largest = 64 << 10
  /// The maximum number of representations of an item.
  private static let maxCount = 256

  /// Returns different bytes for each representation.
  private static func bytes(_ number: Int) -> [UInt8] { pattern(largest, every: 200 + number % 56) }

  private static func insert(
    _ count: Int, through client: BusClient, on board: ObjectPath = BusClient.board
  ) throws(DBusError) -> String {
    try client.call(
      BoardInterface.insertItem, at: board, 0, -1, [:],
      (0..<count).map { .init("a/b\($0)", .data(bytes($0))) })
  }

  /// Begins a drag of items that have some representations each.
  private static func drag(_ counts: [Int], from client: BusClient) throws -> ObjectPath {
    let session = try client.beginDrag()
    for (item, count) in counts.enumerated() {
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      for number in 0..<count {
        try client.call(
          DragSessionInterface.registerData, at: session, UInt32(item), "a/b\(number)", "all",
          bytes(number))
      }
    }
    return session
  }

  private static func check(_ item: String, has count: Int, through client: BusClient) throws {
    for number in Set([0, 3, 4, count - 1]) where number < count {
      #expect(try client.call(BoardInterface.getData, item, "a/b\(number)") == bytes(number))
    }
  }

  @Test(
    "An item has at most 256 KiB in the database; its other bytes are in files, also after a kill")
  func insertion() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let item = try Self.insert(Self.maxCount, through: client)
    #expect(try client.rows().map(\.types.count) == [Self.maxCount])
    try Self.check(item, has: Self.maxCount, through: client)
    #expect(try contentFiles(in: daemon.bus).count == Self.maxCount - 4)
    daemon.kill()
    try daemon.start()
    let next = try daemon.client()
    #expect(try next.rows().map(\.types.count) == [Self.maxCount])
    try Self.check(item, has: Self.maxCount, through: next)
  }

  @Test("A dropped item, too")
  func drop() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let result = try client.drop(try Self.drag([1, 40], from: client))
    #expect(try client.rows().map(\.types.count) == [1, 40])
    try Self.check(result.items[1], has: 40, through: client)
    #expect(try contentFiles(in: daemon.bus).count == 40 - 4)
  }

  @Test("An equal item moves the row of the first one")
  func duplicate() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.set(BoardInterface.movesDuplicates, to: Variant(.boolean(true)))
    let item = try Self.insert(20, through: client)
    try client.insert(["other"])
    #expect(try Self.insert(20, through: client) == item)
    #expect(try client.get(BoardInterface.count) == 2)
  }

  @Test(
    "A drop of many bytes is stored in several commits, and the rows are purged in several steps")
  func commits() throws {
    let service = try ServiceThread()
    defer { service.stop() }
    let client = try service.client()
    try client.set(BoardInterface.retainRows, to: Variant(.uint32(16)))
    let counts = [Int](repeating: 4, count: 16)
    let before = service.orders.commits
    #expect(try client.drop(try Self.drag(counts, from: client)).items.count == 16)
    #expect(try client.rows().map(\.types.count) == counts)
    #expect(service.orders.commits - before >= 16)
    // The insertion evicts all rows, and no undo restores them.
    let steps = service.orders.maintenanceWrites
    var ends = service.orders.ends
    try client.insert((0..<16).map { "\($0)" })
    while service.orders.maintenanceWrites - steps < 16 {
      ends += 1
      try #require(service.orders.wait(forEnds: ends))
    }
  }

  @Test(
    "If any of these commits fails, the drop inserts nothing, and the next drop works",
    arguments: 0..<5)
  func faults(after others: Int) throws {
    let service = try ServiceThread()
    defer { service.stop() }
    let client = try service.client()
    try client.insert(["row"])
    let before = try client.contents()
    let counts = [Int](repeating: 4, count: 5)
    let session = try Self.drag(counts, from: client)
    service.orders.fail(.commit, after: others)
    expect(.ioError) { try client.drop(session) }
    #expect(try client.contents() == before)
    #expect(try client.drop(try Self.drag(counts, from: client)).items.count == 5)
  }

  @Test(
    "A stack of a sandboxed client changes at most 1 MiB in the database",
    .enabled(if: Relay.Wall.mountNamespace.isPossible, "needs a mount namespace"))
  func stack() throws {
    let daemon = try Daemon()
    let relay = try Relay(on: daemon.bus, as: "org.team.group.Boxed")
    let boxed = try relay.client()
    let free = try daemon.client()
    let rows = try [boxed, free].map { client in
      try (0..<5).map { _ in try Self.insert(4, through: client) }
    }
    expect(.limitsExceeded, naming: "items", "1048576") {
      _ = try boxed.call(BoardInterface.stackItems, rows[0], 0, -1, "stack")
    }
    _ = try boxed.call(BoardInterface.stackItems, Array(rows[0].prefix(4)), 0, -1, "stack")
    _ = try free.call(BoardInterface.stackItems, rows[1], 0, -1, "other")
  }
}
