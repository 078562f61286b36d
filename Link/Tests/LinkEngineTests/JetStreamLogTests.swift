import Foundation
import LinkModel
import LinkState
import Testing
import Text

@testable import LinkEngine

@Suite("A log on a server")
struct JetStreamLogTests {
  let server: TestServer
  let keys = GroupKeys.random()
  let id = LogID.random()

  init() async throws { server = try await TestServer() }

  private func machine() throws -> TestMachine { try TestMachine(server, keys: keys) }

  @Test("A second machine reads every entry in order, from any number on")
  func reads() async throws {
    try await machine().append((1...20).map { batch("edit \($0)") }, to: id)
    let other = try machine()
    let all = try await other.read(20, of: id)
    #expect(all.map(\.number) == Array(1...20))
    #expect(all.map(\.batch) == (1...20).map { batch("edit \($0)") })
    #expect(try await other.read(5, after: 15, of: id) == Array(all[15...]))
    // A machine that has lost its trail first verifies the whole log.
    #expect(try await machine().read(5, after: 15, of: id) == Array(all[15...]))
  }

  @Test("An append after another entry returns nil and adds nothing")
  func compareAndSet() async throws {
    let (one, other) = (try machine(), try machine())
    try await one.append([batch("a"), batch("b")], to: id)
    let log = try other.log(id)
    #expect(try await log.append(batch("c"), after: 0) == nil)
    _ = try await other.read(2, of: id)
    #expect(try await log.append(batch("c"), after: 1) == nil)
    #expect(try await log.lastNumber() == 2)
    await #expect(throws: LinkError.unreadEntry(9)) { try await log.append(batch("c"), after: 9) }
    #expect(try await log.append(batch("c"), after: 2) == 3)
    #expect(try await one.read(1, after: 2, of: id).map(\.batch) == [batch("c")])
  }

  @Test("One of many simultaneous appends after the same entry succeeds")
  func race() async throws {
    let machines = try (0..<6).map { _ in try machine() }
    let logs = try machines.map { try $0.log(id) }
    let numbers = try await within {
      try await withThrowingTaskGroup(of: UInt64?.self) { group in
        for (index, log) in logs.enumerated() {
          group.addTask { try await log.append([UInt8(index)], after: 0) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(numbers.compactMap { $0 } == [1])
  }

  @Test("A waiting reader gets each new entry")
  func follows() async throws {
    let (writer, reader) = (try machine(), try machine())
    let (log, other) = (try writer.log(id), try reader.log(id))
    var entries = other.entries(after: 0).makeAsyncIterator()
    for number in UInt64(1)...200 {
      #expect(try await log.append([1], after: number - 1) == number)
      #expect(try await entries.next()?.number == number)
    }
  }

  @Test("Readers and writers continue after the server was killed")
  func serverKill() async throws {
    let (writer, reader) = (try machine(), try machine())
    let log = try writer.log(id)
    let entries = try reader.log(id).entries(after: 0)
    let read = Task {
      var numbers: [UInt64] = []
      for try await entry in entries {
        numbers.append(entry.number)
        if numbers.count == 30 { break }
      }
      return numbers
    }
    for number in UInt64(1)...30 {
      if number % 10 == 0 {
        server.stop()
        await #expect(throws: LinkError.self) { try await log.append([1], after: number - 1) }
        try await server.start()
        try await eventually("the writer is connected") { writer.connection.isConnected }
      }
      let appended = try await within { try await log.append([1], after: number - 1) }
      #expect(appended == number)
    }
    #expect(try await read.result(withinSeconds: 60) == Array(1...30))
  }

  @Test("A machine that starts before the server reads entries after the server has started")
  func lateServer() async throws {
    try await machine().append([batch("a")], to: id)
    server.stop()
    let connection = try NATSConnection(to: server.address())
    #expect(!connection.isConnected)
    let folder = try TestFolder()
    let log = JetStreamLog(
      id, of: keys, on: connection, trail: try Trail(of: id, in: try StateDatabase(in: folder.path))
    )
    await #expect(throws: LinkError.offline(server: connection.server.url)) {
      try await log.append(batch("b"), after: 0)
    }
    let entries = log.entries(after: 0)
    let read = Task { try await entries.first { _ in true } }
    try await server.start()
    #expect(try await read.result()?.batch == batch("a"))
  }

  @Test("A cancelled reader ends")
  func cancellation() async throws {
    let log = try machine().log(id)
    #expect(try await log.append(batch("a"), after: 0) == 1)
    let (numbers, reader) = AsyncStream.makeStream(of: UInt64.self)
    let read = Task {
      for try await entry in log.entries(after: 0) { reader.yield(entry.number) }
    }
    // The reader now waits for the second entry.
    #expect(await numbers.first { _ in true } == 1)
    read.cancel()
    try await read.result(withinSeconds: 10)
  }

  @Test("A batch above the limit is refused before it is sent")
  func largeBatch() async throws {
    let machine = try machine()
    let log = try machine.log(id)
    let max = JetStreamLog.maxBatchBytes
    #expect(try await log.append([UInt8](repeating: 1, count: max), after: 0) == 1)
    await #expect(throws: LinkError.largeBatch(bytes: max + 1, max: max)) {
      try await log.append([UInt8](repeating: 1, count: max + 1), after: 1)
    }
  }

  @Test("The server's disk shows no text, no hash and no name")
  func disk() async throws {
    let machine = try machine()
    let text = "a secret text that is longer than a block"
    let content = batch(String(repeating: text, count: 20_000))
    try await machine.append([batch(text), batch(text)], to: id)
    let hash = try await JetStreamContents(of: keys, on: machine.connection).put(content)
    let disk = try server.bytesOnDisk()
    #expect(disk.count > content.count)
    for secret in [
      Data(text.utf8), Data("secret".utf8), Data(hash.bytes),
      Data(Hexadecimal.digits(of: hash.bytes).utf8),
      Data("\(id)".utf8), Data(id.bytes),
    ] {
      #expect(disk.range(of: secret) == nil)
    }
  }
}
