import BoardModel
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

/// Deleted text remained in free pages, in the full-text index and in the log.
@Suite("Regression: deleted text remained in the files")
struct DeletedTextStayed {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns whether any file in the data directory contains a text, or the beginning of the text
  /// in lowercase letters, as the index stores it.
  private func isFound(_ text: String) throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.data)
    return names.contains { name in
      let bytes = FileManager.default.contents(atPath: folder.data + "/" + name) ?? Data()
      return bytes.range(of: Data(text.utf8)) != nil
    }
  }

  private func erase(_ store: BoardStore) throws {
    try store.commitAndPurge()
    while try store.eraseTraces() { try store.commit() }
    try store.commit()
  }

  /// Texts of one word each; no two of them begin alike.
  private static let words = (0..<300).map { number in
    let letters = "zyxwvutsrqponmlkjihgfedcba"
    let letter = letters[letters.index(letters.startIndex, offsetBy: number % 26)]
    return "\(letter)q\(number)secret\(number * 7919)"
  }

  @Test("After rows are purged and their traces erased, no file contains any of their texts")
  func erased() throws {
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "default")
    _ = try store.append((0..<200).map { "kept \($0)" }, to: &board, id)
    var rows: [RowID] = []
    for word in Self.words { rows += try store.append([word], to: &board, id) }
    // One text is larger than a page, and another is in a file.
    let long = [
      String(repeating: "longsecret ", count: 2_000),
      String(repeating: "filesecret ", count: 20_000),
    ]
    rows += try store.append(long, to: &board, id)
    try store.commit()
    try store.indexAll()
    try store.commit()
    for word in Self.words { try #require(try isFound(word)) }
    _ = try board.delete(rows)
    try store.save(&board, as: id)
    #expect(!store.hasTraces)
    try erase(store)
    #expect(!store.hasTraces)
    for word in Self.words + ["longsecret", "filesecret", "secret"] {
      #expect(try !isFound(word), "\(word)")
    }
    #expect(try store.search("kept").count == 200)
    #expect(try store.search("q1secret").isEmpty)
  }

  @Test("Traces that a process did not erase are erased by the next process")
  func nextProcess() throws {
    do {
      let store = try folder.open()
      let rows = try store.insert(["kept", "zzsecret"])
      try store.indexAll()
      try store.discard([rows[1]])
      try store.commitAndPurge()
      #expect(store.hasTraces)
      store.conclude()
    }
    do {
      let store = try folder.open()
      #expect(store.hasTraces)
      try erase(store)
      store.conclude()
    }
    #expect(try !isFound("zzsecret"))
    let store = try folder.open()
    #expect(!store.hasTraces)
    #expect(try store.search("kept").count == 1)
  }

  @Test("A rolled-back erasure leaves the traces to the next one")
  func rollback() throws {
    let store = try folder.open()
    let rows = try store.insert(["kept", "zzsecret"])
    try store.indexAll()
    try store.discard([rows[1]])
    try store.commitAndPurge()
    _ = try store.eraseTraces()
    store.rollback()
    #expect(store.hasTraces)
    try erase(store)
    #expect(try !isFound("zzsecret"))
  }
}
