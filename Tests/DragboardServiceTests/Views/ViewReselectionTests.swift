import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("A reselection")
struct ViewReselectionTests {
  /// A selection, the events after it, and the selected row at the end with its position.
  struct Case: Sendable, CustomTestStringConvertible {
    var sections = ["abcde"]
    var selected = "c"
    let steps: [ViewStep]
    /// Whether Commit selects the pending row at the end; otherwise Reselect does.
    var isCommit = false
    /// The expected row and position, such as `c at 0.3`; "" if nothing is selected.
    let end: String
    var testDescription: String { "\(selected) of \(sections): \(steps)" }
  }

  private func check(_ reselection: Case) throws {
    let scene = try ViewScene(reselection.sections)
    try scene.select(reselection.selected)
    for step in reselection.steps { try scene.perform(step) }
    let item =
      reselection.isCommit
      ? try scene.viewer.commit(in: scene.view) : try scene.viewer.reselect(in: scene.view)
    #expect(try scene.place(of: item) == reselection.end)
    let look = try scene.viewer.look(at: scene.view)
    #expect(look.selection == (item.isEmpty ? [] : [item]))
    #expect(look.pending == "")
  }

  @Test(
    "A reselection selects the row, or the row at its former position",
    arguments: [
      Case(steps: [.swap(2, 4)], end: "c at 0.4"),
      Case(steps: [.deleteRow(2)], end: "d at 0.2"),
      Case(selected: "e", steps: [.deleteRow(4)], end: "d at 0.3"),
      Case(steps: [.insert("x", at: 2)], end: "c at 0.3"),
      Case(steps: [.editing(true), .editing(false)], end: "c at 0.2"),
      Case(steps: [.delete("ac")], end: "d at 0.1"),
      Case(
        steps: [
          .editing(true), .deleteRow(2), .setReselect, .swap(2, 3), .insert("x", at: 3),
          .editing(false),
        ], isCommit: true, end: "d at 0.4"),
    ])
  func table(_ reselection: Case) throws { try check(reselection) }

  @Test(
    "A reselection selects the last row of the section, or else the nearest row of another",
    arguments: [
      Case(sections: ["ab", "c"], selected: "b", steps: [.delete("b")], end: "a at 0.0"),
      Case(sections: ["a", "b", "c"], selected: "b", steps: [.delete("b")], end: "c at 2.0"),
      Case(sections: ["a", "b", "", "cd"], selected: "b", steps: [.delete("b")], end: "c at 3.0"),
      Case(sections: ["ab", "", "c", ""], selected: "c", steps: [.delete("c")], end: "b at 0.1"),
      Case(
        sections: ["ab", "c", "d"], selected: "c", steps: [.deleteSection(1)], end: "d at 1.0"),
      Case(sections: ["ab", "c", ""], selected: "c", steps: [.deleteSection(1)], end: "b at 0.1"),
      Case(
        sections: ["a", "b"], selected: "b", steps: [.moveSection(1, to: 0), .delete("b")],
        end: "a at 1.0"),
      Case(
        sections: ["ab", "cd"], selected: "b", steps: [.delete("b"), .move("c", to: 1)],
        end: "c at 0.1"),
      Case(sections: ["ab", "cd"], selected: "c", steps: [.move("c", to: 0)], end: "c at 0.0"),
    ])
  func borders(_ reselection: Case) throws { try check(reselection) }

  @Test(
    "A reselection is the same however the row was deleted or restored",
    arguments: [
      Case(steps: [.snapshot(["eabd"])], end: "d at 0.3"),
      Case(sections: ["abc", "de"], steps: [.snapshot(["ab", "de"])], end: "b at 0.1"),
      Case(sections: ["abc", "de"], steps: [.snapshot(["ecb"])], end: "c at 0.1"),
      Case(steps: [.order("edcba"), .order("cabde")], end: "c at 0.0"),
      Case(steps: [.drop("c", at: 0)], end: "c at 0.0"),
      Case(sections: ["ab", "cd"], steps: [.clear], end: ""),
      Case(steps: [.clear, .insert("xy", at: 0)], end: "y at 0.1"),
      Case(sections: ["ab", "cd"], steps: [.snapshot([""])], end: ""),
      Case(steps: [.delete("c"), .undo], end: "c at 0.2"),
      Case(steps: [.delete("c"), .move("e", to: 0), .undo, .undo], end: "c at 0.2"),
      Case(steps: [.clear, .undo], end: "c at 0.2"),
      Case(steps: [.delete("c"), .undo, .redo], end: "d at 0.2"),
      Case(sections: ["ab", "cd"], steps: [.deleteSection(1), .undo], end: "c at 1.0"),
    ])
  func ways(_ reselection: Case) throws { try check(reselection) }

  @Test("A reselection treats a row whose insertion was undone as deleted")
  func insertionUndone() throws {
    let scene = try ViewScene()
    try scene.perform(.insert("x", at: 1))
    try scene.select("x")
    try scene.perform(.undo)
    #expect(try scene.selection() == "")
    #expect(try scene.place(of: scene.viewer.reselect(in: scene.view)) == "b at 0.1")
    try scene.perform(.redo)
    #expect(try scene.selection() == "b")
  }

  @Test(
    "A reselection selects the topmost of several rows, also of rows that edit mode has deselected")
  func several() throws {
    let scene = try ViewScene(["abc", "de"])
    try scene.perform(.allowMultiple(true))
    try scene.select("dbc")
    try scene.perform(.moveSection(1, to: 0))
    try scene.perform(.editing(true))
    try scene.perform(.editing(false))
    #expect(try scene.selection() == "")
    #expect(try scene.place(of: scene.viewer.reselect(in: scene.view)) == "d at 0.0")
    #expect(try scene.selection() == "d")
  }

  @Test("A deleted row stays the anchor beside other selected rows, also when edit mode begins")
  func deletedTopmost() throws {
    let scene = try ViewScene()
    try scene.perform(.allowMultiple(true))
    try scene.select("be")
    try scene.perform(.delete("b"))
    #expect(try scene.selection() == "e")
    try scene.perform(.editing(true))
    try scene.perform(.editing(false))
    #expect(try scene.place(of: scene.viewer.reselect(in: scene.view)) == "c at 0.1")
  }
}
