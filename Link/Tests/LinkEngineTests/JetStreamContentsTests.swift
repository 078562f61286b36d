import Files
import LinkModel
import Testing

@testable import LinkEngine

@Suite("Contents on a server")
struct JetStreamContentsTests {
  let server: TestServer
  let machine: TestMachine
  let contents: JetStreamContents

  init() async throws {
    server = try await TestServer()
    machine = try TestMachine(server, keys: .random())
    contents = JetStreamContents(of: machine.keys, on: machine.connection)
  }

  private func stored() throws -> Stream {
    let name = machine.keys.name(of: "contents", machine.keys.id.bytes)
    return Stream(connection: machine.connection, name: "dragboard-contents-\(name)")
  }

  private func subject(_ hash: ContentHash, _ part: String) -> String {
    let name = machine.keys.name(of: "contents", machine.keys.id.bytes)
    return "dragboard.contents.\(name).\(machine.keys.name(of: "content", hash.bytes)).\(part)"
  }

  @Test(
    "Another machine gets the same bytes",
    arguments: [1, 64 << 10, (64 << 10) + 1, 512 << 10, (512 << 10) + 1, 3 << 20])
  func roundTrip(count: Int) async throws {
    let bytes = Sodium.random(count)
    let hash = try await contents.put(bytes)
    #expect(hash == ContentHash(of: bytes))
    let other = JetStreamContents(of: machine.keys, on: try server.connect())
    #expect(try await other.get(hash) == bytes)
  }

  @Test("No machine uploads a content that exists")
  func once() async throws {
    let bytes = Sodium.random(2 << 20)
    _ = try await contents.put(bytes)
    let count = try stored().lastNumber()
    #expect(count == 5)
    _ = try await contents.put(bytes)
    _ = try await JetStreamContents(of: machine.keys, on: try server.connect()).put(bytes)
    #expect(try stored().lastNumber() == count)
  }

  @Test("An interrupted upload creates no content and can be continued")
  func interrupted() async throws {
    let bytes = Sodium.random(2 << 20)
    let hash = try await contents.put(bytes)
    try stored().purge(subject(hash, "m"))
    try stored().purge(subject(hash, "3"))
    #expect(try await contents.get(hash) == nil)
    let before = try #require(try stored().lastNumber())
    _ = try await contents.put(bytes)
    #expect(try stored().lastNumber() == before + 2)
    #expect(try await contents.get(hash) == bytes)
  }

  @Test("A machine receives a content while another machine stores it")
  func simultaneous() async throws {
    let bytes = Sodium.random(3 << 20)
    let hash = try await contents.put(bytes)
    let names = ["0", "1", "2", "3", "4", "5"].map { subject(hash, $0) }
    let parts = try names.map { try #require(try stored().lastMessage(on: $0)) }
    for name in names[1...] + [subject(hash, "m")] { try stored().purge(name) }
    let other = JetStreamContents(of: machine.keys, on: try server.connect())
    async let received = other.get(hash, byteCount: bytes.count) { try MemoryFile.empty() }
    for index in [2, 1, 5, 3, 4] {
      _ = try stored().publish(
        parts[index], on: names[index], after: .noMessage, id: nil, timeout: 5_000)
    }
    #expect(try await received?.read(0..<bytes.count) == bytes)
  }

  @Test("A removed content is gone from the disk, and can be stored again")
  func removal() async throws {
    let bytes = Sodium.random(1 << 20)
    let (hash, kept) = (try await contents.put(bytes), try await contents.put([1]))
    try await contents.remove(hash)
    #expect(try await contents.get(hash) == nil)
    #expect(try await contents.get(kept) == [1])
    try await contents.remove(hash)
    _ = try await contents.put(bytes)
    #expect(try await contents.get(hash) == bytes)
  }

  @Test("A content that was never stored does not exist")
  func absent() async throws {
    #expect(try await contents.get(ContentHash(of: [9])) == nil)
    _ = try await contents.put([1])
    #expect(try await contents.get(ContentHash(of: [9])) == nil)
  }

  @Test("Altered, exchanged and replaced chunks are reported")
  func lies() async throws {
    let (one, other) = (Sodium.random(1 << 20), Sodium.random(1 << 20))
    let (hash, otherHash) = (try await contents.put(one), try await contents.put(other))
    let stream = try stored()
    let first = try #require(try stream.lastMessage(on: subject(hash, "0")))
    let second = try #require(try stream.lastMessage(on: subject(hash, "1")))
    let foreign = try #require(try stream.lastMessage(on: subject(otherHash, "0")))
    var altered = first
    altered[500] ^= 1
    for lie in [altered, second, foreign, [], Array(first.dropLast())] {
      try stream.purge(subject(hash, "0"))
      _ = try stream.publish(
        lie, on: subject(hash, "0"), after: .noMessage, id: nil, timeout: 5_000)
      await #expect(throws: LinkError.alteredContent(hash)) { try await contents.get(hash) }
    }
    try stream.purge(subject(hash, "0"))
    _ = try stream.publish(
      first, on: subject(hash, "0"), after: .noMessage, id: nil, timeout: 5_000)
    #expect(try await contents.get(hash) == one)
    try stream.purge(subject(hash, "m"))
    _ = try stream.publish(
      foreign, on: subject(hash, "m"), after: .noMessage, id: nil, timeout: 5_000)
    await #expect(throws: LinkError.alteredContent(hash)) { try await contents.get(hash) }
    await #expect(throws: LinkError.alteredContent(hash)) { try await contents.put(one) }
  }

  @Test("Contents stay readable after the change of the key")
  func newKey() async throws {
    let hash = try await contents.put([1, 2])
    machine.keys.add(.random(epoch: 2))
    #expect(try await contents.get(hash) == [1, 2])
    #expect(try await contents.get(contents.put([3])) == [3])
  }

  // MARK: Removal of unused contents

  @Test("Contents that no row has, and incomplete contents, are removed after their time")
  func sweep() async throws {
    let used = try await contents.put(Sodium.random(1 << 20))
    let unused = try await contents.put(Sodium.random(1 << 20))
    let incomplete = try await contents.put(Sodium.random(1 << 20))
    try stored().purge(subject(incomplete, "m"))
    #expect(try await contents.sweep(olderThan: .seconds(60)) { [used] } == 0)
    #expect(try await contents.sweep(olderThan: .zero) { nil } == 0)
    #expect(try await contents.get(unused) != nil)
    let other = JetStreamContents(of: machine.keys, on: try server.connect())
    #expect(try await other.sweep(olderThan: .zero) { [used] } == 2)
    #expect(try await contents.get(used) != nil)
    #expect(try await contents.get(unused) == nil)
    // The chunks are stored in any order, and the manifest last.
    let parts = try stored().parts(on: ">").map(\.subject)
    #expect(parts.sorted() == ["0", "1", "m"].map { subject(used, $0) })
    #expect(parts.last == subject(used, "m"))
    #expect(try await other.sweep(olderThan: .zero) { [] } == 1)
    #expect(try await other.sweep(olderThan: .zero) { [] } == 0)
  }
}
