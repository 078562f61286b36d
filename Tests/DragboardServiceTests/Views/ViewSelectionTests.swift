import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The selection of a view")
struct ViewSelectionTests {
  @Test("A new view is not in edit mode, selects no row, and allows one selected row")
  func new() throws {
    let scene = try ViewScene()
    let (viewer, view) = (scene.viewer, scene.view)
    #expect(try viewer.look(at: view) == ViewLook())
    #expect(try viewer.get(ViewInterface.board, at: view) == BusClient.board)
    #expect(try viewer.get(ViewInterface.application, at: view) == "org.viewer")
  }

  @Test("A selected row replaces the earlier one, by its id or by its position")
  func single() throws {
    let scene = try ViewScene(["ab", "cd"])
    try scene.select("b")
    #expect(try scene.selection() == "b")
    try scene.viewer.call(ViewInterface.selectRow, at: scene.view, 1, 1)
    #expect(try scene.selection() == "d")
    try scene.perform(.move("d", to: 0))
    #expect(try scene.selection() == "d")
    try scene.select("")
    #expect(try scene.selection() == "")
  }

  @Test("If multiple selection is allowed, several rows are selected in the given order")
  func several() throws {
    let scene = try ViewScene(["abc", "de"])
    try scene.perform(.allowMultiple(true))
    try scene.select("dab")
    #expect(try scene.selection() == "dab")
    try scene.perform(.delete("ae"))
    #expect(try scene.selection() == "db")
    try scene.perform(.undo)
    #expect(try scene.selection() == "db")
    try scene.viewer.call(ViewInterface.selectRow, at: scene.view, 0, 2)
    #expect(try scene.selection() == "c")
  }

  @Test("If multiple selection is switched off, the topmost row stays selected")
  func oneAgain() throws {
    let scene = try ViewScene(["abc", "de"])
    try scene.perform(.allowMultiple(true))
    try scene.select("cdb")
    try scene.perform(.moveSection(1, to: 0))
    try scene.perform(.allowMultiple(false))
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(selection: scene.rows("d")))
    #expect(try scene.viewer.setReselect(in: scene.view) == scene.row("d"))
    expect(.invalidArgs, naming: "items", "2") { try scene.select("cb") }
  }

  @Test("A row that any client deletes leaves the selection, and stays the anchor")
  func deleted() throws {
    let scene = try ViewScene()
    for (step, back) in [
      (.delete("c"), "d"), (.clear, ""), (.snapshot(["abd"]), "d"), (.delete("bcd"), "e"),
    ] as [(ViewStep, String)] {
      try scene.select("c")
      try scene.perform(step)
      #expect(try scene.selection() == "", "\(step)")
      #expect(
        try scene.viewer.setReselect(in: scene.view) == (scene.rows(back).first ?? ""), "\(step)")
      try scene.perform(.undo)
      #expect(try scene.selection() == "", "\(step)")
    }
    try scene.select("c")
    _ = try scene.viewer.call(BoardInterface.deleteItems, scene.rows("c"))
    #expect(try scene.selection() == "")
  }

  @Test("Deselect and selecting an empty list clear the anchor of a reselection")
  func forgotten() throws {
    let scene = try ViewScene()
    let ways: [() throws -> Void] = [
      { try scene.select("") }, { try scene.viewer.call(ViewInterface.deselect, at: scene.view) },
    ]
    for forget in ways {
      for isDeleted in [false, true] {
        try scene.select("c")
        if isDeleted { try scene.perform(.delete("c")) }
        try forget()
        #expect(try scene.viewer.reselect(in: scene.view) == "")
        #expect(try scene.viewer.look(at: scene.view) == ViewLook())
        if isDeleted { try scene.perform(.undo) }
      }
    }
    try scene.select("c")
    try scene.perform(.editing(true))
    try scene.viewer.call(ViewInterface.deselect, at: scene.view)
    try scene.perform(.editing(false))
    #expect(try scene.viewer.reselect(in: scene.view) == "")
  }

  @Test("Edit mode clears the selection and refuses to select; leaving it selects nothing")
  func editMode() throws {
    let scene = try ViewScene()
    try scene.select("c")
    try scene.perform(.editing(true))
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(isEditing: true))
    let calls: [() throws -> Void] = [
      { try scene.select("a") }, { try scene.select("") },
      { try scene.viewer.call(ViewInterface.selectRow, at: scene.view, 0, 0) },
    ]
    for call in calls { expect(.editing, naming: "edit mode") { try call() } }
    #expect(try scene.viewer.look(at: scene.view) == ViewLook(isEditing: true))
    try scene.perform(.editing(true))
    try scene.perform(.editing(false))
    #expect(try scene.viewer.look(at: scene.view) == ViewLook())
    try scene.select("a")
    #expect(try scene.selection() == "a")
  }

  @Test("A missing, foreign or duplicate row, or one row too many, is refused without a change")
  func refused() throws {
    let scene = try ViewScene(["abc", ""])
    let (viewer, view) = (scene.viewer, scene.view)
    try scene.perform(.delete("c"))
    let elsewhere = try viewer.insert(["z"], on: viewer.board("other"))[0]
    let (here, gone) = (try scene.row("a"), try scene.row("c"))
    let unknown = "01234567-89ab-4cde-8f01-23456789abcd"
    try scene.select("b")
    try scene.perform(.setReselect)
    for allowsSeveral in [false, true] {
      try scene.perform(.allowMultiple(allowsSeveral))
      let before = try viewer.look(at: view)
      _ = viewer.takeSignals()
      for item in [elsewhere, gone, unknown, here.uppercased(), "", "a\nb"] {
        let items = allowsSeveral ? [here, item] : [item]
        expect(.noSuchItem, naming: "items", "default") { try viewer.select(items, in: view) }
      }
      expect(.invalidArgs, naming: "items", "twice", here) {
        try viewer.select([here, here], in: view)
      }
      for (section, row, word) in [(0, 2, "row: 2"), (1, 0, "row: 0"), (2, 0, "section: 2")]
        as [(UInt32, UInt32, String)]
      {
        expect(.invalidArgs, naming: word) {
          try viewer.call(ViewInterface.selectRow, at: view, section, row)
        }
      }
      expect(.invalidArgs, naming: "section") {
        try viewer.call(ViewInterface.selectRow, at: view, .max, .max)
      }
      if !allowsSeveral {
        expect(.invalidArgs, naming: "items", "2", "multiple") {
          try viewer.select(try scene.rows("ab"), in: view)
        }
      }
      #expect(try viewer.takeChanges(at: view) == [])
      #expect(try viewer.look(at: view) == before)
    }
  }
}
