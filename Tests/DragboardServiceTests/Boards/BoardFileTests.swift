import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite("Files in rows")
struct BoardFileTests {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon("--undo-steps", "1")
    client = try daemon.client()
  }

  private func insert(
    _ file: FileDescriptor, as type: String = "image/png", at row: Int32 = -1
  ) throws -> String {
    try client.call(BoardInterface.insertFile, 0, row, type, file)
  }

  private func file(_ row: String, _ type: String = "*/*") throws -> FileDescriptor {
    let file = try client.call(BoardInterface.getFile, row, type)
    return file
  }

  @Test(
    "A row keeps the bytes of the file when the file changes, and after a restart",
    arguments: [0, 1, 65_536, 65_537, 300_000])
  func insertFile(size: Int) throws {
    let bytes = [UInt8].sample(size)
    let files = [
      try TestFile.sealed(bytes), try TestFile.memory(bytes),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ]
    let rows = try files.map { file in
      lseek(file.number, off_t(size / 2), SEEK_SET)
      let row = try insert(file)
      #expect(TestFile.offset(of: file) == size / 2)
      _ = pwrite(file.number, [0xEE], 1, 0)
      _ = ftruncate(file.number, 0)
      return row
    }
    #expect(try client.rows().map(\.id) == rows)
    #expect(try client.rows().map(\.preview) == ["", "", ""])
    #expect(try client.rows().allSatisfy { $0.attributes["size"] == .uint64(UInt64(size)) })
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    for row in rows {
      let file = try later.call(BoardInterface.getFile, row, "image/*")
      expect(TestFile.rest(of: file), are: bytes)
      expect(try later.call(BoardInterface.getData, row, "public.png"), are: bytes)
    }
  }

  @Test("GetFile returns a read-only descriptor with its own offset 0")
  func getFile() throws {
    for size in [0, 10, 300_000] {
      let bytes = [UInt8].sample(size)
      let row = try insert(TestFile.memory(bytes))
      let (first, second) = (try file(row), try file(row, "image/png"))
      for file in [first, second] {
        #expect(TestFile.offset(of: file) == 0)
        #expect(!TestFile.isChangeable(file))
        expect(TestFile.rest(of: file), are: bytes)
      }
    }
  }

  @Test("A returned descriptor keeps its bytes when the row is changed or deleted")
  func keptDescriptors() throws {
    let text = String(repeating: "é", count: 100_000)
    let row = try client.insert([text])[0]
    let (first, second) = (try file(row), try file(row))
    _ = try client.call(BoardInterface.setText, row, "short")
    expect(TestFile.rest(of: first), are: Array(text.utf8))
    _ = try client.call(BoardInterface.deleteItems, [row])
    try client.forgetUndo()
    try client.waitForContentFiles(0, on: daemon.bus)
    expect(TestFile.rest(of: second), are: Array(text.utf8))
  }

  @Test("GetFile returns a conforming type, and is refused if none conforms")
  func conformance() throws {
    let row = try insert(TestFile.sealed(Array("<b>".utf8)), as: "Text/HTML; Charset=UTF-8")
    #expect(try client.call(BoardInterface.getTypes, row) == ["text/html;charset=utf-8"])
    for type in ["text/html", "text/*", "public.html", "public.data"] {
      expect(TestFile.rest(of: try file(row, type)), are: Array("<b>".utf8))
    }
    expect(.noSuchRepresentation, naming: "image/png", row) { _ = try file(row, "image/png") }
    expect(.invalidArgs, naming: "type") { _ = try file(row, "nonsense") }
    expect(.noSuchItem, naming: "item") { _ = try file("nobody") }
  }

  @Test("While files are copied, the positions of their rows follow other edits")
  func places() throws {
    let calls = try (0..<6).map { number in
      call(
        BoardInterface.insertFile, 0, -1, "UTF8_STRING",
        try TestFile.memory(Array(String(repeating: "\(number)", count: 100_000).utf8)))
    }
    let quick = call(BoardInterface.insertText, 0, 0, "quick")
    for answer in client.answers(to: calls + [quick]) { _ = try answer.get() }
    #expect(
      try client.rows().map { String($0.preview.prefix(1)) } == ["q", "0", "1", "2", "3", "4", "5"])
  }

  @Test("An invalid position and a full board are refused before the file is read")
  func refusals() throws {
    let large = try TestFile.memory(.sample(100_000))
    for (section, row) in [(1, 0), (0, 1), (0, -2)] as [(UInt32, Int32)] {
      expect(.invalidArgs) {
        _ = try client.call(BoardInterface.insertFile, section, row, "image/png", large)
      }
    }
    _ = try client.insert(["a"])
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
    expect(.limitsExceeded, naming: "max-rows") { _ = try insert(large) }
    expect(try client.texts(), are: ["a"])
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("A reply of more than 64 MiB is refused, and the error names GetFile")
  func tooLarge() throws {
    let row = try insert(TestFile.sealed(zeros: (64 << 20) + 1))
    expect(.limitsExceeded, naming: "\((64 << 20) + 1)", "GetFile") {
      _ = try client.call(BoardInterface.getData, row, "image/png")
    }
    #expect(TestFile.identity(of: try file(row)).last == (64 << 20) + 1)
  }
}
