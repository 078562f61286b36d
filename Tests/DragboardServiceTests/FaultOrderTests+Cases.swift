import DBus
import DragboardInterface
import TestSupport

extension FaultOrderTests {
  static var cases: [Case] { boards + insertions + edits + orders + drags + sessions + views }

  private static let (invalid, denied) = (ErrorName.invalidArgs, ErrorName.accessDenied)
  private static let root = Dragboard.root
  private static let plain = "text/plain;charset=utf-8"

  private static var boards: [Case] {
    [
      Case("Manager.CreateBoard", "malformed, at the limit", invalid) { _, _ in
        call(ManagerInterface.createBoard, at: root, "")
      },
      Case("Manager.CreateBoard", "present, at the limit", .boardExists, boxed: denied) { _, _ in
        call(ManagerInterface.createBoard, at: root, "other")
      },
      Case("Manager.CreateBoard", "at the limit", .limitsExceeded, boxed: denied) { _, _ in
        call(ManagerInterface.createBoard, at: root, "new")
      },
      Case("Manager.RenameBoard", "malformed, missing", invalid) { _, _ in
        call(ManagerInterface.renameBoard, at: root, "none", "a\nb")
      },
      Case("Manager.RenameBoard", "missing, to a present name", .noSuchBoard, boxed: denied) {
        _, _ in call(ManagerInterface.renameBoard, at: root, "none", "other")
      },
      Case("Manager.DeleteBoard", "missing", .noSuchBoard, boxed: denied) { _, _ in
        call(ManagerInterface.deleteBoard, at: root, "none")
      },
      Case("Manager.DiscardBoard", "missing, a future base", .noSuchBoard, boxed: denied) { _, _ in
        call(ManagerInterface.discardBoard, at: root, "none", 99)
      },
      Case("Manager.RestoreBoard", "missing, at the limit", .noSuchBoard, boxed: denied) { _, _ in
        call(ManagerInterface.restoreBoard, at: root, "none")
      },
      Case("Board.InsertSection", "malformed, at the limit", invalid) { _, _ in
        call(BoardInterface.insertSection, "a\nb", 0)
      },
      Case("Board.InsertSection", "before -1, at the limit", invalid) { _, _ in
        call(BoardInterface.insertSection, "x", -2)
      },
      Case("Board.InsertSection", "behind the end, at the limit", invalid, boxed: denied) { _, _ in
        call(BoardInterface.insertSection, "x", 9)
      },
      Case("Board.RenameSection", "malformed, missing", invalid) { _, _ in
        call(BoardInterface.renameSection, 9, "")
      },
      Case("Board.RenameSection", "missing", invalid, boxed: denied) { _, _ in
        call(BoardInterface.renameSection, 9, "x")
      },
      Case("Board.MoveSection", "missing", invalid, boxed: denied) { _, _ in
        call(BoardInterface.moveSection, 9, 0)
      },
      Case("Board.DeleteSection", "locked", .notEditable, boxed: denied) { _, _ in
        call(BoardInterface.deleteSection, 0)
      },
      Case("Board.SetAcceptedTypes", "malformed, too many", invalid) { _, _ in
        call(BoardInterface.setAcceptedTypes, (0..<257).map { "x/y\($0)" } + ["nonsense"])
      },
      Case("Board.SetAcceptedTypes", "too many", .limitsExceeded, boxed: denied) { _, _ in
        call(BoardInterface.setAcceptedTypes, (0..<257).map { "x/y\($0)" })
      },
    ]
  }

  private static var insertions: [Case] {
    func representation(_ type: String, _ text: String) -> BoardInterface.Representation {
      BoardInterface.Representation(type, .data(Array(text.utf8)))
    }
    return [
      Case("Board.InsertText", "in no section, too long", invalid) { scene, _ in
        call(BoardInterface.insertText, 9, 0, scene.long)
      },
      Case("Board.InsertTexts", "behind the end, too long", invalid) { scene, _ in
        call(BoardInterface.insertTexts, 0, 9, [scene.long])
      },
      Case("Board.InsertData", "malformed type, too long", invalid) { scene, _ in
        call(BoardInterface.insertData, 0, 0, "nonsense", Array(scene.long.utf8))
      },
      Case("Board.InsertData", "before -1, too long", invalid) { scene, _ in
        call(BoardInterface.insertData, 0, -2, "a/b", Array(scene.long.utf8))
      },
      Case("Board.InsertFile", "in no section, too long", invalid) { scene, _ in
        let file = try TestFile.sealed(Array(scene.long.utf8))
        return call(BoardInterface.insertFile, 9, 0, "a/b", file)
      },
      Case("Board.InsertItem", "unknown attribute, a type twice", invalid) { scene, _ in
        call(
          BoardInterface.insertItem, 0, 0, ["colour": Variant(.string("red"))],
          [representation("a/b", "x"), representation("a/b", "x")])
      },
      Case("Board.InsertItem", "a type twice, a malformed type", invalid) { scene, _ in
        call(
          BoardInterface.insertItem, 0, 0, [:],
          [representation("a/b", "x"), representation("a/b", "x"), representation("nonsense", "x")])
      },
      Case("Board.InsertItem", "before -1, a type twice", invalid) { scene, _ in
        call(
          BoardInterface.insertItem, 0, -2, [:],
          [representation("a/b", "x"), representation("a/b", "x")])
      },
      Case("Board.InsertItem", "in no section, too long", invalid) { scene, _ in
        call(BoardInterface.insertItem, 9, 0, [:], [representation("a/b", scene.long)])
      },
      Case("Board.GetData", "malformed, missing", invalid) { scene, _ in
        call(BoardInterface.getData, scene.unknown, "nonsense")
      },
      Case("Board.GetFile", "malformed, missing", invalid) { scene, _ in
        call(BoardInterface.getFile, scene.unknown, "nonsense")
      },
    ]
  }

  private static var edits: [Case] {
    [
      Case("Board.SetText", "missing, too long", .noSuchItem) { scene, _ in
        call(BoardInterface.setText, scene.unknown, scene.long)
      },
      Case("Board.SetText", "locked, too long", .notEditable, boxed: denied) { scene, _ in
        call(BoardInterface.setText, scene.locked, scene.long)
      },
      Case("Board.ReplaceText", "a future base, missing", invalid) { scene, _ in
        call(BoardInterface.replaceText, .max, scene.unknown, "x")
      },
      Case("Board.ReplaceText", "a stale base, missing", .staleRevision) { scene, _ in
        call(BoardInterface.replaceText, 1, scene.unknown, "x")
      },
      Case("Board.ReplaceText", "locked, too long", .notEditable, boxed: denied) { scene, _ in
        call(BoardInterface.replaceText, 0, scene.locked, scene.long)
      },
      Case("Board.SetItemName", "malformed, missing", invalid) { scene, _ in
        call(BoardInterface.setItemName, scene.unknown, "a\nb")
      },
      Case("Board.SetItemName", "malformed, locked", invalid) { scene, _ in
        call(BoardInterface.setItemName, scene.locked, "a\nb")
      },
      Case("Board.SetEditable", "missing", .noSuchItem) { scene, _ in
        call(BoardInterface.setEditable, scene.unknown, true)
      },
      Case("Board.SetMovable", "missing", .noSuchItem) { scene, _ in
        call(BoardInterface.setMovable, scene.unknown, true)
      },
      Case("Board.SetPinned", "missing", .noSuchItem) { scene, _ in
        call(BoardInterface.setPinned, scene.unknown, true)
      },
      Case("Board.MoveRow", "locked, to no row", invalid) { _, _ in
        call(BoardInterface.moveRow, 0, 1, 0, 9)
      },
      Case("Board.MoveRow", "locked, to no section", invalid) { _, _ in
        call(BoardInterface.moveRow, 0, 1, 9, 0)
      },
      Case("Board.MoveRow", "locked", .notMovable, boxed: denied) { _, _ in
        call(BoardInterface.moveRow, 0, 1, 0, 0)
      },
      Case("Board.MoveItems", "missing, before -1", invalid) { scene, _ in
        call(BoardInterface.moveItems, [scene.unknown], 0, -2)
      },
      Case("Board.MoveItems", "locked, to no row", invalid) { scene, _ in
        call(BoardInterface.moveItems, [scene.locked], 0, 9)
      },
      Case("Board.MoveItems", "locked, to no section", invalid) { scene, _ in
        call(BoardInterface.moveItems, [scene.locked], 9, 0)
      },
      Case("Board.MoveItems", "locked, missing", .noSuchItem) { scene, _ in
        call(BoardInterface.moveItems, [scene.locked, scene.unknown], 0, 0)
      },
      Case("Board.StackItems", "malformed, missing", invalid) { scene, _ in
        call(BoardInterface.stackItems, [scene.unknown], 0, 0, "a\nb")
      },
      Case("Board.StackItems", "locked, to no row", invalid) { scene, _ in
        call(BoardInterface.stackItems, [scene.locked], 0, 9, "s")
      },
      Case("Board.StackItems", "locked, to no section", invalid) { scene, _ in
        call(BoardInterface.stackItems, [scene.locked], 9, 0, "s")
      },
      Case("Board.StackItems", "locked", .notMovable, boxed: denied) { scene, _ in
        call(BoardInterface.stackItems, [scene.locked], 0, 0, "s")
      },
      Case("Board.DeleteRow", "missing", invalid) { _, _ in call(BoardInterface.deleteRow, 0, 9) },
      Case("Board.DeleteItems", "locked, twice", invalid) { scene, _ in
        call(BoardInterface.deleteItems, [scene.locked, scene.locked])
      },
      Case("Board.DeleteItems", "locked, missing", .noSuchItem) { scene, _ in
        call(BoardInterface.deleteItems, [scene.locked, scene.unknown])
      },
    ]
  }

  private static var orders: [Case] {
    func edit(_ kind: String, _ item: String) -> [BoardInterface.Edit] {
      [BoardInterface.Edit(kind, item, 0, 0, [:], [])]
    }
    return [
      Case("Board.ApplySnapshot", "no section, a stale base", invalid) { _, _ in
        call(BoardInterface.applySnapshot, 1, [])
      },
      Case("Board.ApplySnapshot", "malformed name", invalid) { _, _ in
        call(BoardInterface.applySnapshot, 1, [BoardInterface.Section("", [])])
      },
      Case("Board.ApplySnapshot", "a row twice", invalid) { scene, _ in
        call(
          BoardInterface.applySnapshot, 1,
          [BoardInterface.Section("x", [scene.unknown, scene.unknown])])
      },
      Case("Board.ApplySnapshot", "a stale base, missing", .staleRevision, boxed: denied) {
        scene, _ in
        call(BoardInterface.applySnapshot, 1, [BoardInterface.Section("x", [scene.unknown])])
      },
      Case("Board.ApplyOrder", "a row twice, a stale base", invalid) { scene, _ in
        call(BoardInterface.applyOrder, 1, 0, [scene.row, scene.row])
      },
      Case("Board.ApplyOrder", "no section", invalid, boxed: denied) { scene, _ in
        call(BoardInterface.applyOrder, 0, 9, [scene.row])
      },
      Case("Board.ReserveItems", "none", invalid) { _, _ in call(BoardInterface.reserveItems, 0) },
      Case("Board.ApplyEdits", "no kind, a stale base", invalid) { scene, _ in
        call(BoardInterface.applyEdits, 1, edit("explode", scene.row))
      },
      Case("Board.ApplyEdits", "no id", invalid) { _, _ in
        call(BoardInterface.applyEdits, 0, edit("delete", "nonsense"))
      },
      Case("Board.ApplyEdits", "missing", .noSuchItem, boxed: denied) { scene, _ in
        call(BoardInterface.applyEdits, 0, edit("delete", scene.reserved))
      },
      Case("Board.Undo", "on another board", .nothingToUndo, boxed: denied) { _, _ in
        call(BoardInterface.undo, at: Dragboard.boardPath("other"))
      },
      Case("Board.Redo", "without an undo", .nothingToRedo, boxed: denied) { _, _ in
        call(BoardInterface.redo)
      },
    ]
  }

  private static var drags: [Case] {
    [
      Case("Manager.BeginDrag", "malformed, at the limit", invalid) { _, _ in
        call(ManagerInterface.beginDrag, at: root, "a..b")
      },
      Case("Manager.BeginTextDrag", "another's name, too long", denied) { scene, _ in
        call(ManagerInterface.beginTextDrag, at: root, scene.other.client.name, [scene.long])
      },
      Case("DragSource.BeginDrag", "malformed, missing", invalid) { scene, _ in
        call(DragSourceInterface.beginDrag, "a..b", [scene.unknown])
      },
      Case("DragSource.BeginDrag", "another's name, missing", denied) { scene, _ in
        call(DragSourceInterface.beginDrag, scene.other.client.name, [scene.unknown])
      },
      Case("DragSource.BeginDrag", "another's row, missing", .noSuchItem) { scene, _ in
        call(DragSourceInterface.beginDrag, "", [scene.row, scene.unknown])
      },
      Case("DragSource.BeginRowDrag", "another's name, missing", denied) { scene, _ in
        call(DragSourceInterface.beginRowDrag, scene.other.client.name, 9, 0)
      },
      Case("DragSource.BeginRowDrag", "at the limit", .limitsExceeded, boxed: denied) { _, _ in
        call(DragSourceInterface.beginRowDrag, "", 0, 0)
      },
      Case("DropTarget.ProposeDrop", "no session, before -1", invalid) { _, _ in
        call(DropTargetInterface.proposeDrop, "/none", "", 0, -2)
      },
      Case("DropTarget.ProposeDrop", "no session, another's name", denied) { scene, _ in
        call(DropTargetInterface.proposeDrop, "/none", scene.other.client.name, 0, 0)
      },
      Case("DropTarget.ProposeDrop", "no section, ended", invalid) { _, peer in
        call(DropTargetInterface.proposeDrop, peer.ended, "", 9, 0)
      },
      Case("DropTarget.PerformDrop", "no row, ended", invalid) { _, peer in
        call(DropTargetInterface.performDrop, peer.ended, "", 0, 9)
      },
      Case("DropTarget.PerformDrop", "no row, dropped", invalid) { _, peer in
        call(DropTargetInterface.performDrop, peer.dropping, "", 0, 9)
      },
      Case("DropTarget.PerformDrop", "ended, another's name", denied) { scene, peer in
        call(DropTargetInterface.performDrop, peer.ended, scene.other.client.name, 0, 0)
      },
      Case("DropTarget.ExitDrop", "ended, another's name", denied) { scene, peer in
        call(DropTargetInterface.exitDrop, peer.ended, scene.other.client.name)
      },
      Case("Views.OpenView", "another's name, at the limit", denied) { scene, _ in
        call(ViewsInterface.openView, scene.other.client.name)
      },
    ]
  }

  private static var sessions: [Case] {
    typealias Session = DragSessionInterface
    let large = [UInt8](repeating: 1, count: 70_000)
    return [
      Case("DragSession.AddText", "another's, too long", denied) { scene, _ in
        call(Session.addText, at: scene.other.ended, scene.long)
      },
      Case("DragSession.AddText", "ended, too long", .sessionEnded) { scene, peer in
        call(Session.addText, at: peer.ended, scene.long)
      },
      Case("DragSession.AddItem", "malformed, another's", invalid) { scene, _ in
        call(Session.addItem, at: scene.other.session, "a\nb")
      },
      Case("DragSession.RegisterText", "missing, too long", .noSuchItem) { scene, peer in
        call(Session.registerText, at: peer.session, 9, scene.long)
      },
      Case("DragSession.RegisterData", "malformed, another's", invalid) { scene, _ in
        call(Session.registerData, at: scene.other.session, 0, "a/b", "nobody", large)
      },
      Case("DragSession.RegisterData", "missing, too large", .noSuchItem) { _, peer in
        call(Session.registerData, at: peer.session, 9, "a/b", "all", large)
      },
      Case("DragSession.RegisterData", "missing, dropped", .noSuchItem) { _, peer in
        call(Session.registerData, at: peer.dropping, 9, "a/b", "all", large)
      },
      Case("DragSession.RegisterData", "dropped, too large", .sessionEnded) { _, peer in
        call(Session.registerData, at: peer.dropping, 0, "a/b", "all", large)
      },
      Case("DragSession.RegisterData", "present, too large", .duplicateRepresentation) { _, peer in
        call(Session.registerData, at: peer.session, 0, plain, "all", large)
      },
      Case("DragSession.RegisterFile", "another's, missing", denied) { scene, _ in
        let file = try TestFile.sealed(large)
        return call(Session.registerFile, at: scene.other.session, 9, "a/b", "all", file)
      },
      Case("DragSession.RegisterPromise", "malformed, another's", invalid) { scene, _ in
        call(Session.registerPromise, at: scene.other.session, 0, "nonsense", "all", "/x")
      },
      Case("DragSession.SetExpectedSize", "no such type, dropped", .noSuchRepresentation) {
        _, peer in call(Session.setExpectedSize, at: peer.dropping, 0, "a/b", 1)
      },
      Case("DragSession.SetExpectedSize", "another's, missing", denied) { scene, _ in
        call(Session.setExpectedSize, at: scene.other.session, 9, "a/b", 1)
      },
      Case("DragSession.SetAttributes", "malformed, another's", invalid) { scene, _ in
        call(Session.setAttributes, at: scene.other.session, 0, ["colour": Variant(.uint32(1))])
      },
      Case("DragSession.SetAttributes", "malformed, ended", invalid) { _, peer in
        call(Session.setAttributes, at: peer.ended, 0, ["name": Variant(.string("a\nb"))])
      },
      Case("DragSession.SetAttributes", "another's, missing", denied) { scene, _ in
        call(Session.setAttributes, at: scene.other.session, 9, [:])
      },
      Case("DragSession.Cancel", "another's, ended", denied) { scene, _ in
        call(Session.cancel, at: scene.other.ended)
      },
      Case("DragSession.CanLoad", "malformed, ended", invalid) { _, peer in
        call(Session.canLoad, at: peer.ended, "nonsense")
      },
      Case("DragSession.Accept", "malformed, another's name", invalid) { scene, peer in
        call(Session.accept, at: peer.ended, scene.other.client.name, "explode")
      },
      Case("DragSession.Accept", "ended, another's name", denied) { scene, peer in
        call(Session.accept, at: peer.ended, scene.other.client.name, "copy")
      },
      Case("DragSession.LoadText", "another's, missing", denied) { scene, _ in
        call(Session.loadText, at: scene.other.session, 9)
      },
      Case("DragSession.LoadData", "malformed, another's", invalid) { scene, _ in
        call(Session.loadData, at: scene.other.session, 0, "nonsense")
      },
      Case("DragSession.LoadFile", "malformed, ended", invalid) { _, peer in
        call(Session.loadFile, at: peer.ended, 0, "nonsense")
      },
      Case("DragSession.LoadToPipe", "not a pipe, ended", invalid) { _, peer in
        call(Session.loadToPipe, at: peer.ended, 0, "a/b", try TestFile.sealed([1]))
      },
      Case("DragSession.Finish", "another's, dropped", denied) { scene, _ in
        call(Session.finish, at: scene.other.dropping)
      },
      Case("DragSession.FinishItems", "another's, missing", denied) { scene, _ in
        call(Session.finishItems, at: scene.other.dropping, [9], [])
      },
    ]
  }

  private static var views: [Case] {
    [
      Case("View.Select", "another's, a row twice", invalid) { scene, _ in
        call(ViewInterface.select, at: scene.other.view, [scene.row, scene.row])
      },
      Case("View.Select", "another's, missing", denied) { scene, _ in
        call(ViewInterface.select, at: scene.other.view, [scene.unknown])
      },
      Case("View.Select", "missing, in edit mode", .noSuchItem) { scene, peer in
        call(ViewInterface.select, at: peer.view, [scene.unknown])
      },
      Case("View.SelectRow", "missing, in edit mode", invalid) { _, peer in
        call(ViewInterface.selectRow, at: peer.view, 9, 0)
      },
      Case("View.SelectRow", "another's, missing", denied) { scene, _ in
        call(ViewInterface.selectRow, at: scene.other.view, 9, 0)
      },
      Case("View.Reselect", "another's, in edit mode", denied) { scene, _ in
        call(ViewInterface.reselect, at: scene.other.view)
      },
      Case("View.Commit", "another's, in edit mode", denied) { scene, _ in
        call(ViewInterface.commit, at: scene.other.view)
      },
    ]
  }
}
