import DBus
import DragboardInterface
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Large texts")
struct LargeTextTests {
  let daemon: Daemon
  let client: BusClient
  /// Faults of the disk in the files of large contents.
  let disk: Refuser

  init() throws {
    disk = try Refuser()
    let bus = try PrivateBus()
    daemon = try Daemon(
      ["--undo-steps", "1"],
      environment: disk.environment(bus.home.path + "/data/dragboard/contents"), on: bus)
    client = try daemon.client()
  }

  /// Sends two calls.
  ///
  /// The first call writes a large text to the disk, so the second call must be answered before the
  /// first.
  ///
  /// - Returns: the answer to the first call.
  private func answer(
    to first: OutgoingMessage, overtakenBy second: OutgoingMessage
  ) throws -> Result<Message, DBusError> {
    disk.hold(.syncs)
    defer { disk.relent() }
    let outstanding = client.send([first])
    try client.wait(for: second)
    #expect(outstanding.answered == 0)
    disk.relent()
    client.connection.loop.wait { outstanding.answered == 1 }
    return try #require(outstanding.answers[0])
  }

  /// Returns a text of more than 64 KiB that begins with a title.
  private static func text(_ title: String) -> String {
    "\(title)\n" + String(repeating: "né ", count: 25_000)
  }

  @Test("Every way to insert a text stores the whole text, with its first line as the preview")
  func ways() throws {
    let texts = (0..<6).map { Self.text("title \($0)") }
    _ = try client.call(BoardInterface.insertText, 0, -1, texts[0])
    try client.insert(["small", texts[1], texts[2], ""])
    try client.drop(client.drag([texts[3], "small"]))
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addText, at: session, texts[4])
    try client.drop(session)
    let row = try client.insert(["small"])[0]
    _ = try client.call(BoardInterface.setText, row, texts[5])
    let all = [texts[0], "small", texts[1], texts[2], "", texts[3], "small", texts[4], texts[5]]
    expect(try client.texts(), are: all)
    let previews = all.map { String($0.prefix { $0 != "\n" }) }
    #expect(try client.rows().map(\.preview) == previews)
    expect(try client.call(BoardInterface.getText, row), is: texts[5])
    expect(try client.call(BoardInterface.getData, row, "text/plain"), are: Array(texts[5].utf8))
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    expect(try later.texts(), are: all)
    #expect(try later.rows().map(\.preview) == previews)
  }

  @Test("A text of any size is loaded from a drag unchanged, promised or not")
  func drags() throws {
    let texts = [Self.text("0"), "small", Self.text("2"), ""]
    let session = try client.drag(texts)
    #expect(try client.call(DragSessionInterface.addText, at: session, Self.text("4")) == 4)
    let item = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.call(DragSessionInterface.registerText, at: session, item, Self.text("5"))
    let all = texts + [Self.text("4"), Self.text("5")]
    for _ in 0..<2 {
      for (item, text) in all.enumerated() {
        expect(try client.loadText(UInt32(item), of: session), is: text)
        let file = try client.loadFile("text/plain", item: UInt32(item), of: session)
        expect(TestFile.rest(of: file), are: Array(text.utf8))
      }
    }
  }

  @Test(
    "A preview is the first line that is not blank, however far into the text, cut to 200 scalars")
  func previews() throws {
    let rest = String(repeating: "x", count: 70_000)
    let cases: [(text: String, preview: String)] = [
      (rest, String(repeating: "x", count: 200)),
      (" \t title \r\n\(rest)", "title"),
      ("\(String(repeating: "\n", count: 300_000))title\n\(rest)", "title"),
      ("\(String(repeating: " ", count: 300_000))title", "title"),
      ("\(String(repeating: "\u{3000}", count: 200_000)) title", "title"),
      ("\u{3000}\n\(String(repeating: " \u{2003}\r\n", count: 70_000))title\n", "title"),
      (String(repeating: "\u{A0}\n", count: 200_000), ""),
      (String(repeating: " ", count: 300_000), ""),
      // the title crosses the end of the part that is read at once
      (String(repeating: " ", count: (256 << 10) - 2) + "title\n" + rest, "title"),
      (String(repeating: " ", count: (256 << 10) - 1) + "éa\n" + rest, "éa"),
      (String(repeating: " ", count: (256 << 10) - 1) + "\u{3000}a\n" + rest, "a"),
      (String(repeating: "😀", count: 70_000), String(repeating: "😀", count: 200)),
      ("a\0b\n\(rest)", "a\u{FFFD}b"),
      // if white space at the cut ends the line, the preview omits it; otherwise the preview keeps
      // it
      ("a\(String(repeating: " ", count: 300_000))\nb", "a"),
      ("a\(String(repeating: " ", count: 300_000))b", "a" + String(repeating: " ", count: 199)),
    ]
    let data = cases.map { Array($0.text.utf8) }
    for bytes in data {
      _ = try client.call(BoardInterface.insertFile, 0, -1, "UTF8_STRING", TestFile.sealed(bytes))
      _ = try client.call(BoardInterface.insertData, 0, -1, "UTF8_STRING", bytes)
    }
    let previews = try client.rows().map(\.preview)
    for (number, (_, preview)) in cases.enumerated() {
      #expect(previews[2 * number] == preview, "case \(number), a file")
      #expect(previews[2 * number + 1] == preview, "case \(number), bytes")
    }
  }

  @Test("SetText makes a revision only if the text differs")
  func setText() throws {
    let row = try client.insert(["small"])[0]
    let (first, second) = (Self.text("title"), Self.text("other"))
    #expect(first.utf8.count == second.utf8.count)
    for (text, revision) in [
      (first, 3), (first, 3), (second, 4), (second, 4), ("small", 5), (first, 6),
    ] as [(String, UInt64)] {
      #expect(try client.call(BoardInterface.setText, row, text) == revision)
      expect(try client.texts(), are: [text])
    }
    #expect(client.takeWords().count { $0.hasPrefix("Changed") } == 5)
  }

  @Test("Edits of the same row that arrive while a large text is written keep their order")
  func setTextPipelined() throws {
    let row = try client.insert(["small"])[0]
    let answers = client.answers(to: [
      call(BoardInterface.setText, row, Self.text("first")),
      call(BoardInterface.setText, row, Self.text("second")),
      call(BoardInterface.setText, row, Self.text("third")),
    ])
    let revisions = try answers.map { try $0.get().arguments(as: UInt64.self) }
    #expect(revisions == [3, 4, 5])
    #expect(try client.rows()[0].preview == "third")
    let lost = try answer(
      to: call(BoardInterface.setText, row, Self.text("lost")),
      overtakenBy: call(BoardInterface.deleteItems, [row]))
    expect(.noSuchItem, naming: "item") { _ = try lost.get() }
    #expect(try client.rows().isEmpty)
    try client.forgetUndo()
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test(
    "ReplaceText refuses a text if the board has changed since the base, also while it is written",
    arguments: ["mine", Self.text("mine")])
  func replaceText(text: String) throws {
    let row = try client.insert(["small"])[0]
    expect(.staleRevision, naming: "base") {
      _ = try client.call(BoardInterface.replaceText, 1, row, text)
    }
    #expect(try client.call(BoardInterface.replaceText, 2, row, text) == 3)
    let lost = try answer(
      to: call(BoardInterface.replaceText, 3, row, Self.text("lost")),
      overtakenBy: call(BoardInterface.setItemName, row, "theirs"))
    expect(.staleRevision, naming: "base") { _ = try lost.get() }
    expect(try client.texts(), are: [text])
    #expect(try client.call(BoardInterface.replaceText, 0, row, "any") == 5)
  }

  @Test("The text with which a large text was compared is removed with its row")
  func comparedText() throws {
    let row = try client.insert([Self.text("title")])[0]
    _ = try client.call(BoardInterface.setText, row, Self.text("other"))
    _ = try client.call(BoardInterface.deleteItems, [row])
    try client.forgetUndo()
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("A row that is locked while its large text is written does not change")
  func locked() throws {
    let row = try client.insert(["small"])[0]
    let answer = try answer(
      to: call(BoardInterface.setText, row, Self.text("large")),
      overtakenBy: call(BoardInterface.setEditable, row, false))
    expect(.notEditable) { _ = try answer.get() }
    expect(try client.texts(), are: ["small"])
  }

  @Test("A board that fills up while a large text is written refuses the text and later insertions")
  func boardFills() throws {
    try client.insert(["small"])
    disk.hold(.syncs)
    defer { disk.relent() }
    let outstanding = client.send(
      [Self.text("large"), "behind it"].map { call(BoardInterface.insertText, 0, -1, $0) })
    try client.wait(for: setting(BoardInterface.maxRows, to: Variant(.uint32(1))))
    #expect(outstanding.answered == 0)
    disk.relent()
    client.connection.loop.wait { outstanding.answered == 2 }
    for answer in outstanding.answers {
      expect(.limitsExceeded, naming: "max-rows") { _ = try answer?.get() }
    }
    expect(try client.texts(), are: ["small"])
    try client.waitForContentFiles(0, on: daemon.bus)
    daemon.kill()
    let store = try BoardStore(directory: daemon.bus.home.path + "/data/dragboard")
    #expect(
      try store.tables.transaction.database.integer("SELECT count(*) FROM representation") == 1)
  }

  @Test("A board that is deleted while a large text is written refuses the text")
  func boardGoes() throws {
    let board = try client.board("other")
    let answer = try answer(
      to: call(BoardInterface.insertText, at: board, 0, -1, Self.text("large")),
      overtakenBy: call(ManagerInterface.deleteBoard, at: Dragboard.root, "other"))
    expect(.unknownObject, naming: board.text) { _ = try answer.get() }
    try client.waitForContentFiles(0, on: daemon.bus)
  }
}
