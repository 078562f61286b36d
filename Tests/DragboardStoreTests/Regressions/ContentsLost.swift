import BoardModel
import DragboardRecovery
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import DragboardStore

/// A missing or altered content was read without an error, or kept other contents from being read,
/// and was not reported.
@Suite("Regression: missing or altered contents were not detected")
struct ContentsLost {
  let folder: TemporaryFolder
  private let large = String(repeating: "large ", count: 20_000)

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    try store.put(.text("before"), of: RowID(1))
    try store.put(.text(large), of: RowID(2))
    try store.put(.text("after"), of: RowID(3))
    try store.commit()
    store.conclude()
  }

  /// A kind of damage to the file of a content.
  enum Damage: CaseIterable {
    case missing, cutOff, altered

    func apply(to path: String) throws {
      let url = URL(fileURLWithPath: path)
      var bytes = try Data(contentsOf: url)
      try FileManager.default.removeItem(atPath: path)
      switch self {
      case .missing: return
      case .cutOff: bytes.removeLast()
      case .altered: bytes[bytes.count - 1] ^= 1
      }
      try bytes.write(to: url)
    }
  }

  private final class Log: Sendable {
    private let events = Mutex<[StoreEvent]>([])
    var count: Int { events.withLock { $0.count } }
    func note(_ event: StoreEvent) {
      // A file that a test has rewritten is readable by other users, which is reported as well.
      if case .lostContent = event { events.withLock { $0.append(event) } }
    }
  }

  @Test(
    "Only reads of the damaged content fail, and the damage is reported once",
    arguments: Damage.allCases)
  func reported(damage: Damage) throws {
    let name = try #require(folder.contentNames().first)
    try damage.apply(to: folder.contents + "/" + name)
    let log = Log()
    let store = try BoardStore.open(in: folder.data) { log.note($0) }
    #expect(log.count == 0)
    for _ in 0..<2 {
      #expect(throws: StoreError.self) { try store.data(of: RowID(2), at: 0) }
      #expect(throws: StoreError.self) { try store.text(of: RowID(2)) }
      #expect(throws: StoreError.self) { try file(in: store).readAll() }
    }
    #expect(log.count == 1)
    let report = try String(contentsOfFile: folder.data + "/lost-contents.txt", encoding: .utf8)
    #expect(report.split(separator: "\n").count == 1)
    #expect(report.contains(name))

    #expect(try store.summary(of: RowID(2))?.types.map(\.byteCount) == [large.utf8.count])
    try store.indexAll()
    try store.commit()
    #expect(try store.search("after") == [RowID(3)])
    #expect(try store.search("before") == [RowID(1)])
    // A lost content can be replaced and deleted.
    try store.replaceContent(of: RowID(2), with: .text("again"))
    try store.commitAndPurge()
    #expect(try store.search("again") == [RowID(2)])
    #expect(folder.contentNames().isEmpty)
  }

  private func file(in store: BoardStore) throws -> ContentFile {
    guard let file = try store.content(of: RowID(2), at: 0).file else {
      throw StoreError.badItem("the content has no file")
    }
    return file
  }

  @Test("A content that moves to another row is still checked")
  func takenOver() throws {
    do {
      let store = try folder.open()
      try store.put(.file(file(in: store)), of: RowID(9))
      try store.commit()
      store.conclude()
    }
    try Damage.altered.apply(to: folder.contents + "/" + folder.contentNames()[0])
    let store = try folder.open()
    #expect(throws: StoreError.self) { try store.data(of: RowID(9), at: 0) }
  }

  @Test("The beginning of an altered content can be read, because it is not checked")
  func prefix() throws {
    try Damage.altered.apply(to: folder.contents + "/" + folder.contentNames()[0])
    let store = try folder.open()
    #expect(try store.text(of: RowID(2), limit: 5) == "large")
  }

  @Test("A content of an earlier release has no sum and is not checked")
  func withoutSum() throws {
    do {
      let lock = try StoreLock(directory: folder.path)
      try Database(path: folder.database, holding: lock)
        .execute("UPDATE representation SET sum = NULL")
    }
    try Damage.altered.apply(to: folder.contents + "/" + folder.contentNames()[0])
    let store = try folder.open()
    #expect(try store.data(of: RowID(2), at: 0)?.count == large.utf8.count)
  }

  @Test("The sum survives a recovery")
  func recovered() throws {
    do {
      let store = try folder.open()
      var (id, board) = try store.makeBoard(named: "default")
      _ = try board.insert([RowID(2)], at: IndexPath(section: 0, row: 0), maxRows: .max)
      try store.save(&board, as: id)
      try store.commit()
      store.conclude()
    }
    DamageNote.leave("note", in: folder.data)
    let store = try folder.open()
    #expect(store.recovery != nil)
    #expect(try file(in: store).sum != nil)
    #expect(try store.data(of: RowID(2), at: 0) == Array(large.utf8))
  }

  @Test("The next opening clears the report")
  func forgotten() throws {
    try Data("old\n".utf8).write(to: URL(fileURLWithPath: folder.data + "/lost-contents.txt"))
    _ = try folder.open()
    #expect(!FileManager.default.fileExists(atPath: folder.data + "/lost-contents.txt"))
  }
}
