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

  @Test("An altered entry is reported; neither it nor a later entry is applied")
  func altered() async throws {
    try owner.change { $0[2][$0[2].count - 1] ^= 1 }
    let result = try await newMachine().readUntilError(of: id)
    #expect(result.numbers == [1, 2])
    #expect(result.error == .alteredEntry(3))
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

  @Test("An entry of another log is reported")
  func otherLog() async throws {
    let other = LogID.random()
    try await writer.append((1...5).map { batch("other \($0)") }, to: other)
    let entries = try LyingServer(try writer.log(other)).entries()
    try owner.change { $0[4] = entries[4] }
    #expect(try await newMachine().readUntilError(of: id).error == .alteredEntry(5))
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
    let reader = try await newMachine().readUntilError(of: id)
    #expect(reader.numbers == [1, 2, 3, 4, 5, 6])
    #expect(reader.error == .retiredKey(7))
  }

  @Test("Random bytes in the log are reported")
  func garbage() async throws {
    for bytes in [[], [1], Sodium.random(200), [1, 0, 0, 0, 1] + Sodium.random(200)] {
      try owner.change {
        $0 = Array($0.prefix(5))
        $0.append(bytes)
      }
      let result = try await newMachine().readUntilError(of: id)
      #expect(result.numbers == [1, 2, 3, 4, 5])
      #expect(result.error != nil)
    }
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
