import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: an error's message had raw what the client had sent")
struct ErrorsQuotedRaw {
  @Test(
    "Controls and noncharacters that a client sent are not in the message that quotes them",
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

  private func isRaw(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F || (0xFDD0...0xFDEF).contains(scalar.value)
      || scalar.value & 0xFFFE == 0xFFFE
  }
}
