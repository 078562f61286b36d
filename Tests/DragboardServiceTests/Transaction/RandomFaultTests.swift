import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Random faults of the disk")
struct RandomFaultTests {
  /// The number of calls to the disk that fail; `DRAGBOARD_TEST_FAULTS=40000` is the long form.
  private static let faults =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_FAULTS"].flatMap { Int($0) } ?? 400

  private static let calls: [Refuser.Calls] = [
    .writes, .syncs, .names, [.writes, .names], [.writes, .syncs, .names],
  ]

  @Test(
    "Beside failing, short and torn writes, an edit is acknowledged and durable, or changes nothing"
  )
  func edits() throws {
    let scene = try FaultyScene()
    var random = SplitMix64(seed: 7)
    var list = FaultyList(try scene.client.rows().map(\.id), try scene.client.texts())
    var (client, faults, edits, refusals) = (scene.client, 0, 0, 0)
    while faults < Self.faults {
      edits += 1
      let edit = list.edit(&random)
      scene.refuser.refuse(
        Self.calls.randomElement(using: &random) ?? .writes,
        [.EIO, .ENOSPC, .EDQUOT].randomElement(using: &random) ?? .EIO,
        after: Int.random(in: 0...12, using: &random),
        count: Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil,
        writing: Refuser.Written.allCases.randomElement(using: &random) ?? .none)
      let error = list.make(edit, with: client)
      faults += scene.refuser.relent()
      if let error {
        refusals += 1
        #expect(error.name == .ioError, "\(edit): \(error)")
      }
      try #require(try client.texts() == list.texts, "after \(edit)")
      guard edits.isMultiple(of: 50) else { continue }
      // After a refused sync, a crash may leave the whole edit. The next edit settles it.
      #expect(list.make(.insert(["settled"], at: 0), with: client) == nil)
      try scene.restart()
      client = try scene.daemon.client()
      try #require(try client.texts() == list.texts, "after a crash")
      #expect(try client.rows().map(\.id) == list.items)
    }
    #expect(refusals > Self.faults / 20)
    print("\(faults) faults in \(edits) edits, of which \(refusals) were refused")
  }
}

/// A list of texts with undo and redo, as plain arrays.
private struct FaultyList {
  enum Edit {
    case insert([String], at: Int)
    case set(Int, String)
    case move(Int, to: Int)
    case delete([Int])
    case undo, redo
  }

  private struct Row {
    var item: String
    var text: String
  }

  private var rows: [Row]
  private var undoable: [[Row]] = []
  private var redoable: [[Row]] = []

  init(_ items: [String], _ texts: [String]) {
    rows = zip(items, texts).map { Row(item: $0, text: $1) }
  }

  var items: [String] { rows.map(\.item) }
  var texts: [String] { rows.map(\.text) }

  /// Returns a random edit that is not refused without a fault.
  func edit(_ random: inout SplitMix64) -> Edit {
    func text() -> String {
      let isLarge = Int.random(in: 0..<8, using: &random) == 0
      return String(repeating: "\(random.next()) ", count: isLarge ? 4_000 : 1)
    }
    let kind = rows.count < 4 ? 0 : rows.count > 40 ? 5 : Int.random(in: 0..<9, using: &random)
    let row = Int.random(in: 0..<max(1, rows.count), using: &random)
    switch kind {
    case 0...2:
      let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in text() }
      return .insert(texts, at: Int.random(in: 0...rows.count, using: &random))
    case 3: return .set(row, text() + "changed")
    case 4: return .move(row, to: (row + 1) % rows.count)
    case 5: return .delete(Array(Set([row, 0, rows.count - 1])))
    case 6 where !redoable.isEmpty: return .redo
    default: return undoable.isEmpty ? .insert([text()], at: 0) : .undo
    }
  }

  /// Makes an edit on a board, and then, unless it is refused, in the list.
  mutating func make(_ edit: Edit, with client: BusClient) -> DBusError? {
    do throws(DBusError) {
      try change(edit, client)
      return nil
    } catch { return error }
  }

  private mutating func change(_ edit: Edit, _ client: BusClient) throws(DBusError) {
    var changed = rows
    switch edit {
    case .insert(let texts, let row):
      let items = try client.insert(texts, at: Int32(row))
      changed.insert(contentsOf: zip(items, texts).map { Row(item: $0, text: $1) }, at: row)
    case .set(let row, let text):
      _ = try client.call(BoardInterface.setText, rows[row].item, text)
      changed[row].text = text
    case .move(let row, let target):
      _ = try client.call(BoardInterface.moveRow, 0, UInt32(row), 0, UInt32(target))
      changed.insert(changed.remove(at: row), at: target)
    case .delete(let rows):
      _ = try client.call(BoardInterface.deleteItems, rows.map { self.rows[$0].item })
      for row in rows.sorted().reversed() { changed.remove(at: row) }
    case .undo:
      _ = try client.call(BoardInterface.undo)
      redoable.append(rows)
      rows = undoable.removeLast()
      return
    case .redo:
      _ = try client.call(BoardInterface.redo)
      undoable.append(rows)
      rows = redoable.removeLast()
      return
    }
    undoable.append(rows)
    redoable = []
    rows = changed
  }
}
