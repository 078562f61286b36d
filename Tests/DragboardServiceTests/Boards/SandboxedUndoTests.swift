import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite(
  "The undo history of the user beside edits of a sandbox",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible, "this system cannot start a process in a sandbox"))
struct SandboxedUndoTests {
  @Test("A large edit of a sandbox leaves the user's steps undoable")
  func bytes() throws {
    let scene = try Boxed("--undo-bytes", "400000")
    for text in ["a", "b", "c"] { try scene.free.insert([text]) }
    let row = try scene.boxed.call(
      BoardInterface.insertData, 0, -1, "application/x-data", [UInt8](repeating: 7, count: 500_000))
    _ = try scene.boxed.call(BoardInterface.deleteItems, [row])
    for count in (0..<3).reversed() {
      #expect(try scene.undo(from: Array(["a", "b", "c"].prefix(count + 1))).count == count)
    }
  }

  @Test(
    "A sandbox drops no step of the user, however few steps there are", arguments: [1, 2, 3, 4])
  func fewSteps(count: Int) throws {
    let scene = try Boxed("--undo-steps", "\(count)")
    for text in numbered(count) { try scene.free.insert([text]) }
    for text in ["x0", "x1", "x2"] { try scene.boxed.insert([text]) }
    // From four steps on, the sandbox has one of them.
    for left in (count < 4 ? 0..<count : 1..<count).reversed() {
      #expect(try scene.undo(from: numbered(left + 1)) == numbered(left))
    }
  }

  @Test("A sandbox that moves rows to thousands of places leaves the user's steps undoable")
  func scatteredMoves() throws {
    let scene = try Boxed()
    let rows = try scene.boxed.insert(numbered(12_000, "x"))
    try scene.free.insert(["a"], at: 0)
    try scene.free.insert(["b"], at: 0)
    let some = rows.indices.filter { $0 % 2 == 0 }.map { rows[$0] }
    _ = try scene.boxed.call(BoardInterface.moveItems, some, 0, 0)
    try scene.exceedShare()
    #expect(try scene.undo(from: ["b", "a"]) == ["a"])
    #expect(try scene.undo(from: ["a"]) == [])
  }

  @Test("A sandbox that moves and deletes 10,000 rows leaves all steps of the user undoable")
  func manyRows() throws {
    let scene = try Boxed()
    let rows = try scene.boxed.insert(numbered(12_000, "x"))
    for text in ["a", "b", "c"] { try scene.free.insert([text]) }
    _ = try scene.boxed.call(BoardInterface.deleteItems, Array(rows.prefix(10_000)))
    _ = try scene.boxed.call(BoardInterface.deleteItems, Array(rows.dropFirst(10_000)))
    try scene.exceedShare()
    #expect(try scene.undo(from: ["a", "b", "c"]) == ["a", "b"])
    #expect(try scene.undo(from: ["a", "b"]) == ["a"])
    #expect(try scene.undo(from: ["a"]) == [])
  }

  @Test("A sandbox that deletes its own rows at many places leaves the user's steps undoable")
  func scatteredEvictions() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 4_000)
    try scene.free.insert(numbered(700))
    for number in 0..<700 { try scene.boxed.insert(["x\(number)"], at: Int32(2 * number)) }
    try scene.free.insert(["last"])
    try scene.boxed.insert(numbered(1_000, "x"))
    #expect(try scene.undo(from: numbered(700) + ["last"]) == numbered(700))
    #expect(try scene.undo(from: numbered(700)) == [])
  }

  @Test("The deletion of a sandbox's surplus at many places leaves the user's steps undoable")
  func scatteredSurplus() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 100)
    try scene.free.insert(["a"])
    try scene.boxed.insert(numbered(12_000, "x"))
    for row in 0..<10 {
      _ = try scene.boxed.call(BoardInterface.moveRow, 0, UInt32(1 + 20 * row), 0, 0)
    }
    try scene.free.insert(["b"])
    #expect(try scene.free.get(BoardInterface.count) == 100)
    #expect(try scene.undo(from: ["a", "b"]) == ["a"])
    #expect(try scene.undo(from: ["a"]) == [])
  }

  @Test("Steps of a sandbox that have nothing to undo do not end the user's history")
  func skippedSteps() throws {
    let scene = try Boxed()
    try scene.free.retain(rows: 50_000)
    try scene.free.insert(numbered(45_000))
    for _ in 0..<24 { try scene.boxed.insert(["x"]) }
    try scene.boxed.insert(numbered(12_500, "x"))
    try scene.free.undo()
    #expect(try scene.free.get(BoardInterface.count) == 45_000)
    try scene.free.undo()
    #expect(try scene.free.get(BoardInterface.count) == 0)
  }

  @Test("A row returns to its neighbours though a sandbox has deleted hundreds of rows beside it")
  func neighbours() throws {
    let scene = try Boxed()
    try scene.free.insert(["a"])
    var rows = try scene.boxed.insert(numbered(200, "x"))
    let b = try scene.free.insert(["b"])
    rows += try scene.boxed.insert(numbered(200, "x"))
    try scene.free.insert(["c"])
    _ = try scene.free.call(BoardInterface.deleteItems, b)
    _ = try scene.boxed.call(BoardInterface.deleteItems, rows)
    try scene.exceedShare()
    #expect(try scene.undo(from: ["a", "c"]) == ["a", "b", "c"])
  }

  @Test("A copy of the clipboard does not become a row that a sandbox has dropped")
  func clipboardDuplicate() throws {
    let scene = try Boxed()
    func copy(_ text: String, on board: ObjectPath) throws -> String {
      try scene.free.call(
        BoardInterface.insertItem, at: board, 0, 0, ["source": Variant(.string("/clipboard"))],
        [BoardInterface.Representation("text/plain;charset=utf-8", .text(text))])
    }
    let clipboard = try scene.free.board("clipboard")
    try scene.free.set(BoardInterface.movesDuplicates, to: true, at: clipboard)
    let old = try copy("old", on: BusClient.board)
    let session = try scene.free.drag(rows: [old])
    let dropped = try scene.boxed.drop(
      session, as: "org.boxed.App", section: 0, row: 0, on: clipboard)
    #expect(try copy("old", on: clipboard) != dropped.items[0])
  }

  @Test("A row returns to its place among the user's rows though a sandbox has moved its neighbour")
  func movedNeighbour() throws {
    let scene = try Boxed()
    try scene.free.insert(["a"])
    try scene.boxed.insert(["x"])
    let b = try scene.free.insert(["b", "c", "d"])[0]
    _ = try scene.free.call(BoardInterface.deleteItems, [b])
    try scene.free.insert(["e"])
    _ = try scene.boxed.call(BoardInterface.moveRow, 0, 1, 0, 4)
    try scene.exceedShare()
    #expect(try scene.undo(from: ["a", "c", "d", "e"]) == ["a", "c", "d"])
    #expect(try scene.undo(from: ["a", "c", "d"]) == ["a", "b", "c", "d"])
  }

  @Test(
    "At random, Undo restores each earlier state of the user's rows beside edits of a sandbox",
    arguments: 0..<12 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scene = try Boxed("--undo-steps", "60")
    var own = Set(try scene.free.insert(numbered(8)))
    func state(_ client: BusClient) throws -> [String] {
      try client.rows().filter { own.contains($0.id) }.map { "\($0.id) \($0.preview)" }
    }
    var states = [[], try state(scene.free)]
    for number in 0..<200 {
      let rows = try scene.free.rows()
      let row = UInt32.random(in: 0..<UInt32(max(1, rows.count)), using: &random)
      let to = UInt32.random(in: 0..<UInt32(max(1, rows.count)), using: &random)
      let id = rows.isEmpty ? "" : rows[Int(row)].id
      let isBoxed = Int.random(in: 0..<6, using: &random) > 0
      let client = isBoxed ? scene.boxed : scene.free
      // Edits of an empty board, and of the user's rows by the sandbox, are refused.
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let new = try client.insert(["\(number)"], at: rows.isEmpty ? -1 : Int32(to))
        if !isBoxed { own.formUnion(new) }
      case 1: _ = try? client.call(BoardInterface.moveRow, 0, row, 0, to)
      case 2: _ = try? client.call(BoardInterface.deleteRow, 0, row)
      case 3: _ = try? client.call(BoardInterface.setText, id, "\(number)")
      default: _ = try? client.call(BoardInterface.insertSection, "s\(number)", -1)
      }
      let present = try state(scene.free)
      if isBoxed { #expect(present == states.last) }
      if present != states.last { states.append(present) }
    }
    if seed % 2 == 0 {
      scene.daemon.kill()
      try scene.daemon.start()
    }
    let free = try scene.daemon.client()
    while let last = states.popLast(), let earlier = states.last {
      repeat { try free.undo() } while try state(free) == last
      try #require(try state(free) == earlier, "after \(last)")
    }
  }
}
