import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: error messages quoted text of clients without escapes")
struct ErrorsQuotedRaw {
  @Test(
    "Messages contain no controls and noncharacters of the texts that they quote",
    arguments: ["\u{FFFF}", "\u{1FFFE}", "\u{1B}[31m", "a\nb", "\u{7F}"])
  func quoted(text: String) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let calls = [
      call(BoardInterface.getText, text),
      call(DragSourceInterface.beginDrag, "org.x", [text, text]),
      call(BoardInterface.insertData, 0, 0, text, [1]),
      call(ManagerInterface.beginDrag, at: Dragboard.root, text),
      call(ManagerInterface.getBoard, at: Dragboard.root, text),
    ]
    for answer in client.answers(to: calls) {
      let error = #expect(throws: DBusError.self) { try answer.get() }
      let scalars = try #require(error).message.unicodeScalars
      #expect(scalars.allSatisfy { !isRaw($0) }, "\(scalars)")
    }
  }

  @Test("The message of a failed promise is one line without deceptive characters")
  func loader() throws {
    let daemon = try Daemon()
    let source = try PromisingClient(on: daemon.bus)
    let session = try source.drag([[.refuse("\u{1B}[31ma\nb\u{202E}c")]])
    let client = try daemon.client()
    try client.accept(session, as: "org.target")
    let error = #expect(throws: DBusError.self) {
      try client.loadData("text/plain;charset=utf-8", of: session)
    }
    #expect(try #require(error).message.hasSuffix("reports: \u{FFFD}[31ma\u{FFFD}b\u{FFFD}c"))
  }

  private func isRaw(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F || (0xFDD0...0xFDEF).contains(scalar.value)
      || scalar.value & 0xFFFE == 0xFFFE
  }
}
