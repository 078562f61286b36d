import BoardModel
import DragboardRecovery
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("After a crash a row and its bytes are both there or both missing")
struct ContentCrashTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Rows and their contents.
  private typealias Contents = [RowID: [UInt8]]

  /// The steps in the life of large contents.
  ///
  /// Each step is one call of the store.
  private static let steps: [@Sendable (inout ContentLife) throws -> Void] = [
    { $0.writer = try $0.store.contents.makeWriter() },
    { try $0.writer?.append(largeBytes(1)) },
    { $0.file = try $0.writer?.finish() },
    { $0.writer = nil },
    { try $0.file?.sync() },
    { try $0.store.put(.file(#require($0.file)), of: RowID(1)) },
    {
      try $0.store.commit()
      $0.committed[RowID(1)] = largeBytes(1)
    },
    { $0.file = nil },
    { try $0.store.put(.bytes(largeBytes(1)), of: RowID(2)) },
    { try $0.store.put(.bytes(largeBytes(2)), of: RowID(3)) },
    {
      try $0.store.commit()
      $0.committed[RowID(2)] = largeBytes(1)
      $0.committed[RowID(3)] = largeBytes(2)
    },
    { try $0.store.replaceContent(of: RowID(1), with: .bytes(largeBytes(3))) },
    { $0.store.rollback() },
    { _ = try $0.store.purgeDiscarded(limit: 10) },
    { try $0.store.replaceContent(of: RowID(3), with: .bytes(largeBytes(4))) },
    {
      try $0.store.commit()
      $0.committed[RowID(3)] = largeBytes(4)
    },
    { _ = try $0.store.purgeDiscarded(limit: 10) },
    { try $0.store.replaceContent(of: RowID(2), with: .bytes([2])) },
    { try $0.store.replaceContent(of: RowID(1), with: .bytes([1])) },
    {
      try $0.store.commit()
      $0.committed[RowID(1)] = [1]
      $0.committed[RowID(2)] = [2]
    },
    { _ = try $0.store.purgeDiscarded(limit: 10) },
  ]

  @Test("After a power cut at any step every row has its bytes, and no other file remains")
  func powerCuts() throws {
    var life = ContentLife(store: try folder.open())
    for (number, step) in Self.steps.enumerated() {
      let before = life.committed
      try step(&life)
      let after = try folder.afterPowerCut()
      try Self.check(after, is: [before, life.committed], "step \(number)")
    }
    #expect(life.committed == [RowID(1): [1], RowID(2): [2], RowID(3): largeBytes(4)])
  }

  @Test("A process killed at any step leaves every row with its bytes", arguments: steps.indices)
  func kills(last: Int) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [data = folder.data as String, last = last as Int] in
      var life = ContentLife(store: try BoardStore.open(in: data))
      for step in Self.steps[...last] { try step(&life) }
      kill(getpid(), SIGKILL)
    }
    let expected = try TemporaryFolder()
    var life = ContentLife(store: try expected.open())
    var states: [Contents] = []
    for step in Self.steps[...last] {
      states.append(life.committed)
      try step(&life)
    }
    try Self.check(folder, is: [states.last ?? [:], life.committed], "step \(last)")
  }

  @Test("A process killed while it writes leaves nothing", arguments: [0.5, 2, 8] as [Double])
  func killedWriting(pieces: Double) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [data = folder.data as String, pieces = pieces as Double] in
      let store = try BoardStore.open(in: data)
      let writer = try store.contents.makeWriter()
      try writer.append([UInt8](repeating: 1, count: Int(pieces * 100_000)))
      kill(getpid(), SIGKILL)
    }
    #expect(folder.contentNames().count == 1)
    try Self.check(folder, is: [[:]], "\(pieces)")
    #expect(folder.contentNames().isEmpty)
  }

  /// Opens the store, and compares its contents with the allowed states.
  private static func check(
    _ folder: TemporaryFolder, is states: [Contents], _ comment: Comment
  ) throws {
    let store = try folder.open()
    var found: Contents = [:]
    for row in (1...3 as ClosedRange<UInt64>).map({ RowID($0) }) {
      found[row] = try store.data(of: row, at: 0)
    }
    #expect(states.contains(found), comment)
    try store.commitAndPurge()
    let large = found.values.filter { $0.count > Payload.inlineLimit }
    let files = folder.contentNames().compactMap { folder.content($0) }
    #expect(files.count == large.count, comment)
    #expect(Set(files) == Set(large.map { Data($0) }), comment)
  }
}

/// A store between two steps.
private struct ContentLife {
  let store: BoardStore
  var writer: ContentWriter?
  var file: ContentFile?
  var committed: [RowID: [UInt8]] = [:]

  init(store: BoardStore) { self.store = store }
}
