import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// Each connection of a sandbox was served like a separate client, one call in each turn, and its
/// waiting calls, unread replies and dragged items needed memory without a limit.
@Suite(
  "Regression: a sandboxed application with many connections slowed other clients",
  .enabled(if: Relay.Wall.mountNamespace.isPossible, "needs a mount namespace"))
struct SandboxSlowedOthers {
  private static let id = "org.team.group.Boxed"

  private let daemon: Daemon
  private let relay: Relay
  private let free: BusClient

  init() throws {
    daemon = try Daemon()
    relay = try Relay(on: daemon.bus, as: Self.id)
    free = try daemon.client()
    _ = try free.get(BoardInterface.count)
  }

  private func boxed(_ count: Int) throws -> [BusClient] {
    try (0..<count).map { _ in
      let client = try relay.client()
      _ = try client.get(BoardInterface.count)
      return client
    }
  }

  private static func insertions(_ count: Int, of text: String) -> [OutgoingMessage] {
    (0..<count).map { _ in call(BoardInterface.insertText, 0, -1, text) }
  }

  @Test("All connections of a sandbox together have the turns of one client")
  func turns() throws {
    let boxed = try boxed(8)
    daemon.signal(SIGSTOP)
    let calls = boxed.map { $0.send(Self.insertions(40, of: "boxed")) }
    let own = free.send(Self.insertions(40, of: "free"))
    daemon.signal(SIGCONT)
    for outstanding in calls + [own] { #expect(Set(outstanding.errors()) == [""]) }
    let last = try #require(try free.texts().lastIndex(of: "free"))
    // With equal times, the last call of the client is the eightieth call.
    #expect(last < 200)
  }

  @Test("A long call of a sandbox is not followed by another one before a client's waiting call")
  func longCalls() throws {
    let rows = try free.insert((0..<2_000).map { "\($0)" })
    let boxed = try boxed(8)
    daemon.signal(SIGSTOP)
    let calls = boxed.map { $0.send([call(BoardInterface.getTexts, 0, 0, 2_000)]) }
    let own = free.send([call(BoardInterface.moveItems, [rows[1_999]], 0, 0)])
    daemon.signal(SIGCONT)
    #expect(own.errors() == [""])
    // A sandboxed client does not see the texts.
    for call in calls { #expect(call.errors() == [""]) }
  }

  @Test("The waiting calls of a sandbox have at most 32 MiB")
  func waitingBytes() throws {
    let boxed = try boxed(4)
    daemon.signal(SIGSTOP)
    // The section does not exist, so the calls fail when they are served.
    let calls = boxed.map { client in
      client.send(
        (0..<16).map { _ in
          call(BoardInterface.insertData, 9, 0, "application/x-data", pattern(1 << 20))
        })
    }
    daemon.signal(SIGCONT)
    let errors = calls.flatMap { $0.errors() }
    #expect(Set(errors).isSubset(of: ["InvalidArgs", "LimitsExceeded"]))
    #expect(errors.count { $0 == "InvalidArgs" } >= 31)
    #expect(try free.get(BoardInterface.count) == 0)
  }

  @Test("Large messages of a sandbox need less than 256 MiB of private memory")
  func memoryOfLargeMessages() throws {
    let boxed = try boxed(4)
    let large = pattern(60 << 20)
    let calls = boxed.map { client in
      client.send(
        (0..<3).map { _ in call(BoardInterface.insertData, 9, -1, "application/x-data", large) })
    }
    for call in calls {
      #expect(Set(call.errors()).isSubset(of: ["InvalidArgs", "LimitsExceeded"]))
    }
    #expect(daemon.kibibytes("VmHWM") < 256 << 10)
  }

  @Test("Contents that a sandbox stores need less than 256 MiB of private memory")
  func memoryOfContents() throws {
    let boxed = try boxed(6)
    let large = pattern(40 << 20)
    let calls = boxed.map { client in
      client.send([call(BoardInterface.insertData, 0, -1, "application/x-data", large)])
    }
    let errors = calls.flatMap { $0.errors() }
    #expect(Set(errors).isSubset(of: ["", "LimitsExceeded"]))
    #expect(errors.contains(""))
    #expect(daemon.kibibytes("VmHWM") < 256 << 10)
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
