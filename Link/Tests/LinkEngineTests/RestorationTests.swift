import Foundation
import LinkModel
import Testing

@testable import LinkEngine

@Suite("A server that has lost acknowledged entries")
final class RestorationTests: WrittenLog, @unchecked Sendable {
  @Test("A machine puts the same entries back", arguments: [1, 2, 5])
  func restored(lostCount: Int) async throws {
    let entries = try owner.entries()
    try owner.change { $0.removeLast(lostCount) }
    let log = try writer.log(id)
    #expect(try await log.lastNumber() == 5)
    #expect(log.restoredCount == lostCount)
    #expect(try owner.entries() == entries)
    #expect(try await newMachine().read(5, of: id).count == 5)
    #expect(try await log.append(batch("edit 6"), after: 5) == 6)
  }

  @Test("A machine that has only read the entries restores them, too")
  func reader() async throws {
    let reader = try newMachine()
    _ = try await reader.read(5, of: id)
    try owner.change { $0.removeLast(2) }
    #expect(try await reader.log(id).lastNumber() == 5)
    #expect(try await writer.read(5, of: id).count == 5)
  }

  @Test("If several machines restore the entries at once, each entry is restored once")
  func race() async throws {
    let entries = try owner.entries()
    var machines = [writer]
    for _ in 0..<3 {
      let machine = try newMachine()
      _ = try await machine.read(5, of: id)
      machines.append(machine)
    }
    try owner.change { $0.removeLast(4) }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for machine in machines {
        let log = try machine.log(id)
        tasks.addTask {
          try await eventually("the log is complete") {
            do { return try await log.lastNumber() == 5 } catch LinkError.unacknowledged {
              return false
            }
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(try owner.entries() == entries)
  }

  @Test("A waiting reader restores the log after the restart of the server")
  func restart() async throws {
    let reader = try newMachine()
    let log = try reader.log(id)
    let entries = log.entries(after: 5)
    let read = Task { try await entries.first { $0.number == 7 }?.batch }
    server.stop()
    let copy = try server.copyStore()
    try await server.start()
    try await eventually("the writer is connected") { writer.connection.isConnected }
    try await writer.append([batch("edit 6")], to: id)
    try await eventually("the reader has entry 6") { try log.head.number == 6 }
    server.stop()
    try server.restoreStore(copy)
    try await server.start()
    try await eventually("the reader has restored the log") { log.restoredCount == 1 }
    try await eventually("the writer is connected") { writer.connection.isConnected }
    try await writer.append([batch("edit 7")], to: id)
    #expect(try await read.result() == batch("edit 7"))
  }

  @Test("If the server has another entry instead, nothing is restored, and the fault is reported")
  func replaced() async throws {
    try owner.change { $0.removeLast(2) }
    // A machine that was absent has not seen the lost entries.
    let absent = try newMachine()
    _ = try await absent.read(3, of: id)
    try await absent.append([batch("other 4")], to: id)
    let before = try owner.entries()
    for _ in 0..<2 {
      await #expect(throws: LinkError.replacedEntry(4)) { try await writer.log(id).lastNumber() }
    }
    #expect(try await writer.readUntilError(after: 5, of: id).error == .replacedEntry(4))
    let log = try writer.log(id)
    await #expect(throws: LinkError.replacedEntry(4)) {
      try await log.append(batch("edit 6"), after: 5)
    }
    #expect(try owner.entries() == before)
    try await absent.append([batch("other 5")], to: id)
    await #expect(throws: LinkError.replacedEntry(5)) { try await log.lastNumber() }
    // The server would accept the entry, because the number is right.
    let after = try owner.entries()
    await #expect(throws: LinkError.replacedEntry(5)) {
      try await log.append(batch("edit 6"), after: 5)
    }
    #expect(try owner.entries() == after)
  }
}
