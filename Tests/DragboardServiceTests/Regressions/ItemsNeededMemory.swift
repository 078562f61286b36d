import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// Items without bytes cost nothing, so a sandbox could drag 10,000 of them in each of 1,024 sessions.
@Suite(
  "Regression: items that a sandbox dragged needed memory without a limit",
  .enabled(if: Relay.Wall.mountNamespace.isPossible, "needs a mount namespace"),
  .timeLimit(.minutes(20)))
struct ItemsNeededMemory {
  private let daemon: Daemon
  private let relay: Relay
  private let free: BusClient

  init() throws {
    daemon = try Daemon()
    relay = try Relay(on: daemon.bus, as: "org.team.group.Boxed")
    free = try daemon.client()
  }

  private func boxed(_ count: Int) throws -> [BusClient] {
    try (0..<count).map { _ in try relay.client() }
  }

  @Test("A sandbox drags items of at most 64 MiB of memory, however small they are")
  func items() throws {
    let boxed = try boxed(2)
    let texts = [String](repeating: "", count: 10_000)
    var sessions = 0
    do {
      while sessions < 200 {
        _ = try boxed[sessions % 2].drag(texts, as: "")
        sessions += 1
      }
    } catch {
      #expect(error.name == .limitsExceeded)
      #expect(error.message.contains("memory"))
    }
    #expect(5..<20 ~= sessions)
    _ = try free.drag(texts)
    #expect(daemon.kibibytes("RssAnon") < 256 << 10)
  }

  @Test("Names and types of items count, too")
  func names() throws {
    let client = try boxed(1)[0]
    let session = try client.beginDrag(as: "")
    for _ in 0..<300 { _ = try client.call(DragSessionInterface.addItem, at: session, "") }
    var (item, number) = (0, 0)
    var refusal: DBusError?
    while refusal == nil, item < 300 {
      let type = "application/x-\(number)" + String(repeating: "x", count: 100)
      do throws(DBusError) {
        try client.call(
          DragSessionInterface.registerPromise, at: session, UInt32(item), type, "all", "/loader")
      } catch { refusal = error }
      number += 1
      if number == 256 { (item, number) = (item + 1, 0) }
    }
    // 300 items of 256 promises of about 370 bytes need less than 64 MiB.
    #expect(refusal == nil)
    let texts = [String](repeating: "", count: 10_000)
    expect(.limitsExceeded, naming: "memory") {
      for _ in 0..<100 { _ = try client.drag(texts, as: "") }
    }
    try client.cancel(session)
    _ = try client.drag(texts, as: "")
  }
}
