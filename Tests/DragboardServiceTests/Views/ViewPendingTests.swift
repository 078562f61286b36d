import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The pending selection of a view")
struct ViewPendingTests {
  @Test("SetReselect returns the pending row, and nothing is selected yet")
  func setReselect() throws {
    let scene = try ViewScene()
    try scene.select("c")
    try scene.perform(.delete("c"))
    let item = try scene.viewer.setReselect(in: scene.view)
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(pending: item))
    #expect(scene.letters([item]) == "d")
    #expect(try scene.viewer.commit(in: scene.view) == item)
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(selection: [item]))
  }

  @Test("Every edit moves the pending row until it is committed")
  func carried() throws {
    let scene = try ViewScene(["abcde", "fg"])
    try scene.select("c")
    try scene.perform(.setReselect)
    let steps: [(ViewStep, pending: String)] = [
      (.insert("x", at: 0), "c"), (.move("c", to: 5), "c"), (.delete("c"), "e"), (.undo, "c"),
      (.redo, "e"), (.delete("e"), "d"), (.moveSection(0, to: 1), "d"), (.deleteSection(1), "g"),
      (.undo, "d"), (.snapshot(["gf", "ba"]), "a"), (.undo, "d"),
    ]
    for (step, pending) in steps {
      try scene.perform(step)
      #expect(try scene.pending() == pending, "\(step)")
    }
    #expect(try scene.viewer.commit(in: scene.view) == scene.row("d"))
  }

  @Test("Edit mode refuses to commit the pending row, and keeps it")
  func editMode() throws {
    let scene = try ViewScene()
    try scene.select("c")
    try scene.perform(.editing(true))
    try scene.perform(.setReselect)
    let before = try scene.viewer.look(at: scene.view)
    #expect(before == ViewLook(isEditing: true, pending: try scene.row("c")))
    expect(.editing, naming: "edit mode") { try scene.viewer.commit(in: scene.view) }
    expect(.editing, naming: "edit mode") { try scene.viewer.reselect(in: scene.view) }
    #expect(try scene.viewer.look(at: scene.view) == before)
    try scene.perform(.delete("c"))
    try scene.perform(.editing(false))
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(pending: try scene.row("d")))
    #expect(try scene.viewer.commit(in: scene.view) == scene.row("d"))
  }

  @Test(
    "Selecting and Deselect drop the pending row; Commit then returns nothing and changes nothing")
  func dropped() throws {
    let scene = try ViewScene()
    let selections: [(String, () throws -> Void)] = [
      ("a", { try scene.select("a") }), ("", { try scene.select("") }),
      ("b", { _ = try scene.viewer.call(ViewInterface.selectRow, at: scene.view, 0, 1) }),
      ("", { try scene.viewer.call(ViewInterface.deselect, at: scene.view) }),
    ]
    for (selection, select) in selections {
      try scene.select("c")
      try scene.perform(.setReselect)
      #expect(try scene.pending() == "c")
      try select()
      #expect(try scene.viewer.look(at: scene.view) == ViewLook(selection: scene.rows(selection)))
      #expect(try scene.viewer.commit(in: scene.view) == "")
      #expect(try scene.viewer.look(at: scene.view) == ViewLook(selection: scene.rows(selection)))
    }
  }

  @Test("Reselect computes a new pending row: the earlier one does not count")
  func anew() throws {
    let scene = try ViewScene()
    try scene.select("c")
    try scene.perform(.delete("c"))
    try scene.perform(.setReselect)
    try scene.perform(.undo)
    #expect(try scene.pending() == "d")
    #expect(try scene.viewer.reselect(in: scene.view) == scene.row("c"))
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(selection: scene.rows("c")))
  }

  @Test("No row is pending without an anchor, or without rows")
  func nothing() throws {
    let scene = try ViewScene()
    #expect(try scene.viewer.setReselect(in: scene.view) == "")
    #expect(try scene.viewer.reselect(in: scene.view) == "")
    try scene.select("c")
    try scene.perform(.clear)
    #expect(try scene.viewer.setReselect(in: scene.view) == "")
    #expect(try scene.viewer.commit(in: scene.view) == "")
    #expect(try scene.viewer.look(at: scene.view) == ViewLook())
  }
}
