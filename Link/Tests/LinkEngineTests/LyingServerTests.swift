import Foundation
import LinkModel
import Testing

@testable import LinkEngine

@Suite("A server that lies")
final class LyingServerTests: WrittenLog, @unchecked Sendable {
  @Test("The honest copy of a log is accepted")
  func honest() async throws {
    try owner.change { _ in }
    #expect(try await newMachine().read(5, of: id).count == 5)
    #expect(try await writer.read(5, of: id).count == 5)
  }

  @Test("An altered entry is not applied, and no later entry is", arguments: [0, 1, 10, 40, 1_000])
  func altered(index: Int) async throws {
    try owner.change { $0[2][min(index, $0[2].count - 1)] ^= 1 }
    let machine = try newMachine()
    let result = try await machine.readUntilError(of: id)
    #expect(result.numbers == [1, 2, 3])
    #expect(result.error == .alteredEntry(4))
    #expect(try await machine.read(3, of: id)[2].batch == [])
  }

  @Test("Reordered entries are reported")
  func reordered() async throws {
    try owner.change { $0.swapAt(2, 3) }
    let result = try await newMachine().readUntilError(of: id)
    #expect(result.numbers == [1, 2])
    #expect(result.error == .alteredEntry(3))
  }

  @Test("A replayed entry is reported")
  func replayed() async throws {
    try owner.change { $0.append($0[1]) }
    let result = try await newMachine().readUntilError(of: id)
    #expect(result.numbers == [1, 2, 3, 4, 5])
    #expect(result.error == .alteredEntry(6))
  }

  @Test("An omitted entry is reported")
  func omitted() async throws {
    try owner.change { $0.remove(at: 2) }
    let result = try await newMachine().readUntilError(of: id)
    #expect(result.numbers == [1, 2])
    #expect(result.error == .alteredEntry(3))
  }

  @Test("An entry of another log is skipped")
  func otherLog() async throws {
    let other = LogID.random()
    try await writer.append((1...5).map { batch("other \($0)") }, to: other)
    let entries = try LyingServer(try writer.log(other)).entries()
    try owner.change { $0[4] = entries[4] }
    #expect(try await newMachine().read(5, of: id)[4].batch == [])
    // A machine that has read the entry reports another entry in its place.
    #expect(try await writer.readUntilError(after: 5, of: id).error == .replacedEntry(5))
  }

  @Test("An older log is reported by a machine that no longer has the later entries")
  func olderLog() async throws {
    let reader = try newMachine()
    _ = try await reader.read(5, of: id)
    try owner.change { $0.removeLast(2) }
    for machine in [writer, reader] {
      try machine.forgetEntries(of: id)
      let result = try await machine.readUntilError(after: 5, of: id)
      #expect(result.numbers == [])
      #expect(result.error == .olderLog(seen: 5, last: 3))
      let log = try machine.log(id)
      await #expect(throws: LinkError.olderLog(seen: 5, last: 3)) {
        try await log.append(batch("edit"), after: 5)
      }
    }
    try owner.change { $0 = [] }
    #expect(
      try await writer.readUntilError(after: 5, of: id).error == .olderLog(seen: 5, last: 0))
  }

  @Test("Another history of the group, with valid entries, is reported")
  func fork() async throws {
    let reader = try newMachine()
    _ = try await reader.read(5, of: id)
    // The server shows only the first three entries to a new machine, which then appends other
    // entries.
    try owner.change { $0.removeLast(2) }
    let victim = try newMachine()
    _ = try await victim.read(3, of: id)
    try await victim.append([batch("fork 4"), batch("fork 5"), batch("fork 6")], to: id)
    let result = try await reader.readUntilError(after: 5, of: id)
    #expect(result.numbers == [])
    #expect(result.error == .replacedEntry(5))
    let own = try await writer.readUntilError(of: id)
    #expect(own.numbers == [])
    #expect(own.error == .replacedEntry(5))
  }

  @Test("A first reader detects a log that ends before the entry in its invitation")
  func anchor() async throws {
    let head = try writer.log(id).head
    #expect(try await newMachine().read(5, of: id, anchor: head).count == 5)
    try owner.change { $0.removeLast() }
    let result = try await newMachine().readUntilError(of: id, anchor: head)
    #expect(result.error == .olderLog(seen: 5, last: 4))
    let other = ChainHead(number: 4, hash: head.hash, epoch: 1)
    let replaced = try await newMachine().readUntilError(of: id, anchor: other)
    #expect(replaced.numbers == [1, 2, 3])
    #expect(replaced.error == .replacedEntry(4))
  }

  @Test("A machine with an earlier key cannot append after the change of the key")
  func removedMachine() async throws {
    let removed = GroupKeys(id: keys.id, nameKey: keys.nameKey, keys: keys.all)
    keys.add(.random(epoch: 2))
    try await writer.append([batch("edit 6")], to: id)
    let result = try await TestMachine(server, keys: removed).readUntilErrorOfKey(of: id)
    #expect(result == .unknownKey(epoch: 2))
    let old = EntryChain.seal(
      batch("forged"), after: try writer.log(id).head, in: id, key: removed.latest)
    try owner.append(old.bytes)
    #expect(try await newMachine().read(7, of: id)[6].batch == [])
    _ = try await writer.read(7, of: id)
    try await writer.append([batch("edit 8")], to: id)
    let entries = try await newMachine().read(8, of: id)
    #expect(entries.map(\.batch) == (1...6).map { batch("edit \($0)") } + [[], batch("edit 8")])
  }

  @Test("Bytes that no machine has written are skipped, and the log continues")
  func garbage() async throws {
    let samples = [
      [], [1], Sodium.random(200), [1, 0, 0, 0, 1] + Sodium.random(200),
      [2, 0, 0, 0, 1] + Sodium.random(200), [99, 0, 0, 0, 1] + Sodium.random(200),
      EntryChain.seal([1], after: EntryChain.start(of: id), in: .random(), key: keys.latest).bytes,
    ]
    for (number, bytes) in samples.enumerated() {
      try owner.append(bytes)
      let last = UInt64(5 + 2 * number)
      let log = try writer.log(id)
      try await within { try await log.catchUp() }
      #expect(log.forgedCount == 1)
      #expect(try await log.append(batch("later \(number)"), after: last + 1) == last + 2)
    }
    let entries = try await newMachine().read(5 + 2 * samples.count, of: id)
    let later = samples.indices.flatMap { [[], batch("later \($0)")] }
    #expect(entries.map(\.batch) == (1...5).map { batch("edit \($0)") } + later)
  }

  @Test("An entry with a key that the group does not have is skipped when all keys are known")
  func unknownKey() async throws {
    let forged = EntryChain.seal(
      [1], after: try writer.log(id).head, in: id, key: .random(epoch: 7))
    try owner.append(forged.bytes)
    let machine = try newMachine()
    let waiting = JetStreamLog(
      id, of: keys, on: machine.connection, trail: try Trail(of: id, in: machine.state),
      keyTimeout: .milliseconds(10))
    await #expect(throws: LinkError.unknownKey(epoch: 7)) {
      try await within { try await waiting.catchUp() }
    }
    let log = JetStreamLog(
      id, of: keys, on: machine.connection, trail: try Trail(of: id, in: machine.state),
      keyTimeout: .milliseconds(10), hasAllKeys: { true })
    try await within { try await log.catchUp() }
    #expect(try log.head.number == 6 && log.forgedCount == 1)
  }

  @Test("Bytes before the first entry are skipped")
  func garbageFirst() async throws {
    let log = try writer.log(.random())
    _ = try await log.lastNumber()
    let owner = LyingServer(log)
    for bytes in [Sodium.random(100), [1, 0, 0, 0, 1] + Sodium.random(100)] {
      try owner.append(bytes)
    }
    try await within { try await log.catchUp() }
    #expect(try await log.append(batch("first"), after: 2) == 3)
    #expect(try await newMachine().read(3, of: log.id).map(\.batch) == [[], [], batch("first")])
  }
}

extension TestMachine {
  /// Reads until the key of an entry is missing, without waiting for the key.
  fileprivate func readUntilErrorOfKey(of id: LogID) async throws -> LinkError? {
    do {
      _ = try await keys.key(2, within: .milliseconds(50))
      return nil
    } catch { return error }
  }
}
