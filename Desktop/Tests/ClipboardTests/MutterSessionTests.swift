import DragboardClient
import Foundation
import Testing

/// Sessions of Mutter that fail or end, by the stub of Mutter's service.
@Suite(.serialized) struct MutterSessionTests {
  private func desk() async throws -> ClipboardDesk {
    let desk = try await ClipboardDesk(.lockableMutter)
    #expect(desk.nextLineOfDisplay() == "enabled")
    return desk
  }

  /// A session that is not stopped exists until the bridge exits.
  @Test("A session without a clipboard is stopped and replaced")
  func aSessionWithoutAClipboardIsStoppedAndReplaced() async throws {
    let desk = try await desk()
    #expect(try desk.sendToDisplay("refuse EnableClipboard") == "done")
    #expect(try desk.sendToDisplay("close") == "done")
    #expect(desk.nextLineOfDisplay() == "refused")
    #expect(desk.nextLineOfDisplay() == "stopped")
    #expect(desk.nextLineOfDisplay() == "enabled")
    #expect(try desk.sendToDisplay("copy text/html x") == "done")
    try await desk.untilRows(1)
  }

  /// GNOME copies the bytes in pieces of 8 KiB, and the end of the session ends the pipe.
  @Test("A copy whose session ends during the read is not stored")
  func aCopyWhoseSessionEndsDuringTheReadIsNotStored() async throws {
    let desk = try await desk()
    #expect(try desk.sendToDisplay("hang text/html") == "done")
    #expect(desk.nextLineOfDisplay() == "reading")
    #expect(try desk.sendToDisplay("close") == "done")
    #expect(desk.nextLineOfDisplay() == "enabled")
    #expect(try desk.sendToDisplay("copy image/gif x") == "done")
    #expect(try await desk.untilRows(1)[0].types == ["image/gif"])
  }

  /// A cancelled read has not ended when the next read begins.
  @Test(
    "A read that Mutter refuses during another read is repeated", arguments: ["refuse", "refuse51"])
  func aReadThatMutterRefusesDuringAnotherReadIsRepeated(_ refusal: String) async throws {
    let desk = try await desk()
    #expect(try desk.sendToDisplay("\(refusal) SelectionRead") == "done")
    #expect(try desk.sendToDisplay("copy text/html image/gif x") == "done")
    #expect(desk.nextLineOfDisplay() == "refused")
    #expect(try await desk.untilRows(1)[0].types == [.html, "image/gif"])
  }

  /// The pipe of a type ends, too, when the owner exits before it writes the type.
  @Test("An empty type of an owner that has left is not stored")
  func anEmptyTypeOfAnOwnerThatHasLeftIsNotStored() async throws {
    let desk = try await desk()
    let text = "text/plain;charset=utf-8"
    #expect(try desk.sendToDisplay("leave \(text) text/html part") == "done")
    let rows = try await desk.untilRows(2)
    #expect(rows.map(\.types) == [["text/css"], [.plainText]])
    #expect(try desk.sendToDisplay("leave text/html x") == "done")
    #expect(try desk.sendToDisplay("leave \(text) text/html last") == "done")
    #expect(try await desk.untilRows(3)[1].preview == "last")
    #expect(try await desk.rows().allSatisfy { !$0.types.contains(.html) })
  }

  /// A part that GNOME offers after the exit of an owner follows a report without types.
  @Test("A copy that replaces another during its read is no part of it")
  func aCopyThatReplacesAnotherDuringItsReadIsNoPartOfIt() async throws {
    let desk = try await desk()
    let type = "text/plain;charset=utf-8"
    for hasExited in [true, false] {
      #expect(try desk.sendToDisplay("hang \(type)") == "done")
      #expect(desk.nextLineOfDisplay() == "reading")
      if hasExited { #expect(try desk.sendToDisplay("empty") == "done") }
      #expect(try desk.sendToDisplay("copy \(type) \(hasExited ? "part" : "new")") == "done")
    }
    #expect(try await desk.untilRows(1)[0].preview == "new")
  }

  @Test("The bridge does not replace a copy that follows at once after the clipboard was emptied")
  func theBridgeDoesNotReplaceACopyThatFollowsAtOnce() async throws {
    let desk = try await desk()
    for number in 1...10 {
      #expect(try desk.sendToDisplay("replace text/plain;charset=utf-8 \(number)") == "done")
      #expect(try await desk.untilRows(number)[0].preview == "\(number)")
    }
    #expect(try desk.sendToDisplay("claims") == "0")
    #expect(try desk.sendToDisplay("empty") == "done")
    try await desk.until { try desk.sendToDisplay("claims") == "1" }
  }

  @Test("A copy of which Mutter does not deliver a type is not stored")
  func aCopyOfWhichMutterDoesNotDeliverATypeIsNotStored() async throws {
    let desk = try await desk()
    #expect(try desk.sendToDisplay("lose SelectionRead") == "done")
    #expect(try desk.sendToDisplay("copy text/html image/gif x") == "done")
    #expect(desk.nextLineOfDisplay() == "refused")
    try await desk.until { desk.log.contains("GNOME does not deliver one of its types") }
    #expect(try desk.sendToDisplay("copy text/html image/gif y") == "done")
    #expect(try await desk.untilRows(1)[0].types == [.html, "image/gif"])
  }

  /// Mutter 51 has the same error for other failures, so the bridge does not repeat the read for ever.
  @Test("A read that Mutter always refuses ends with the deadline")
  func aReadThatMutterAlwaysRefusesEndsWithTheDeadline() async throws {
    let desk = try await desk()
    #expect(try desk.sendToDisplay("refuse51-always SelectionRead") == "done")
    #expect(try desk.sendToDisplay("copy text/html image/gif x") == "done")
    #expect(desk.nextLineOfDisplay() == "refused")
    try await desk.until { desk.log.contains("not stored") }
    #expect(try desk.sendToDisplay("accept SelectionRead") == "done")
    #expect(try desk.sendToDisplay("copy text/html image/gif y") == "done")
    #expect(try await desk.untilRows(1)[0].types == [.html, "image/gif"])
  }
}
