import BoardModel
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("The full-text index follows the contents of rows")
struct IndexTests {
  let folder: TemporaryFolder
  let store: BoardStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test("Rows are indexed in steps, each limited by a number of rows and of bytes")
  func steps() throws {
    let rows = try store.insert(["a1", "a2", "a3", "a4", "a5"])
    #expect(try store.isIndexBehind())
    #expect(try store.search("a") == [])
    #expect(try store.indexSome(limit: 2))
    #expect(Set(try store.search("a")) == Set(rows[..<2]))
    #expect(try store.indexSome(limit: 100, byteLimit: 3))
    #expect(Set(try store.search("a")) == Set(rows[..<4]))
    #expect(try !store.indexSome(limit: 100))
    #expect(Set(try store.search("a")) == Set(rows))
    #expect(try !store.isIndexBehind())
    #expect(try !store.indexSome(limit: 100))
  }

  @Test("If all rows are indexed, nothing is written")
  func nothing() throws {
    _ = try store.insert(["a"])
    try store.indexAll()
    try store.commit()
    #expect(try !store.indexSome(limit: 100))
    #expect(!store.hasUncommittedWrites)
  }

  @Test("After a power cut or a rollback, indexing continues after the last commit")
  func watermark() throws {
    let rows = try store.insert(["a1", "a2", "a3", "a4"])
    _ = try store.indexSome(limit: 1)
    try store.commit()
    _ = try store.indexSome(limit: 2)
    let found = try folder.afterPowerCut().open()
    store.rollback()
    for store in [store, found] {
      #expect(try store.search("a") == [rows[0]])
      #expect(try store.isIndexBehind())
      while try store.indexSome(limit: 1) {}
      #expect(Set(try store.search("a")) == Set(rows))
    }
    try store.commit()
    #expect(try !folder.afterPowerCut().open().isIndexBehind())
  }

  @Test(
    "A discarded row is found until it is purged, and not afterwards", arguments: [true, false])
  func discarded(isIndexed: Bool) throws {
    let rows = try store.insert(["alpha", "alpha beta"])
    if isIndexed { try store.indexAll() }
    try store.discard([rows[1]])
    if isIndexed { #expect(Set(try store.search("alpha")) == Set(rows)) }
    try store.commitAndPurge()
    try store.indexAll()
    #expect(try store.search("alpha") == [rows[0]])
    #expect(try store.search("beta") == [])
    // A new row does not inherit the words of a deleted row.
    let more = try store.insert(["gamma"])
    try store.indexAll()
    #expect(try store.search("beta") == [])
    #expect(try store.search("gamma") == more)
  }

  @Test("A row is found by its present content, whatever the index covers", arguments: 0...3)
  func moved(indexed: Int) throws {
    let rows = try store.insert(["alpha", "other"])
    let keeper = try store.reserveRows(1)[0]
    if indexed > 0 { _ = try store.indexSome(limit: indexed) }
    try store.moveItem(from: rows[0], to: keeper)
    try store.put(.text("beta"), of: rows[0])
    try store.indexAll()
    #expect(try store.search("alpha") == [keeper])
    #expect(try store.search("beta") == [rows[0]])
    let other = try store.reserveRows(1)[0]
    try store.moveItem(from: rows[0], to: other)
    try store.moveItem(from: keeper, to: rows[0])
    #expect(try store.search("alpha") == [rows[0]])
    try store.indexAll()
    #expect(try store.search("beta") == [other])
    try store.discard([rows[0], other])
    try store.commitAndPurge()
    #expect(try store.search("alpha") == [])
    #expect(try store.search("beta") == [])
    #expect(try store.search("other") == [rows[1]])
  }

  @Test("Random edits give the same search results as a plain list of texts", arguments: [1, 2, 3])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var texts: [RowID: String] = [:]
    var committed = texts
    let words = ["red", "green", "blue", "Grün", "re"]
    func text() -> String? {
      let count = Int.random(in: 0...3, using: &random)
      return count == 0
        ? nil
        : (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
    func put(_ row: RowID) throws {
      let text = text()
      try store.put(text.map { .text($0) } ?? .bytes([1, 2]), of: row)
      texts[row] = text ?? ""
    }
    for step in 0..<800 {
      let row = texts.keys.sorted().randomElement(using: &random)
      switch (Int.random(in: 0..<16, using: &random), row) {
      case (0..<4, _), (_, nil): try put(store.reserveRows(1)[0])
      case (4..<7, let row?):
        let keeper = try store.reserveRows(1)[0]
        try store.moveItem(from: row, to: keeper)
        texts[keeper] = texts[row]
        try put(row)
      case (7..<9, let row?):
        let free = try store.reserveRows(1)[0]
        try store.moveItem(from: row, to: free)
        texts[free] = texts.removeValue(forKey: row)
      case (9, let row?):
        let free = try store.reserveRows(1)[0]
        try store.moveItem(from: row, to: free)
        try store.moveItem(from: free, to: row)
      case (10..<12, let row?):
        try store.discard([row])
        texts[row] = nil
        try store.commitAndPurge()
        committed = texts
      case (12, _): _ = try store.indexSome(limit: .random(in: 1...9, using: &random))
      case (13, _):
        store.rollback()
        texts = committed
      default:
        try store.commit()
        committed = texts
      }
      guard step % 50 == 0 else { continue }
      try store.indexAll()
      try store.commit()
      committed = texts
      for word in ["red", "green", "grun", "re"] {
        // The first of the two words must match as a whole.
        let found = Set(try store.search(word + " " + word))
        let expected = texts.filter { text in
          text.value.split(separator: " ").contains { $0.folded == word }
        }.keys
        #expect(found == Set(expected), "step \(step), \(word)")
      }
    }
    #expect(texts.count > 50)
  }
}

extension Substring {
  /// The word in the form of the index, for the words of this test.
  fileprivate var folded: String { self == "Grün" ? "grun" : String(self) }
}
