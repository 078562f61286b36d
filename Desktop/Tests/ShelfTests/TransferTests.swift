import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Long transfers") struct TransferTests {
    /// A promise that writes the first half at once, and the second half after a signal.
    private final class SlowText: Sendable {
      private let signal = DispatchSemaphore(value: 0)

      /// The item with the promise.
      var item: DragItem {
        let promise = Promise(expectedByteCount: 10) { [self] writer in
          try writer.write(Array("first".utf8))
          signal.wait()
          try writer.write(Array("after".utf8))
        }
        return DragItem([.init(.plainText, .promise(promise))])
      }

      func finish() { signal.signal() }
    }

    @Test("A slow drop is shown until it has arrived")
    func slowDrop() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let slow = SlowText()
      let drag = try await desk.connection.beginDrag([slow.item], as: "org.example.Slow")
      let (target, session) = (desk.board.dropTarget, drag.session.id)
      async let result = target.perform(session, as: "org.example.Test")
      try await reader.wait(for: "progress bar", "Receiving one row")
      slow.finish()
      #expect(try await result.items.count == 1)
      try await desk.untilTexts(["firstafter"])
      try await desk.until {
        try !reader.controls().contains { $0.name.hasPrefix("Receiving") }
      }
    }

    @Test("A slow drop is cancelled by its button")
    func cancelledDrop() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let slow = SlowText()
      let drag = try await desk.connection.beginDrag([slow.item], as: "org.example.Slow")
      let (target, session) = (desk.board.dropTarget, drag.session.id)
      async let result = target.perform(session, as: "org.example.Test")
      try await reader.click("push button", "Cancel: Receiving one row")
      #expect(try await result.operation == .cancel)
      #expect(try await drag.outcome().operation == .cancel)
      #expect(try await desk.texts() == [])
      slow.finish()
    }

    @Test("A large row is transferred with a progress bar; a cancelled move leaves the row")
    func largeRow() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.board.settings.setAcceptedTypes([.any])
      try await desk.openShelf(with: reader.variables)
      let row = try await desk.fill([
        [.init(type: "application/x-large", bytes: [UInt8](repeating: 7, count: 24 << 20))]
      ])[0]
      let peer = try desk.start(
        "sh", "-c", "DRAG_PEER_PAUSE=100 exec drag-peer move 'text/plain|peer' > /dev/null")
      _ = try desk.screen.place(windowTitled: "^Peer$", at: (550, 50), width: 300, height: 400)
      try await desk.carry(row: 0, to: (700, 350))
      try desk.screen.perform([.release])
      try await reader.wait(for: "progress bar", "Sending one row")
      try await reader.click("push button", "Cancel: Sending one row")
      try await desk.untilQuiet()
      #expect(try await desk.rows() == [row])
      peer.kill()
    }
  }
}
