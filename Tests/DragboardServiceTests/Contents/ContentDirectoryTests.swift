import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The directory of contents")
struct ContentDirectoryTests {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon("--undo-steps", "1")
    client = try daemon.client()
  }

  private static let large = String(repeating: "large ", count: 20_000)
  private static let larger = String(repeating: "larger ", count: 20_000)

  @Test("Contents above 64 KiB are in files, smaller ones are not")
  func files() throws {
    try client.insert([String(repeating: "x", count: 64 << 10)])
    #expect(try contentFiles(in: daemon.bus) == [])
    try client.insert([Self.large, Self.large])
    #expect(try contentFiles(in: daemon.bus).count == 2)
    _ = try client.call(BoardInterface.insertText, 0, 0, Self.large)
    try client.drop(client.drag([Self.large]))
    _ = try client.call(
      BoardInterface.insertFile, 0, -1, "UTF8_STRING", TestFile.memory(Array(Self.large.utf8)))
    _ = try client.call(
      BoardInterface.insertFile, 0, -1, "image/png", TestFile.sealed(Array(Self.large.utf8)))
    try client.waitForContentFiles(6, on: daemon.bus)
  }

  @Test("A row that is dragged to another board shares its file with the copy there")
  func shared() throws {
    let rows = try client.insert([Self.large])
    let file = try contentFiles(in: daemon.bus)
    let other = try client.board("other")
    try client.drop(client.drag(rows: rows), on: other)
    #expect(try contentFiles(in: daemon.bus) == file)
    _ = try client.call(BoardInterface.deleteItems, rows)
    try client.forgetUndo()
    let (_, copies) = try client.call(BoardInterface.getRows, at: other, 0, 0, 1)
    #expect(copies.count == 1)
    #expect(try contentFiles(in: daemon.bus) == file)
  }

  @Test("A file is removed only when neither a row nor an undo needs it")
  func removal() throws {
    let rows = try client.insert([Self.large, Self.large, Self.larger, "small"])
    #expect(try contentFiles(in: daemon.bus).count == 3)
    _ = try client.call(BoardInterface.deleteItems, [rows[0]])
    _ = try client.call(BoardInterface.setText, rows[2], "small")
    _ = try client.call(BoardInterface.undo)
    expect(try client.texts(), are: [Self.large, Self.larger, "small"])
    _ = try client.call(BoardInterface.redo)
    try client.forgetUndo()
    try client.waitForContentFiles(1, on: daemon.bus)
    expect(try client.call(BoardInterface.getText, rows[1]), is: Self.large)
    _ = try client.call(BoardInterface.setText, rows[3], Self.large)
    _ = try client.call(BoardInterface.deleteItems, [rows[1]])
    try client.forgetUndo()
    expect(try client.texts(), are: ["small", Self.large])
    let other = try client.board("other")
    try client.insert([Self.larger], on: other)
    try client.waitForContentFiles(2, on: daemon.bus)
    try client.deleteBoard("other")
    expect(try client.texts(of: client.restoreBoard("other")), are: [Self.larger])
    try client.deleteBoard("other")
    try client.forgetDeletedBoards()
    try client.waitForContentFiles(1, on: daemon.bus)
    _ = try client.call(BoardInterface.clear)
    _ = try client.call(BoardInterface.undo)
    expect(try client.texts(), are: ["small", Self.large])
    _ = try client.call(BoardInterface.clear)
    try client.forgetUndo()
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("The content of a dragged row can be loaded after the row was changed or deleted")
  func draggedRows() throws {
    let rows = try client.insert([Self.large, Self.larger, "small"])
    let session = try client.drag(rows: rows, as: "")
    _ = try client.call(BoardInterface.setText, rows[0], "changed")
    _ = try client.call(BoardInterface.setText, rows[0], "changed again")
    _ = try client.call(BoardInterface.deleteItems, rows)
    try client.forgetUndo()
    for (item, text) in [Self.large, Self.larger, "small"].enumerated() {
      expect(try client.loadText(UInt32(item), of: session), is: text)
    }
    let destination = try daemon.client()
    try destination.accept(session)
    for (item, text) in [Self.large, Self.larger, "small"].enumerated() {
      let file = try destination.loadFile("text/plain", item: UInt32(item), of: session)
      expect(TestFile.rest(of: file), are: Array(text.utf8))
      expect(try destination.loadText(UInt32(item), of: session), is: text)
    }
    #expect(try contentFiles(in: daemon.bus).count == 2)
    try destination.finish(session)
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("A row that was deleted during its drag can be dropped on another board")
  func draggedToAnotherBoard() throws {
    let other = try client.board("other")
    let rows = try client.insert([Self.large])
    let session = try client.drag(rows: rows)
    _ = try client.call(BoardInterface.deleteItems, rows)
    try client.forgetUndo()
    try client.drop(session, on: other)
    expect(try client.texts(of: other), are: [Self.large])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    expect(try later.texts(of: other), are: [Self.large])
    try later.waitForContentFiles(1, on: daemon.bus)
  }

  @Test("The contents of a drag without a drop are removed when it ends, or when the daemon ends")
  func draggedOnly() throws {
    let session = try client.drag([Self.large])
    let item = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.register("image/png", Self.larger, item: item, of: session)
    expect(try client.loadText(of: session), is: Self.large)
    try client.waitForContentFiles(2, on: daemon.bus)
    try client.cancel(session)
    try client.waitForContentFiles(0, on: daemon.bus)
    _ = try client.drag([Self.large])
    try client.waitForContentFiles(1, on: daemon.bus)
    daemon.kill()
    try daemon.start()
    try daemon.client().waitForContentFiles(0, on: daemon.bus)
  }
}
