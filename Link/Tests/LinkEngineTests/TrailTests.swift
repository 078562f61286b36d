import Foundation
import LinkModel
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

  private func filled() throws -> Trail {
    let trail = try Trail(of: log, in: folder.path)
    for number in 1...5 { try trail.append(heads[number], entries[number]) }
    return trail
  }

  private var file: String { "\(folder.path)/\(log).trail" }

  @Test("A trail stores every entry, and the next process reads it")
  func remembers() throws {
    let empty = try Trail(of: log, in: folder.path)
    #expect(try empty.head() == heads[0])
    let trail = try filled()
    try trail.sync()
    #expect(try empty.head() == heads[5])
    let next = try Trail(of: log, in: folder.path)
    #expect(try next.head() == heads[5])
    for (number, head) in heads.enumerated() { #expect(try next.head(at: UInt64(number)) == head) }
    #expect(try next.head(at: 6) == nil)
  }

  @Test("Only the user can read the file")
  func mode() throws {
    _ = try filled()
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
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

  @Test("A damaged record ends the trail", arguments: [0, 31, 32, 36, 39])
  func damage(offset: Int) throws {
    _ = try filled()
    var bytes = try #require(FileManager.default.contents(atPath: file))
    #expect(bytes.count == 200)
    bytes[2 * 40 + offset] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try Trail(of: log, in: folder.path).head() == heads[2])
  }

  @Test("An incomplete record is removed")
  func incomplete() throws {
    _ = try filled()
    let bytes = try #require(FileManager.default.contents(atPath: file))
    try bytes.dropLast(7).write(to: URL(fileURLWithPath: file))
    let trail = try Trail(of: log, in: folder.path)
    #expect(try trail.head() == heads[4])
    try trail.append(heads[5], entries[5])
    #expect(try Trail(of: log, in: folder.path).head() == heads[5])
  }

  // MARK: The entries

  @Test("A trail has the entries, also after a restart")
  func entriesAreKept() throws {
    #expect(try filled().entries(2...5) == Array(entries[2...]))
    let next = try Trail(of: log, in: folder.path)
    #expect(try next.entries(1...5) == Array(entries[1...]))
    #expect(try next.entries(5...6) == nil)
  }

  @Test("An incomplete or altered entry is not returned, and later ones are")
  func damagedEntries() throws {
    _ = try filled()
    let path = "\(folder.path)/\(log).tail"
    let bytes = try #require(FileManager.default.contents(atPath: path))
    for cut in [1, 20, entries[5].count + 15] {
      try bytes.dropLast(cut).write(to: URL(fileURLWithPath: path))
      let trail = try Trail(of: log, in: folder.path)
      #expect(try trail.entries(1...4) == Array(entries[1...4]))
      #expect(try trail.entries(1...5) == nil)
      let head = EntryChain.seal([9], after: heads[5], in: log, key: .random(epoch: 1))
      try trail.append(head.head, head.bytes)
      #expect(try trail.entries(6...6) == [head.bytes])
      try Data(contentsOf: URL(fileURLWithPath: file)).prefix(200)
        .write(to: URL(fileURLWithPath: file))
    }
    var altered = bytes
    altered[altered.count - 1] ^= 1
    try altered.write(to: URL(fileURLWithPath: path))
    #expect(try Trail(of: log, in: folder.path).entries(5...5) == nil)
  }
}
