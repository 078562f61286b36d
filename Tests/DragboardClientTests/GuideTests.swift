import DragboardClient
import Foundation
import TestSupport
import Testing

/// The code in the library's documentation, run without changes.
@Suite("The guide")
struct GuideTests {
  @Test("Every line of code in the documentation is in this file")
  func isHere() throws {
    let code = Self.lines(try Checkout.text(of: "Tests/DragboardClientTests/GuideTests.swift"))
    for article in ["GettingStarted", "DraggingAndDropping"] {
      let document = try Document("Sources/DragboardClient/DragboardClient.docc/\(article).md")
      let blocks = document.sections.flatMap(\.blocks)
      #expect(blocks.count >= 5)
      for block in blocks { #expect(code.contains(Self.lines(block.code)), "\(block.code)") }
    }
  }

  /// Returns the lines of code without their indentation.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }

  /// This code is only compiled, because it would connect to the user's session bus.
  private func connect() async throws -> Board {
    let dragboard = try await DragboardConnection.connect()
    let board = try await dragboard.board(named: DragboardConnection.defaultBoard)
    return board
  }

  @Test("A board is edited, read and followed")
  func gettingStarted() async throws {
    let stage = try await Stage()
    let board = stage.board
    let ids = try await board.insert(["Call the garage", "Buy stamps"])
    try await board.move([ids[1]], toSection: 0, row: 0)
    try await board.setText(of: ids[0], to: "Call the garage on Monday")
    try await board.delete([ids[1]])
    try await board.history.undo()
    #expect(try await board.texts(count: 9) == ["Buy stamps", "Call the garage on Monday"])

    for row in try await board.page(count: 100).rows where row.types.contains(.plainText) {
      print(row.preview, try await board.text(of: row.id).count)
    }

    try await board.clear()
    for try await update in board.mirror() {
      print("revision", update.board.revision, "rows", update.board.count)
      if update.board.count == 0 { break }
    }

    do {
      try await board.history.redo()
    } catch {
      guard error.reason == .nothingToRedo else { throw error }
      print(error.message)
    }
  }

  @Test("A promise is dropped on the board")
  func dragToBoard() async throws {
    let stage = try await Stage()
    let (dragboard, board) = (stage.dragboard, stage.board)
    let report = DragItem(
      suggestedName: "report.txt",
      [
        .init(
          .plainText, .promise(Promise { writer in try writer.write(Array("All is well.".utf8)) }))
      ])
    let drag = try await dragboard.beginDrag([report])
    let session = drag.session
    let proposal = try await board.dropTarget.propose(session.id, at: 0)
    if proposal.operation.transfers {
      let result = try await board.dropTarget.perform(session.id, at: 0)
      print(result.operation, result.items)
    }
    let outcome = try await drag.outcome { event in print(event) }
    print(outcome.operation, outcome.loaded)
    #expect(outcome.loaded == [0])
    #expect(try await board.texts(count: 9) == ["All is well."])
  }

  @Test("A row is dragged to the end of its board")
  func moveRow() async throws {
    let stage = try await Stage()
    let board = stage.board
    try await board.insert(["a", "b"])
    let rows = try await board.page(count: 1).rows
    let drag = try await board.beginDrag(of: rows.map(\.id), as: "org.example.Notes")
    let result = try await board.dropTarget.perform(drag.session.id, as: "org.example.Notes")
    print(result.operation)
    #expect(try await board.texts(count: 9) == ["b", "a"])
  }

  @Test("A program accepts a drop itself")
  func accept() async throws {
    let stage = try await Stage()
    let drag = try await stage.another().beginDrag([.text("Lunch with Ada")])
    try await take(on: stage.dragboard)
    #expect(try await drag.outcome().operation == .copy)
    try await take(on: stage.dragboard)
  }

  private func take(on dragboard: DragboardConnection) async throws {
    guard let session = try await dragboard.latestSession(), try await session.canLoad(.plainText)
    else {
      return print("nothing of that kind is being dragged")
    }
    let drop = try await session.accept()
    print(try await drop.text(ofItem: 0))
    try await drop.finish()
  }
}
