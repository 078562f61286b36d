import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Boards")
struct BoardCollectionTests {
  @Test(
    "A board's path is its name, escaped as sd_bus_path_encode does",
    arguments: [
      ("work", "work"), ("a b", "a_20b"), ("7up", "_37up"), ("u_n", "u_5fn"), ("ü", "_c3_bc"),
      ("a7", "a7"), ("/", "_2f"), ("default2", "default2"),
      (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
    ])
  func paths(name: String, element: String) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let path = try client.board(name)
    #expect(path.text == "/org/dragboard/Dragboard1/board/\(element)")
    #expect(try client.call(ManagerInterface.getBoard, at: Dragboard.root, name) == path)
    #expect(try client.get(BoardInterface.boardName, at: path) == name)
    #expect(try client.get(ManagerInterface.boards, at: Dragboard.root) == [BusClient.board, path])
  }

  @Test("A new board is at revision 1, empty, with one section called main, and accepts every type")
  func fresh() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for path in [BusClient.board, try client.board("new")] {
      #expect(
        try client.contents(of: path)
          == BoardContents(revision: 1, sections: ["main"], rows: [[]], texts: [[]]))
      #expect(try client.get(BoardInterface.count, at: path) == 0)
      #expect(try client.get(BoardInterface.maxRows, at: path) == 0)
      #expect(try client.get(BoardInterface.movesMultipleRows, at: path) == false)
      #expect(try client.get(BoardInterface.acceptedTypes, at: path) == ["*/*"])
    }
  }

  @Test(
    "A board keeps its path when it is renamed; a new board whose path is taken gets _2, then _3")
  func takenPaths() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let first = try client.board("a")
    try client.insert(["x"], on: first)
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "a", "b")
    let second = try client.board("a")
    #expect(second.element == "a_2")
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "a", "c")
    #expect(try client.board("a").element == "a_3")
    #expect(try client.texts(of: first) == ["x"])
    #expect(try client.call(ManagerInterface.getBoard, at: Dragboard.root, "b") == first)
    #expect(try client.call(ManagerInterface.getBoard, at: Dragboard.root, "c") == second)
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(try later.call(ManagerInterface.getBoard, at: Dragboard.root, "b") == first)
    #expect(try later.texts(of: first) == ["x"])
    _ = try later.call(ManagerInterface.deleteBoard, at: Dragboard.root, "c")
    #expect(try later.board("d").element == "d")
  }

  @Test("Invalid, taken and unknown names of boards are refused; nothing changes")
  func names() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.board("a")
    _ = try client.board("b")
    _ = client.takeSignals()
    func rename(_ name: String, _ newName: String) throws {
      _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, name, newName)
    }
    for bad in ["", "two\nlines", "\u{1}", "\u{7F}", String(repeating: "é", count: 65)] {
      expect(.invalidArgs, naming: "name", "1 to 64") { _ = try client.board(bad) }
      expect(.invalidArgs, naming: "new_name", "1 to 64") { try rename("a", bad) }
    }
    expect(.boardExists, naming: "name", "b") { _ = try client.board("b") }
    expect(.boardExists, naming: "new_name", "b") { try rename("a", "b") }
    expect(.boardExists, naming: "new_name", "default") { try rename("a", "default") }
    expect(.noSuchBoard, naming: "name", "zz") { try rename("zz", "c") }
    expect(.noSuchBoard, naming: "name", "zz") {
      _ = try client.call(ManagerInterface.getBoard, at: Dragboard.root, "zz")
    }
    expect(.noSuchBoard, naming: "name", "zz") {
      _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "zz")
    }
    try rename("a", "a")
    #expect(client.takeSignals().isEmpty)
    #expect(
      try client.get(ManagerInterface.boards, at: Dragboard.root).map(\.element)
        == ["default", "a", "b"])
  }

  @Test("\"default\" can be neither renamed nor deleted, and no board takes its name")
  func defaultBoard() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.insert(["a"])
    let before = try client.contents()
    expect(.invalidArgs, naming: "name", "default") {
      _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "default", "x")
    }
    expect(.invalidArgs, naming: "name", "default") {
      _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "default")
    }
    expect(.boardExists, naming: "name", "default") { _ = try client.board("default") }
    #expect(try client.contents() == before)
  }

  @Test("A name that is equivalent to the old name changes nothing: the old form stays")
  func equivalentName() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let board = try client.board(composed)
    _ = try client.call(BoardInterface.renameSection, at: board, 0, composed)
    let row = try client.insert(["x"], on: board)[0]
    let revision = try client.call(BoardInterface.setItemName, at: board, row, composed)

    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, decomposed, decomposed)
    #expect(try client.call(BoardInterface.renameSection, at: board, 0, decomposed) == revision)
    #expect(try client.call(BoardInterface.setItemName, at: board, row, decomposed) == revision)
    let names = [
      try client.get(BoardInterface.boardName, at: board),
      try client.get(BoardInterface.sections, at: board)[0],
      try client.call(BoardInterface.getRows, at: board, 0, 0, 1).1[0].members.3.item.name,
    ]
    for name in names { #expect(Array(name.utf8) == Array(composed.utf8)) }
    expect(.boardExists, naming: "name") { _ = try client.board(decomposed) }
  }

  @Test("The rows of a deleted board are not found, not even on a new board with its name")
  func delete() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let board = try client.board("a")
    let row = try client.insert(["x"], on: board)[0]
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "a")
    expect(.unknownObject, naming: board.text) { _ = try client.contents(of: board) }
    #expect(try client.board("a") == board)
    #expect(try client.texts(of: board) == [])
    expect(.noSuchItem, naming: "item") {
      _ = try client.call(BoardInterface.getText, at: board, row)
    }
    #expect(try client.insert(["x"], on: board) != [row])
  }

  @Test("PropertiesChanged reports Boards, Name, MaxRows, AcceptedTypes and MovesMultipleRows")
  func told() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let board = try client.board("a")
    #expect(
      try client.takeChanges(of: "Boards", at: Dragboard.root)
        == [.array(of: "o", [.objectPath(BusClient.board), .objectPath(board)])])
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "a", "b")
    #expect(try client.takeChanges(of: "Name", at: board) == [.string("b")])
    for _ in 0..<2 { try client.set(BoardInterface.maxRows, to: Variant(.uint32(7)), at: board) }
    #expect(try client.takeChanges(of: "MaxRows", at: board) == [.uint32(7)])
    for _ in 0..<2 { try client.set(BoardInterface.movesMultipleRows, to: true, at: board) }
    #expect(try client.takeChanges(of: "MovesMultipleRows", at: board) == [.boolean(true)])
    for _ in 0..<2 { try client.set(BoardInterface.retainRows, to: Variant(.uint32(7)), at: board) }
    #expect(try client.takeChanges(of: "RetainRows", at: board) == [.uint32(7)])
    for _ in 0..<2 {
      try client.set(BoardInterface.retainSeconds, to: Variant(.uint32(8)), at: board)
    }
    #expect(try client.takeChanges(of: "RetainSeconds", at: board) == [.uint32(8)])
    for _ in 0..<2 { try client.set(BoardInterface.movesDuplicates, to: true, at: board) }
    #expect(try client.takeChanges(of: "MovesDuplicates", at: board) == [.boolean(true)])
    for _ in 0..<2 { _ = try client.call(BoardInterface.setAcceptedTypes, at: board, ["text/*"]) }
    #expect(
      try client.takeChanges(of: "AcceptedTypes", at: board)
        == [.array(of: "s", [.string("text/*")])])
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "b")
    #expect(
      try client.takeChanges(of: "Boards", at: Dragboard.root)
        == [.array(of: "o", [.objectPath(BusClient.board)])])
  }

  @Test(
    "Boards, names, settings, sections, flags and rows survive a crash", arguments: [true, false])
  func durability(crash: Bool) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let board = try client.board("a")
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "a", "bé")
    _ = try client.call(BoardInterface.insertSection, at: board, "late", 0)
    let rows = try client.insert(["x", "y"], section: 1, on: board)
    _ = try client.call(BoardInterface.setEditable, at: board, rows[0], false)
    _ = try client.call(BoardInterface.setMovable, at: board, rows[1], false)
    _ = try client.call(BoardInterface.setPinned, at: board, rows[1], true)
    _ = try client.call(BoardInterface.setAcceptedTypes, at: board, ["text/*", "image/png"])
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(9)), at: board)
    try client.set(BoardInterface.movesMultipleRows, to: true, at: board)
    try client.set(BoardInterface.retainRows, to: Variant(.uint32(90)), at: board)
    try client.set(BoardInterface.retainSeconds, to: Variant(.uint32(86_400)), at: board)
    try client.set(BoardInterface.movesDuplicates, to: true, at: board)
    _ = try client.call(BoardInterface.setAcceptedTypes, [])
    let state = try client.contents(of: board)
    let attributes = try client.rows(1, of: board).map(\.attributes)
    if crash { daemon.kill() } else { _ = daemon.terminate() }
    try daemon.start()
    let later = try daemon.client()
    #expect(try later.contents(of: board) == state)
    #expect(try later.rows(1, of: board).map(\.attributes) == attributes)
    #expect(try later.get(BoardInterface.boardName, at: board) == "bé")
    #expect(try later.get(BoardInterface.acceptedTypes, at: board) == ["text/*", "image/png"])
    #expect(try later.get(BoardInterface.maxRows, at: board) == 9)
    #expect(try later.get(BoardInterface.movesMultipleRows, at: board))
    #expect(try later.get(BoardInterface.retainRows, at: board) == 90)
    #expect(try later.get(BoardInterface.retainSeconds, at: board) == 86_400)
    #expect(try later.get(BoardInterface.movesDuplicates, at: board))
    #expect(try later.get(BoardInterface.acceptedTypes) == [])
    #expect(try later.get(ManagerInterface.boards, at: Dragboard.root) == [BusClient.board, board])
  }
}
