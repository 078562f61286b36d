import DBus
import DragboardInterface
import DragboardService
import DragboardStore
import Foundation
import TestSupport
import Testing

@testable import dragboardd

@Suite("Steps that the history of a board forgets, and their data")
struct UndoLimitTests {
  /// A service that retains two steps, and a board whose section "later" has a row of large data.
  ///
  /// Only this row refers to the data.
  final class Fixture {
    let service: ServiceThread
    let client: BusClient
    let large = [UInt8](repeating: 9, count: 200_000)
    let item: String
    let other: String

    init(_ limits: Limits? = nil) throws {
      var two = Limits()
      two.undoSteps = 2
      service = try ServiceThread(limits: limits ?? two)
      client = try service.client()
      _ = try client.call(BoardInterface.insertSection, "later", -1)
      other = try client.insert(["other"])[0]
      item = try client.call(BoardInterface.insertData, 1, 0, "image/png", large)
      try #require(files().count == 1)
    }

    deinit { stop() }

    private var isRunning = true

    /// Ends the service.
    func stop() {
      if isRunning { service.stop() }
      isRunning = false
    }

    /// Returns the names of the files with large contents.
    func files() -> [String] {
      let folder = service.bus.home.path + "/data/dragboard/contents"
      return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Makes `count` edits that do not affect the large data.
    func edit(_ count: Int) throws {
      for _ in 0..<count { _ = try client.call(BoardInterface.insertText, 0, -1, "x") }
    }

    /// Waits until no file is left; returns false after a timeout.
    func waitForCleaning() -> Bool {
      var ends = service.orders.ends
      while !files().isEmpty {
        ends += 1
        guard service.orders.wait(forEnds: ends) else { return false }
      }
      return true
    }
  }

  /// An edit that removes large data from the board, and that undo can revert.
  enum Way: CaseIterable {
    case deleteRow, deleteItems, clear, deleteSection, applySnapshot, setText

    func make(_ fixture: Fixture) throws {
      let client = fixture.client
      switch self {
      case .deleteRow: _ = try client.call(BoardInterface.deleteRow, 1, 0)
      case .deleteItems:
        _ = try client.call(BoardInterface.deleteItems, [fixture.other, fixture.item])
      case .clear: _ = try client.call(BoardInterface.clear)
      case .deleteSection: _ = try client.call(BoardInterface.deleteSection, 1)
      case .applySnapshot:
        _ = try client.call(
          BoardInterface.applySnapshot, 0, [BoardInterface.Section("main", [fixture.other])])
      case .setText: _ = try client.call(BoardInterface.setText, fixture.item, "small")
      }
    }
  }

  @Test(
    "Deleted data is stored as long as an undo can restore it", arguments: Way.allCases
  )
  func leaves(way: Way) throws {
    let fixture = try Fixture()
    try way.make(fixture)
    try fixture.client.undo()
    #expect(try fixture.client.call(BoardInterface.getData, fixture.item, "*/*") == fixture.large)
    try fixture.client.redo()
    try fixture.edit(1)
    try fixture.client.undo(2)
    #expect(try fixture.client.call(BoardInterface.getData, fixture.item, "*/*") == fixture.large)
    #expect(fixture.files().count == 1)

    try fixture.client.redo()
    try fixture.edit(2)
    #expect(fixture.waitForCleaning())
    try fixture.client.undo(2)
    expect(.nothingToUndo) { try fixture.client.undo() }
    try checkStored(fixture, isThere: way == .setText)
  }

  /// Ends the service, and checks in a copy of its database whether the row is stored.
  private func checkStored(_ fixture: Fixture, isThere: Bool) throws {
    fixture.stop()
    let home = fixture.service.bus.home
    let copy = home.appending(path: "copy")
    try FileManager.default.copyItem(at: home.appending(path: "data/dragboard"), to: copy)
    let store = try BoardStore(directory: copy.path)
    let row = try #require(ItemIDs(salt: store.salt).row(of: fixture.item))
    #expect(try (store.summary(of: row) != nil) == isThere)
  }

  @Test("Data whose insertion was undone exists until an edit ends the redo branch")
  func undoneInsertion() throws {
    let fixture = try Fixture()
    try fixture.client.undo(2)
    try fixture.client.redo(2)
    #expect(try fixture.client.call(BoardInterface.getData, fixture.item, "*/*") == fixture.large)
    try fixture.client.undo()
    #expect(fixture.files().count == 1)
    try fixture.edit(1)
    #expect(fixture.waitForCleaning())
    try checkStored(fixture, isThere: false)
  }

  @Test("A text that was redone and undone exists until an edit ends the redo branch")
  func undoneText() throws {
    let fixture = try Fixture()
    _ = try fixture.client.call(BoardInterface.deleteItems, [fixture.item])
    try fixture.edit(2)
    #expect(fixture.waitForCleaning())
    let text = String(repeating: "word ", count: 50_000)
    _ = try fixture.client.call(BoardInterface.setText, fixture.other, text)
    for _ in 0..<3 {
      try fixture.client.undo()
      #expect(try fixture.client.call(BoardInterface.getText, fixture.other) == "other")
      try fixture.client.redo()
      #expect(try fixture.client.call(BoardInterface.getText, fixture.other) == text)
    }
    try fixture.client.undo()
    #expect(fixture.files().count == 1)
    try fixture.edit(1)
    #expect(fixture.waitForCleaning())
    #expect(try fixture.client.call(BoardInterface.getText, fixture.other) == "other")
  }

  @Test("The data that only the history of a board needs is removed with the board")
  func boardGoes() throws {
    let fixture = try Fixture()
    _ = try fixture.client.call(BoardInterface.deleteItems, [fixture.item])
    try fixture.edit(2)
    #expect(fixture.waitForCleaning())
    let board = try fixture.client.board("other")
    let data = { (byte: UInt8) in [UInt8](repeating: byte, count: 200_000) }
    let row = try fixture.client.call(
      BoardInterface.insertData, at: board, 0, 0, "image/png", data(1))
    _ = try fixture.client.call(BoardInterface.setText, at: board, row, "small")
    _ = try fixture.client.call(BoardInterface.insertData, at: board, 0, 0, "image/png", data(2))
    _ = try fixture.client.call(BoardInterface.undo, at: board)
    try fixture.client.deleteBoard("other")
    #expect(fixture.files().count == 2)
    try fixture.client.forgetDeletedBoards()
    #expect(fixture.waitForCleaning())
  }

  @Test("A dragged row keeps its bytes, although the step that could restore the row is forgotten")
  func dragged() throws {
    let fixture = try Fixture()
    let target = try fixture.client.board("target")
    let small = try fixture.client.insert(["small"])[0]
    let session = try fixture.client.drag(rows: [fixture.item, small])
    let cancelled = try fixture.client.drag(rows: [fixture.item])
    _ = try fixture.client.call(BoardInterface.setText, small, "other text")
    _ = try fixture.client.call(BoardInterface.deleteItems, [fixture.item, small])
    let ends = fixture.service.orders.ends
    try fixture.edit(3)
    #expect(fixture.service.orders.wait(forEnds: ends + 1))
    #expect(fixture.files().count == 1)
    #expect(try fixture.client.drop(session, on: target).operation == "copy")
    let whole = try fixture.client.whole(of: target)
    #expect(whole.sections[0].rows.map(\.bytes) == [[fixture.large], [Array("small".utf8)]])
    try fixture.client.cancel(cancelled)
    try fixture.client.deleteBoard("target")
    try fixture.client.forgetDeletedBoards()
    #expect(fixture.waitForCleaning())
  }

  @Test("If the steps exceed undo-bytes, the latest are kept, and at least one")
  func undoBytes() throws {
    var limits = Limits()
    limits.undoBytes = 250_000
    let fixture = try Fixture(limits)
    let more = try fixture.client.call(
      BoardInterface.insertData, 1, 0, "image/png", [UInt8](repeating: 1, count: 200_000))
    _ = try fixture.client.call(BoardInterface.setMovable, fixture.other, false)
    for item in [fixture.item, more] {
      _ = try fixture.client.call(BoardInterface.deleteItems, [item])
    }
    try fixture.client.undo()
    expect(.nothingToUndo) { try fixture.client.undo() }
    #expect(try fixture.client.replica().rows == [fixture.other, more])

    let huge = [UInt8](repeating: 2, count: 400_000)
    let item = try fixture.client.call(BoardInterface.insertData, 1, 0, "image/png", huge)
    _ = try fixture.client.call(BoardInterface.deleteItems, [item])
    try fixture.client.undo()
    #expect(try fixture.client.call(BoardInterface.getData, item, "*/*") == huge)
    try fixture.client.redo()
    try fixture.client.undo()
    expect(.nothingToUndo) { try fixture.client.undo() }
  }

  @Test("A deletion of many rows counts with the bytes of all rows")
  func manyRows() throws {
    let daemon = try Daemon("--undo-bytes", "3000000")
    let client = try daemon.client()
    let large = String(repeating: "x", count: 100)
    _ = try client.insert([String](repeating: large, count: 10_000))
    _ = try client.insert([String](repeating: "x", count: 40_000), at: -1)
    _ = try client.call(BoardInterface.clear)
    try client.undo(3)
    #expect(try client.get(BoardInterface.count) == 0)
  }

  @Test("The option undo-steps sets the number of steps that are always retained")
  func undoSteps() throws {
    let daemon = try Daemon("--undo-steps", "3")
    let client = try daemon.client()
    _ = try client.insert(["a"])
    for _ in 0..<5 { _ = try client.call(BoardInterface.insertText, 0, -1, "b") }
    try client.undo(3)
    daemon.kill()
    try daemon.start()
    let again = try daemon.client()
    try again.redo(3)
    #expect(try again.texts().count == 6)
  }
}
