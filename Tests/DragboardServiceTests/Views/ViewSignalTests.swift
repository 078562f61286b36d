import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The signals of a view")
struct ViewSignalTests {
  /// A step, and the properties that change in it.
  private typealias Line = (step: () throws -> Void, told: Set<String>)

  /// Expects that each step emits one PropertiesChanged with only these properties, or none, and
  /// that Get returns the same values.
  private func check(_ lines: [Line], of scene: ViewScene) throws {
    for (number, line) in lines.enumerated() {
      _ = scene.editor.takeSignals()
      try line.step()
      let told = try scene.editor.takeChanges(at: scene.view)
      let look = try scene.editor.look(at: scene.view).properties
      let expected = look.filter { line.told.contains($0.key) }
      #expect(told == (expected.isEmpty ? [] : [expected]), "line \(number)")
    }
  }

  @Test("A call or an edit emits one PropertiesChanged with the changed properties")
  func exactly() throws {
    let scene = try ViewScene()
    let (viewer, view) = (scene.viewer, scene.view)
    func step(_ step: ViewStep) -> () throws -> Void { { try scene.perform(step) } }
    try check(
      [
        (step(.select("c")), ["Selection"]), (step(.select("c")), []),
        ({ try viewer.call(ViewInterface.selectRow, at: view, 0, 2) }, []),
        (step(.setReselect), ["Pending"]), (step(.setReselect), []),
        (step(.move("c", to: 0)), []), (step(.insert("x", at: 0)), []),
        (step(.editing(true)), ["Editing", "Selection"]), (step(.editing(true)), []),
        ({ expect(.editing) { try viewer.commit(in: view) } }, []),
        (step(.delete("c")), ["Pending"]), (step(.undo), ["Pending"]), (step(.redo), ["Pending"]),
        (step(.editing(false)), ["Editing"]),
        ({ try viewer.commit(in: view) }, ["Pending", "Selection"]),
        ({ try viewer.commit(in: view) }, []), ({ try viewer.reselect(in: view) }, []),
        (step(.delete("e")), []), (step(.clear), ["Selection"]), (step(.undo), []),
        ({ try viewer.reselect(in: view) }, ["Selection"]),
        (step(.allowMultiple(true)), ["AllowsMultipleSelection"]), (step(.allowMultiple(true)), []),
        (step(.select("db")), ["Selection"]), (step(.select("bd")), ["Selection"]),
        (step(.allowMultiple(false)), ["AllowsMultipleSelection", "Selection"]),
        (step(.setReselect), ["Pending"]), (step(.clear), ["Pending", "Selection"]),
        (step(.undo), ["Pending"]),
        ({ try viewer.call(ViewInterface.deselect, at: view) }, ["Pending"]),
        ({ try viewer.call(ViewInterface.deselect, at: view) }, []),
      ], of: scene)
  }

  @Test("Changed comes first, then the changes of views, then the reply")
  func order() throws {
    let scene = try ViewScene()
    let second = try scene.viewer.openView()
    for view in [scene.view, second] { try scene.viewer.select(try scene.rows("c"), in: view) }
    _ = scene.viewer.takeSignals()
    _ = try scene.viewer.call(BoardInterface.deleteItems, scene.rows("c"))
    // Every signal that the client has when the reply arrives came before the reply.
    let signals = scene.viewer.signals
    #expect(signals.map(\.member) == ["Changed", "PropertiesChanged", "PropertiesChanged"])
    #expect(signals.first?.path == BusClient.board.text)
    #expect(Set(signals.dropFirst().map(\.path)) == [scene.view.text, second.text])
    for signal in signals.dropFirst() {
      #expect(try signal.changedProperties == ["Selection": .array(of: "s", [])])
    }
    _ = scene.viewer.takeSignals()
    try scene.viewer.reselect(in: second)
    #expect(scene.viewer.signals.map(\.path) == [second.text])
  }

  @Test(
    "The values in PropertiesChanged are the values of Get, after any event", arguments: [1, 2])
  func replica(seed: UInt64) throws {
    let scene = try ViewScene(["abcdefgh", "ijkl"])
    var actions = RandomViewActions(seed: seed)
    var known = try scene.viewer.look(at: scene.view).properties
    for number in 0..<120 {
      actions.perform(on: scene, board: try scene.editor.replica())
      let changes = try scene.viewer.takeChanges(at: scene.view)
      #expect(changes.count <= 1, "action \(number)")
      for (property, value) in changes.flatMap({ $0 }) {
        #expect(known[property] != nil && known[property] != value, "\(property), \(number)")
        known[property] = value
      }
      let look = try scene.viewer.look(at: scene.view)
      try #require(look.properties == known, "action \(number)")
      let rows = Set(try scene.editor.replica().rows)
      #expect(rows.isSuperset(of: look.selection), "action \(number)")
    }
  }
}

/// A source of random events for a view; some of them are refused.
private struct RandomViewActions {
  private var numbers: SplitMix64
  private var edits: RandomEdits

  init(seed: UInt64) {
    numbers = SplitMix64(seed: seed)
    edits = RandomEdits(seed: seed, prefix: "row", arranges: true)
  }

  /// Performs a random event.
  mutating func perform(on scene: ViewScene, board: Replica) {
    let (viewer, view) = (scene.viewer, scene.view)
    switch Int.random(in: 0..<20, using: &numbers) {
    case 0..<4: try? viewer.select(some(board.rows), in: view)
    case 4: try? viewer.setEditing(Bool.random(using: &numbers), in: view)
    case 5: try? viewer.setEditing(false, in: view)
    case 6..<8: _ = try? viewer.setReselect(in: view)
    case 8: _ = try? viewer.reselect(in: view)
    case 9: _ = try? viewer.commit(in: view)
    case 10:
      let allows = Bool.random(using: &numbers)
      try? viewer.set(ViewInterface.allowsMultipleSelection, to: allows, at: view)
    default:
      scene.editor.make(edits.next(items: board.rows, board: board))
    }
  }

  private mutating func some(_ items: [String]) -> [String] {
    let count = Int.random(in: 0...3, using: &numbers)
    return Array(items.shuffled(using: &numbers).prefix(count))
  }
}
