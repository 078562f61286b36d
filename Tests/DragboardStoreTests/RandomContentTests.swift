import BoardModel
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Random edits of large contents give the same contents as a dictionary")
struct RandomContentTests {
  @Test("All committed contents remain, and no unneeded file remains", arguments: [1, 2, 3])
  func edits(seed: UInt64) throws {
    var run = try RandomContents(seed: seed)
    for step in 1...1_200 {
      try run.edit()
      if step % 100 == 0 { try run.compareAfterPowerCut() }
      if step % 20 == 0 { try run.compare() }
    }
    #expect(run.commits > 100)
    #expect(run.rollbacks > 40)
    #expect(run.maxFiles > 5)
    run.handles = []
    try run.compare()
  }
}

/// Rows with numbered contents, a store that receives the same edits, and a changing set of
/// handles.
private struct RandomContents {
  let folder: TemporaryFolder
  var store: BoardStore
  var random: SplitMix64
  /// The contents of the rows, as numbers.
  var live: [RowID: UInt8] = [:]
  var committed: [RowID: UInt8] = [:]
  var handles: [(number: UInt8, file: ContentFile)] = []
  var commits = 0
  var rollbacks = 0
  var maxFiles = 0

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    random = SplitMix64(seed: seed)
  }

  mutating func edit() throws {
    let row = RowID(.random(in: 1...12, using: &random))
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: try put(newContent(), in: row)
    case 5..<7: try putSmall(in: row)
    case 7..<9: try putHandle(in: row)
    case 9..<11: try takeHandle(of: row)
    case 11..<13:
      if let index = handles.indices.randomElement(using: &random) { handles.remove(at: index) }
    case 13..<15: _ = try store.purgeDiscarded(limit: .random(in: 0...3, using: &random))
    case 15: rollBack()
    default: try commit()
    }
    maxFiles = max(maxFiles, folder.contentNames().count)
  }

  private mutating func newContent() throws -> (UInt8, Payload) {
    let used = Set(live.values).union(committed.values).union(handles.map(\.number))
    let free = (1...UInt8.max).filter { !used.contains($0) }
    let number = try #require(free.randomElement(using: &random))
    guard Bool.random(using: &random) else { return (number, .memory(largeBytes(number))) }
    return (number, .file(try store.contents.write(largeBytes(number))))
  }

  private mutating func put(_ content: (number: UInt8, Payload), in row: RowID) throws {
    try store.replaceContent(of: row, with: .content(content.1))
    live[row] = content.number
  }

  private mutating func putSmall(in row: RowID) throws { try put((0, .memory([])), in: row) }

  private mutating func putHandle(in row: RowID) throws {
    guard let (number, file) = handles.randomElement(using: &random) else { return }
    try put((number, .file(file)), in: row)
  }

  private mutating func takeHandle(of row: RowID) throws {
    guard let number = live[row], number != 0 else { return }
    guard let file = try store.content(of: row, at: 0).file else {
      throw StoreError.badItem("the content has no file")
    }
    handles.append((number, file))
  }

  private mutating func commit() throws {
    try store.commit()
    committed = live
    commits += 1
  }

  private mutating func rollBack() {
    store.rollback()
    live = committed
    rollbacks += 1
  }

  /// Commits, purges, and compares all contents.
  mutating func compare() throws {
    try store.commitAndPurge()
    try #require(!store.hasGarbage)
    committed = live
    try Self.compare(store, folder, rows: live, handles.map(\.number))
    for (number, file) in handles {
      try #require(try Data(file.readAll()) == Data(largeBytes(number)))
    }
  }

  /// Opens a copy of the files as after a power cut, and compares all contents.
  func compareAfterPowerCut() throws {
    let after = try folder.afterPowerCut()
    let found = try after.open()
    try found.commitAndPurge()
    try Self.compare(found, after, rows: committed, [])
  }

  private static func compare(
    _ store: BoardStore, _ folder: TemporaryFolder, rows: [RowID: UInt8], _ handles: [UInt8]
  ) throws {
    for row in (1...12 as ClosedRange<UInt64>).map({ RowID($0) }) {
      let expected = rows[row].map { Data($0 == 0 ? [] : largeBytes($0)) }
      try #require(try store.data(of: row, at: 0).map { Data($0) } == expected)
    }
    let needed = Set(rows.values).union(handles).subtracting([0])
    let files = folder.contentNames().compactMap { folder.content($0) }
    try #require(files.count == needed.count)
    try #require(Set(files) == Set(needed.map { Data(largeBytes($0)) }))
  }
}
