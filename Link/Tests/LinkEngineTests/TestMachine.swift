import Foundation
import LinkModel
import LinkState

@testable import LinkEngine

/// A machine of a group: its connection and its trails.
struct TestMachine {
  let connection: NATSConnection
  let keys: GroupKeys
  let folder: TestFolder
  let state: StateDatabase

  init(_ server: TestServer, keys: GroupKeys) throws {
    connection = try server.connect()
    self.keys = keys
    folder = try TestFolder()
    state = try StateDatabase(in: folder.path)
  }

  /// Opens a log in the way in which the program opens it.
  func log(_ id: LogID, anchor: ChainHead? = nil) throws -> JetStreamLog {
    JetStreamLog(
      id, of: keys, on: connection, trail: try Trail(of: id, in: state), anchor: anchor,
      hasAllKeys: { true })
  }

  /// Reads this number of entries.
  func read(
    _ count: Int, after last: UInt64 = 0, of id: LogID, anchor: ChainHead? = nil
  ) async throws -> [LogEntry] {
    let log = try log(id, anchor: anchor)
    return try await within {
      var entries: [LogEntry] = []
      for try await entry in log.entries(after: last) {
        entries.append(entry)
        if entries.count == count { break }
      }
      return entries
    }
  }

  /// Reads entries until an error.
  ///
  /// - Returns: the entries before the error, and the error.
  func readUntilError(
    after last: UInt64 = 0, of id: LogID, anchor: ChainHead? = nil
  ) async throws -> (numbers: [UInt64], error: LinkError?) {
    let log = try log(id, anchor: anchor)
    return try await within {
      var numbers: [UInt64] = []
      do {
        for try await entry in log.entries(after: last) { numbers.append(entry.number) }
      } catch let error as LinkError {
        return (numbers, error)
      }
      return (numbers, nil)
    }
  }

  /// Removes the entries with which the machine can restore a log.
  func forgetEntries(of id: LogID) throws {
    try state.write { try $0.run("DELETE FROM sealed") }
  }

  /// Appends batches one after another.
  func append(_ batches: [[UInt8]], to id: LogID) async throws {
    let log = try log(id)
    for batch in batches {
      let last = try log.head.number
      guard try await log.append(batch, after: last) == last + 1 else {
        throw Timeout(description: "another entry came first")
      }
    }
  }
}

/// Returns the batch with a text.
func batch(_ text: String) -> [UInt8] { Array(text.utf8) }
