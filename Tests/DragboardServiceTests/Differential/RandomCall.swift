import DBus
import DragboardInterface
import TestSupport

/// A call that can be sent to either of two services.
struct RandomCall {
  let name: String
  /// Returns the call with the names of the first service (0) or the second (1).
  let message: (Int) -> OutgoingMessage

  init(_ name: String, _ message: @escaping (Int) -> OutgoingMessage) {
    (self.name, self.message) = (name, message)
  }
}

/// Makes random calls, most of which succeed.
struct RandomCalls {
  var numbers: SplitMix64

  static let boardNames = ["default", "one", "two", "three"]
  static let boards = boardNames.map(Dragboard.boardPath)
  private static let texts = ["alpha", "beta alpha", "gamma", "delta beta"]

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &numbers) }
  private mutating func text() -> String { Self.texts[number(0...3)] }
  private mutating func row() -> UInt32 { UInt32(number(0...5)) }
  private mutating func bool() -> Bool { number(0...1) == 1 }
  /// Returns the board "default" in half of the calls.
  private mutating func board() -> ObjectPath { Self.boards[max(0, number(-3...3))] }
  /// Returns one of the latest names, or a name that refers to nothing.
  private mutating func pick(_ names: [Pairing.Pair], of latest: Int, or none: String)
    -> Pairing.Pair
  {
    names.suffix(latest).randomElement(using: &numbers) ?? [none, none]
  }
  private mutating func item(_ pairing: Pairing) -> Pairing.Pair {
    pick(pairing.items, of: 12, or: "none")
  }

  /// Returns a call of a random kind.
  mutating func next(_ pairing: Pairing) -> RandomCall {
    switch number(0...9) {
    case 0...2: edit(pairing)
    case 3, 4: read(pairing)
    case 5, 6: drag(pairing)
    case 7, 8: view(pairing)
    default: manage()
    }
  }

  private mutating func edit(_ pairing: Pairing) -> RandomCall {
    let (board, text, row, item, flag) = (board(), text(), row(), item(pairing), bool())
    switch number(0...17) {
    case 0...4:
      return RandomCall("InsertText") { _ in call(BoardInterface.insertText, at: board, 0, -1, text)
      }
    case 5:
      return RandomCall("InsertTexts") { _ in
        call(BoardInterface.insertTexts, at: board, 0, 0, [text, "x"])
      }
    case 6:
      return RandomCall("MoveRow") { _ in call(BoardInterface.moveRow, at: board, 0, row, 0, 1) }
    case 7:
      return RandomCall("DeleteRow") { _ in call(BoardInterface.deleteRow, at: board, 0, row) }
    case 8: return RandomCall("SetText") { call(BoardInterface.setText, at: board, item[$0], text) }
    case 9:
      return RandomCall("SetMovable") { call(BoardInterface.setMovable, at: board, item[$0], flag) }
    case 10:
      return RandomCall("DeleteItems") { call(BoardInterface.deleteItems, at: board, [item[$0]]) }
    case 11:
      return RandomCall("InsertSection") { _ in
        call(BoardInterface.insertSection, at: board, text, -1)
      }
    case 12:
      return RandomCall("DeleteSection") { _ in call(BoardInterface.deleteSection, at: board, 1) }
    case 13:
      return RandomCall("SetAcceptedTypes") { _ in
        call(BoardInterface.setAcceptedTypes, at: board, flag ? ["text/plain"] : [])
      }
    case 14:
      return RandomCall("Set MaxRows") { _ in
        setting(BoardInterface.maxRows, to: Variant(.uint32(40 + row)), at: board)
      }
    case 15:
      return RandomCall("SetPinned") { call(BoardInterface.setPinned, at: board, item[$0], flag) }
    case 16: return RandomCall("Redo") { _ in call(BoardInterface.redo, at: board) }
    default: return RandomCall("Undo") { _ in call(BoardInterface.undo, at: board) }
    }
  }

  private mutating func read(_ pairing: Pairing) -> RandomCall {
    let (board, text, row, item) = (board(), text(), row(), item(pairing))
    switch number(0...6) {
    case 0:
      return RandomCall("GetTexts") { _ in call(BoardInterface.getTexts, at: board, 0, 0, 100) }
    case 1:
      return RandomCall("GetIndexPath") { call(BoardInterface.getIndexPath, at: board, item[$0]) }
    case 2: return RandomCall("Search") { _ in call(BoardInterface.search, at: board, text, 100) }
    case 3:
      return RandomCall("GetChanges") { _ in call(BoardInterface.getChanges, at: board, UInt64(row))
      }
    case 4: return RandomCall("GetText") { call(BoardInterface.getText, at: board, item[$0]) }
    case 5: return RandomCall("Get Count") { _ in getting(BoardInterface.count, at: board) }
    default:
      return RandomCall("Get Sessions") { _ in
        getting(ManagerInterface.sessions, at: Dragboard.root)
      }
    }
  }

  private mutating func drag(_ pairing: Pairing) -> RandomCall {
    let (board, text, row, item) = (board(), text(), row(), item(pairing))
    let session = pick(pairing.sessions, of: 4, or: Dragboard.sessionPath(1 << 40).text)
      .map(ObjectPath.init(unchecked:))
    switch number(0...10) {
    case 0, 1:
      return RandomCall("BeginTextDrag") { _ in
        call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.source", [text])
      }
    case 2:
      return RandomCall("BeginDrag") {
        call(DragSourceInterface.beginDrag, at: board, "org.source", [item[$0]])
      }
    case 3:
      return RandomCall("BeginRowDrag") { _ in
        call(DragSourceInterface.beginRowDrag, at: board, "org.source", 0, row)
      }
    case 4:
      return RandomCall("AddText") { call(DragSessionInterface.addText, at: session[$0], text) }
    case 5: return RandomCall("Cancel") { call(DragSessionInterface.cancel, at: session[$0]) }
    case 6:
      return RandomCall("ProposeDrop") {
        call(DropTargetInterface.proposeDrop, at: board, session[$0], "org.target", 0, -1)
      }
    case 7:
      return RandomCall("ExitDrop") {
        call(DropTargetInterface.exitDrop, at: board, session[$0], "org.target")
      }
    case 8: return RandomCall("Get State") { getting(DragSessionInterface.state, at: session[$0]) }
    default:
      return RandomCall("PerformDrop") {
        call(DropTargetInterface.performDrop, at: board, session[$0], "org.target", 0, -1)
      }
    }
  }

  private mutating func view(_ pairing: Pairing) -> RandomCall {
    let (board, row, item, flag) = (board(), row(), item(pairing), bool())
    let view = pick(pairing.views, of: 4, or: Dragboard.viewPath(1 << 40).text)
      .map(ObjectPath.init(unchecked:))
    switch number(0...8) {
    case 0, 1:
      return RandomCall("OpenView") { _ in call(ViewsInterface.openView, at: board, "org.viewer") }
    case 2: return RandomCall("Select") { call(ViewInterface.select, at: view[$0], [item[$0]]) }
    case 3: return RandomCall("SelectRow") { call(ViewInterface.selectRow, at: view[$0], 0, row) }
    case 4: return RandomCall("SetReselect") { call(ViewInterface.setReselect, at: view[$0]) }
    case 5: return RandomCall("Commit") { call(ViewInterface.commit, at: view[$0]) }
    case 6: return RandomCall("SetEditing") { call(ViewInterface.setEditing, at: view[$0], flag) }
    case 7: return RandomCall("Get Pending") { getting(ViewInterface.pending, at: view[$0]) }
    default: return RandomCall("Close") { call(ViewInterface.close, at: view[$0]) }
    }
  }

  private mutating func manage() -> RandomCall {
    let (name, other) = (Self.boardNames[number(1...3)], Self.boardNames[number(1...3)])
    switch number(0...5) {
    case 0, 1:
      return RandomCall("CreateBoard") { _ in
        call(ManagerInterface.createBoard, at: Dragboard.root, name)
      }
    case 2:
      return RandomCall("RenameBoard") { _ in
        call(ManagerInterface.renameBoard, at: Dragboard.root, name, other)
      }
    case 3:
      return RandomCall("DeleteBoard") { _ in
        call(ManagerInterface.deleteBoard, at: Dragboard.root, name)
      }
    case 4:
      return RandomCall("DiscardBoard") { _ in
        call(ManagerInterface.discardBoard, at: Dragboard.root, name, 0)
      }
    default:
      return RandomCall("Get Boards") { _ in getting(ManagerInterface.boards, at: Dragboard.root) }
    }
  }
}
