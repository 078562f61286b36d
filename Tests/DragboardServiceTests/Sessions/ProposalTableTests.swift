import DBus
import DragboardInterface
import TestSupport
import Testing

/// The table of the effects of a drop in the specification, row by row.
@Suite("The effect of a drop on a board")
struct ProposalTableTests {
  private static let restricted: [DropCase] = [
    .forbids("restricted to its source, dropped by another", by: "org.target") { client, _ in
      let session = try client.drag(["x"])
      try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
      return session
    },
    .copies(
      "restricted to its source, dropped by it", by: "org.source", to: "0.4",
      texts: ["a", "b", "c", "d", "x"]
    ) { client, _ in
      let session = try client.drag(["x"])
      try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
      return session
    },
    .moves(
      "restricted, a row moved by its source", at: 0, to: "0.0", texts: ["b", "a", "c", "d"]
    ) { client, rows in
      let session = try client.drag(rows: [rows[1]])
      try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
      return session
    },
  ]

  private static let cancelled: [DropCase] = [
    .cancels("two rows, of which only one may be moved at a time") { client, rows in
      try client.drag(rows: [rows[0], rows[2]])
    },
    .cancels("a row and an item that is none, of which only one may be moved") { client, rows in
      let session = try client.drag(rows: [rows[0]])
      _ = try client.call(DragSessionInterface.addText, at: session, "x")
      return session
    },
    .cancels("two rows, one not movable, of which only one may be moved") { client, rows in
      _ = try client.call(BoardInterface.setMovable, rows[0], false)
      return try client.drag(rows: [rows[0], rows[2]])
    },
    .cancels("a row that may not be moved by this drag") { client, rows in
      let session = try client.drag(rows: [rows[0]])
      try client.set(DragSessionInterface.allowsMove, to: false, at: session)
      return session
    },
    .cancels("a row that is not movable, and may not be moved by this drag") { client, rows in
      _ = try client.call(BoardInterface.setMovable, rows[0], false)
      let session = try client.drag(rows: [rows[0]])
      try client.set(DragSessionInterface.allowsMove, to: false, at: session)
      return session
    },
  ]

  private static let forbiddenMoves: [DropCase] = [
    .forbids("a row and an item that is none", by: "org.source") { client, rows in
      try client.set(BoardInterface.movesMultipleRows, to: true)
      let session = try client.drag(rows: [rows[0]])
      _ = try client.call(DragSessionInterface.addText, at: session, "x")
      return session
    },
    .forbids("a deleted row", by: "org.source", leaving: ["b", "c", "d"]) { client, rows in
      let session = try client.drag(rows: [rows[0]])
      _ = try client.call(BoardInterface.deleteRow, 0, 0)
      return session
    },
    .forbids(
      "two rows, one of them deleted", by: "org.source", leaving: ["b", "c", "d"]
    ) { client, rows in
      try client.set(BoardInterface.movesMultipleRows, to: true)
      let session = try client.drag(rows: [rows[0], rows[2]])
      _ = try client.call(BoardInterface.deleteRow, 0, 0)
      return session
    },
    .forbids("a row that is not movable", by: "org.source") { client, rows in
      let session = try client.drag(rows: [rows[0]])
      _ = try client.call(BoardInterface.setMovable, rows[0], false)
      return session
    },
  ]

  private static let moved: [DropCase] = [
    .moves("a row to a place behind it", at: 2, to: "0.2", texts: ["b", "c", "a", "d"]) {
      client, rows in try client.drag(rows: [rows[0]])
    },
    .moves("a row by its index path", at: 0, to: "0.0", texts: ["d", "a", "b", "c"]) { client, _ in
      try client.call(DragSourceInterface.beginRowDrag, "org.source", 0, 3)
    },
    .moves("a row without a destination", to: "0.3", texts: ["b", "c", "d", "a"]) { client, rows in
      try client.drag(rows: [rows[0]])
    },
    .moves("a row to where it is", at: 1, to: "0.1", texts: ["a", "b", "c", "d"]) { client, rows in
      try client.drag(rows: [rows[1]])
    },
    .moves(
      "several rows on a board that allows it", at: 1, to: "0.1", texts: ["b", "d", "a", "c"]
    ) { client, rows in
      try client.set(BoardInterface.movesMultipleRows, to: true)
      return try client.drag(rows: [rows[3], rows[0]])
    },
    .moves(
      "several rows without a destination", to: "0.2", texts: ["b", "d", "c", "a"]
    ) { client, rows in
      try client.set(BoardInterface.movesMultipleRows, to: true)
      return try client.drag(rows: [rows[2], rows[0]])
    },
    .moves(
      "a row on a board that is as full as it may be", at: 0, to: "0.0",
      texts: ["c", "a", "b", "d"]
    ) { client, rows in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(2)))
      return try client.drag(rows: [rows[2]])
    },
    .moves(
      "a row of a type that the board does not accept", to: "0.3", texts: ["b", "c", "d", "a"]
    ) {
      client, rows in
      _ = try client.call(BoardInterface.setAcceptedTypes, ["image/png"])
      return try client.drag(rows: [rows[0]])
    },
  ]

  private static let refusedCopies: [DropCase] = [
    .forbids("no item", by: "org.target") { client, _ in try client.beginDrag() },
    .forbids("an item of a type that the board does not accept", by: "org.target") { client, _ in
      try client.call(BoardInterface.setAcceptedTypes, ["text/plain"])
      let session = try client.beginDrag()
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      try client.register("text/html", "<b>", of: session)
      return session
    },
    .forbids("an item that not everybody may see", by: "org.source") { client, _ in
      let session = try client.beginDrag()
      for (item, visibility) in ["team", "group", "own-process"].enumerated() {
        _ = try client.call(DragSessionInterface.addItem, at: session, "")
        try client.register(
          "public.utf8-plain-text", "x", visibility: visibility, item: UInt32(item), of: session)
      }
      return session
    },
    .forbids("more items than the board has room for", by: "org.target") { client, _ in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(5)))
      return try client.drag(["x", "y"])
    },
    .forbids("an item, and a board that holds more than it may", by: "org.target") { client, _ in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(3)))
      return try client.drag(["x"])
    },
  ]

  private static let copied: [DropCase] = [
    .copies("texts at a row", at: 1, to: "0.1", texts: ["a", "x", "y", "b", "c", "d"]) {
      client, _ in try client.drag(["x", "y"])
    },
    .copies("texts before all rows", at: 0, to: "0.0", texts: ["x", "a", "b", "c", "d"]) {
      client, _ in try client.drag(["x"])
    },
    .copies("texts behind all rows", at: 4, to: "0.4", texts: ["a", "b", "c", "d", "x"]) {
      client, _ in try client.drag(["x"])
    },
    .copies(
      "items, of which only those count that are accepted", to: "0.4",
      texts: ["a", "b", "c", "d", "x"]
    ) { client, _ in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(5)))
      let session = try client.beginDrag()
      _ = try client.call(DragSessionInterface.addItem, at: session, "")
      _ = try client.call(DragSessionInterface.addText, at: session, "x")
      return session
    },
    .copies(
      "rows of this board, dragged by another application", to: "0.4",
      texts: ["a", "b", "c", "d", "c", "a"]
    ) { client, rows in try client.drag(rows: [rows[2], rows[0]]) },
    .copies(
      "a row that may not be moved by this drag, dropped by another application", to: "0.4",
      texts: ["a", "b", "c", "d", "a"]
    ) { client, rows in
      let session = try client.drag(rows: [rows[0]])
      try client.set(DragSessionInterface.allowsMove, to: false, at: session)
      return session
    },
    .copies(
      "a deleted row, dropped by another application", at: 0, to: "0.0",
      texts: ["b", "a", "c", "d"]
    ) { client, rows in
      let session = try client.drag(rows: [rows[1]])
      _ = try client.call(BoardInterface.deleteItems, [rows[1]])
      return session
    },
  ]

  @Test(
    "A drop has the proposed effect, and a proposal changes nothing",
    arguments: restricted + cancelled + forbiddenMoves + moved + refusedCopies + copied)
  func row(_ row: DropCase) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try row.begin(client, try client.insert(["a", "b", "c", "d"]))
    let before = try client.contents()
    let proposal = try client.propose(session, as: row.application, row: row.row)
    #expect(proposal.description == row.proposal)
    #expect(try client.standing(of: session) == "active \(proposal.operation)")
    #expect(try client.contents() == before)

    let ids = try client.rows().map(\.id)
    let result = try client.drop(session, as: row.application, row: row.row)
    #expect(result.operation == proposal.operation)
    #expect(try client.texts() == row.texts)
    let isDone = ["copy", "move"].contains(result.operation)
    let rows = try client.rows().map(\.id)
    #expect(
      result.items == (isDone ? Array(rows[Int(proposal.row)...].prefix(result.items.count)) : []))
    #expect(result.items.isEmpty != isDone)
    #expect(Set(result.items).isSubset(of: ids) == (result.operation != "copy"))
    if !isDone { #expect(try client.contents() == before) }
    let state = result.operation == "forbidden" ? "active" : "ended"
    #expect(try client.standing(of: session) == "\(state) \(result.operation)")
  }

  @Test("A drop does not depend on earlier proposals")
  func decidesAfresh() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b"])
    let session = try client.drag(rows: [rows[0]])
    #expect(try client.propose(session, as: "org.source").operation == "move")
    _ = try client.call(BoardInterface.setMovable, rows[0], false)
    #expect(
      try client.drop(session, as: "org.source") == DropResult(operation: "forbidden", items: []))
    #expect(try client.texts() == ["a", "b"])
  }

  @Test("CanHandle is true for rows of the board, and for items with an accepted public type")
  func canHandle() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a"])
    _ = try client.call(BoardInterface.setAcceptedTypes, ["text/html"])
    func canHandle(_ session: ObjectPath) throws -> Bool {
      try client.call(DropTargetInterface.canHandle, session)
    }
    #expect(try canHandle(client.drag(rows: rows)))
    #expect(try !canHandle(client.drag(["x"])))
    #expect(try !canHandle(client.beginDrag()))
    let session = try client.drag(["x", "y"])
    try client.register("text/html", "<b>", visibility: "team", item: 0, of: session)
    #expect(try !canHandle(session))
    try client.register("text/html", "<b>", item: 1, of: session)
    #expect(try canHandle(session))
    try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
    #expect(try canHandle(session))
    let other = try client.board("other")
    #expect(try client.call(DropTargetInterface.canHandle, at: other, client.drag(rows: rows)))
    _ = try client.call(BoardInterface.setAcceptedTypes, at: other, ["text/html"])
    #expect(
      try client.call(DropTargetInterface.canHandle, at: other, client.drag(rows: rows)) == false)
  }
}
