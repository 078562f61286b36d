import Foundation
import LinkModel
import LinkState
import Testing

@testable import LinkEngine

@Suite("The trail of a log")
struct TrailTests {
  let folder: TestFolder
  let log = LogID.random()
  let heads: [ChainHead]
  private let entries: [[UInt8]]

  init() throws {
    folder = try TestFolder()
    let key = GroupKey.random(epoch: 1)
    var (heads, entries) = ([EntryChain.start(of: log)], [[UInt8]()])
    for number in 0..<5 {
      let entry = EntryChain.seal([UInt8(number)], after: heads[number], in: log, key: key)
      heads.append(entry.head)
      entries.append(entry.bytes)
    }
    (self.heads, self.entries) = (heads, entries)
  }

  /// Opens the trail in the way in which another program opens it.
  private func opened() throws -> Trail {
    try Trail(of: log, in: try StateDatabase(in: folder.path))
  }

  private func filled() throws -> Trail {
    let trail = try opened()
    for number in 1...5 { try trail.append(heads[number], entries[number]) }
    return trail
  }

  @Test("A trail stores every entry, and the next process reads it")
  func remembers() throws {
    let empty = try opened()
    #expect(try empty.head() == heads[0])
    let trail = try filled()
    try trail.sync()
    #expect(try empty.head() == heads[5])
    let next = try opened()
    #expect(try next.head() == heads[5])
    for (number, head) in heads.enumerated() { #expect(try next.head(at: UInt64(number)) == head) }
    #expect(try next.head(at: 6) == nil)
  }

  @Test("Only the user can read the files")
  func mode() throws {
    let trail = try filled()
    for name in ["link.db", "link.db-wal", "link.db-shm"] {
      let path = "\(folder.path)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    try trail.sync()
  }

  @Test("Another entry with a known number, and a skipped entry, are errors that change nothing")
  func refuses() throws {
    let trail = try filled()
    try trail.append(heads[3], entries[3])
    let other = ChainHead(number: 3, hash: heads[2].hash, epoch: 1)
    #expect(throws: LinkError.replacedEntry(3)) { try trail.append(other, entries[3]) }
    let later = ChainHead(number: 7, hash: heads[2].hash, epoch: 1)
    #expect(throws: LinkError.unreadEntry(6)) { try trail.append(later, entries[3]) }
    #expect(try trail.head() == heads[5])
  }

  @Test("A trail has the entries, also after a restart")
  func entriesAreKept() throws {
    #expect(try filled().entries(2...5) == Array(entries[2...]))
    let next = try opened()
    #expect(try next.entries(1...5) == Array(entries[1...]))
    #expect(try next.entries(5...6) == nil)
  }

  @Test("An altered entry is not returned")
  func alteredEntries() throws {
    _ = try filled()
    let state = try StateDatabase(in: folder.path)
    try state.write { try $0.run("UPDATE sealed SET bytes = x'00' WHERE number = 3") }
    let trail = try opened()
    #expect(try trail.entries(1...2) == Array(entries[1...2]))
    #expect(try trail.entries(2...4) == nil)
    #expect(try trail.entries(4...5) == Array(entries[4...5]))
  }

  @Test("A damaged database is an error with a remedy, and is not changed")
  func damagedDatabase() throws {
    let path = "\(folder.path)/link.db"
    let bytes = Data(repeating: 7, count: 8_192)
    try bytes.write(to: URL(filePath: path))
    let error = #expect(throws: StateDatabase.Problem.self) { try opened() }
    #expect(error?.description.contains("damaged") == true)
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }
}
