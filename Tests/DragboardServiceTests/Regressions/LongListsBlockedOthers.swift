import DBus
import DragboardInterface
import TestSupport
import Testing

/// One message of 64 MiB kept the daemon busy for seconds, even if the call was refused in the end.
@Suite("Regression: a long list blocked all other clients")
struct LongListsBlockedOthers {
  private let daemon: Daemon
  private let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  @Test("A list of more elements than a call may have is refused")
  func refused() throws {
    let most = BoardInterface.maxListCount
    let tooMany = [String](repeating: "", count: most + 1)
    let calls: [(String, Int, () throws -> Void)] = [
      ("texts", most, { try client.insert(tooMany) }),
      ("items", most, { _ = try client.call(BoardInterface.moveItems, tooMany, 0, 0) }),
      ("items", most, { _ = try client.call(BoardInterface.deleteItems, tooMany) }),
      (
        "items", BoardInterface.maxStackCount,
        { _ = try client.call(BoardInterface.stackItems, tooMany, 0, 0, "s") }
      ),
      ("types", 10_000, { try client.call(BoardInterface.setAcceptedTypes, tooMany) }),
      ("texts: max-items", 10_000, { _ = try client.drag(tooMany) }),
      ("items: max-items", 10_000, { _ = try client.drag(rows: tooMany) }),
    ]
    for (argument, count, call) in calls {
      expect(.limitsExceeded, naming: argument, "\(count)") { try call() }
    }
    #expect(try client.get(BoardInterface.count) == 0)
  }

  @Test("Other clients are answered while many texts are stored; the caller's calls stay in order")
  func steps() throws {
    let other = try daemon.client()
    let padding = String(repeating: "x", count: 1_000)
    let texts = (0..<6_000).map { "\($0) \(padding)" }
    #expect(try other.get(BoardInterface.count) == 0)
    let outstanding = client.send([
      call(BoardInterface.insertTexts, 0, -1, texts), call(BoardInterface.insertText, 0, -1, "end"),
    ])
    client.waitForBus()
    #expect(try other.get(BoardInterface.count) == 0)
    #expect(try other.insert(["first"], at: 0).count == 1)
    #expect(outstanding.errors() == ["", ""])
    let stored = try other.texts()
    #expect(stored.count == 6_002)
    #expect(stored == ["first"] + texts + ["end"])
  }
}
