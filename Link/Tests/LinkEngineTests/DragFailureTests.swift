import DragboardClient
import Foundation
import LinkModel
import Synchronization
import Testing

@testable import CNATS
@testable import LinkEngine

@Suite("Drags across machines that fail")
struct DragFailureTests {
  /// The part of two machines that is killed during a drop.
  enum Part: String, CaseIterable {
    case sourceLink, destinationLink, sourceDaemon, destinationDaemon, source, destination
  }

  @Test(
    "A killed program during a drop ends the drag on both machines with cancel",
    arguments: Part.allCases)
  func kill(_ part: Part) async throws {
    let pair = try await DragPair()
    let promise = TestPromise()
    defer { promise.release() }
    let source = part == .source ? try await pair.anna.connect() : pair.source
    let drag = try await source.beginDrag([
      promise.item("text/plain;charset=utf-8", Array("promised".utf8))
    ])
    let session = try await pair.arrival()
    let destination = part == .destination ? try await pair.bert.connect() : pair.destination
    let drop = Task {
      let drop = try await DragSession(session.id, on: destination).accept()
      do {
        let text = try await drop.text(ofItem: 0)
        try await drop.finish()
        return text
      } catch {
        try? await drop.finish()
        throw error
      }
    }
    try await eventually("the promise is loaded") { promise.loadCount == 1 }
    switch part {
    case .sourceLink: pair.anna.endService()
    case .destinationLink: pair.bert.endService()
    case .sourceDaemon: try pair.anna.restartDaemon()
    case .destinationDaemon: try pair.bert.restartDaemon()
    case .source: await source.close()
    case .destination: await destination.close()
    }
    if part != .source, part != .sourceDaemon {
      let outcome = try await within { try await drag.outcome() }
      #expect(outcome.operation == .cancel)
      #expect(outcome.loaded == [])
    }
    await #expect(throws: DragboardError.self) { try await within { try await drop.value } }
    try await eventually("no drag is left on anna") { try await pair.source.sessions().isEmpty }
    if part != .destinationLink, part != .sourceLink, part != .sourceDaemon, part != .source {
      try await eventually("no drag is left on bert") {
        try await pair.destination.sessions().isEmpty
      }
    }
  }

  @Test("A broken connection fails the drop on both machines", arguments: [false, true])
  func brokenConnection(isFrozen: Bool) async throws {
    let relay = Mutex<TestRelay?>(nil)
    let pair = try await DragPair { server in
      let new = try TestRelay(to: server.port)
      relay.withLock { $0 = new }
      return new
    }
    let promise = TestPromise()
    defer { promise.release() }
    let drag = try await pair.source.beginDrag([
      promise.item("text/plain;charset=utf-8", Array("promised".utf8))
    ])
    let session = try await pair.arrival()
    let other = try await pair.source.beginDrag([DragItem.text("one"), .text("two")])
    let kept = try await pair.arrival { _, info in info.itemCount == 2 }
    let drop = Task.detached { try pair.bert.run("dragboard", "drop", "\(session.id)") }
    try await eventually("the promise is loaded") { promise.loadCount == 1 }
    let started = relay.withLock(\.self)
    let cut = try #require(started)
    if isFrozen { cut.pause(true) } else { try cut.restart() }
    let outcome = try await within { try await drag.outcome() }
    #expect(outcome.operation == .cancel)
    #expect(outcome.loaded == [])
    #expect(outcome.failed == [0])
    let result = try await within { try await drop.value }
    #expect(result.status != 0)
    #expect(result.text.contains("the connection to anna is lost"), "\(result.text)")
    try await eventually("the drag that was not dropped has ended, too") {
      try await kept.info().state == .ended
    }
    #expect(try await pair.board().snapshot().count == 0)

    // A drag that was not dropped appears again.
    if isFrozen { cut.pause(false) }
    let again = try await pair.arrival { _, info in info.itemCount == 2 }
    #expect(again.id != kept.id)
    #expect(try await other.session.info().state == .active)
  }

  @Test("A drag appears again when a machine has connected again")
  func reconnection() async throws {
    let relay = Mutex<TestRelay?>(nil)
    let pair = try await DragPair { server in
      let new = try TestRelay(to: server.port)
      relay.withLock { $0 = new }
      return new
    }
    _ = try await pair.source.beginDrag([.text("one")])
    let session = try await pair.arrival()
    let started = relay.withLock(\.self)
    try #require(started).restart()
    try await eventually("the drag has ended on bert") {
      try await session.info().state == .ended
    }
    #expect(try await pair.arrival().id != session.id)
  }

  @Test("The source learns which of several items have arrived")
  func someItems() async throws {
    let pair = try await DragPair()
    let failing = DragItem([
      .init("image/png", .promise(Promise { _ in throw Timeout(description: "no picture") }))
    ])
    let drag = try await pair.source.beginDrag([.text("one"), failing, .text("three")])
    _ = try await pair.arrival { _, info in info.itemCount == 3 }
    #expect(try pair.bert.run("dragboard", "drop").status == 0)
    let outcome = try await within { try await drag.outcome() }
    #expect(outcome.words == "copy [0, 2] [1]")

    let other = try await pair.source.beginDrag([failing])
    _ = try await pair.arrival()
    let result = try pair.bert.run("dragboard", "drop")
    #expect(result.status != 0)
    #expect(result.text.contains("no picture"), "\(result.text)")
    let failure = try await within { try await other.outcome() }
    #expect(failure.words == "cancel [] [0]")
  }

  @Test("Of two drops on two machines one succeeds")
  func twoDrops() async throws {
    let pair = try await DragPair()
    let promise = TestPromise()
    let drag = try await pair.source.beginDrag([
      promise.item("text/plain;charset=utf-8", Array("promised".utf8))
    ])
    let session = try await pair.arrival()
    let first = Task.detached { try pair.anna.run("dragboard", "drop").status }
    try await eventually("the promise is loaded") { promise.loadCount == 1 }
    // The drag may have disappeared from bert, or the drop may fail there.
    let second = try pair.bert.run("dragboard", "drop", "\(session.id)")
    #expect(second.status != 0)
    promise.release()
    #expect(try await first.value == 0)
    #expect(try await within { try await drag.outcome() }.operation == .copy)
    #expect(try await pair.board().snapshot().count == 0)
    try await eventually("no drag is left on bert") {
      try await pair.destination.sessions().isEmpty
    }
  }

  @Test("A cancelled load on one machine ends the drop on the other machine")
  func cancelledLoad() async throws {
    let pair = try await DragPair()
    let promise = TestPromise()
    defer { promise.release() }
    let drag = try await pair.source.beginDrag([promise.item("image/png", [1])])
    let session = try await pair.arrival()
    let drop = Task.detached { try pair.bert.run("dragboard", "drop") }
    try await eventually("the promise is loaded") { promise.loadCount == 1 }
    try await drag.session.cancel()
    #expect(try await within { try await drop.value }.status != 0)
    await #expect(throws: DragboardError.self) { try await session.types(ofItem: 0) }
  }

  // MARK: The drags that cross

  @Test("Items and types that are added later cross; narrower types and restricted drags do not")
  func changes() async throws {
    let pair = try await DragPair()
    let hidden = try await pair.source.beginDrag([.text("hidden")], as: "org.example.App")
    try await hidden.session.setRestrictedToApplication(true)
    let drag = try await pair.source.beginDrag([.text("one")], as: "org.example.App")
    let session = try await pair.arrival()
    try await drag.session.add([
      DragItem([
        .init("text/html", visibility: .team, .data([60])), .init("image/png", .data([1])),
      ])
    ])
    try await eventually("the second item is on bert") {
      guard try await session.info().itemCount == 2 else { return false }
      return try await session.types(ofItem: 1) == ["image/png"]
    }
    try await drag.session.register(.init("image/jpeg", .data([2])), ofItem: 1)
    try await eventually("the later type is on bert") {
      try await session.types(ofItem: 1) == ["image/png", "image/jpeg"]
    }
    #expect(try await pair.destination.sessions().count == 1)
    // A drag that is restricted later disappears; one that is not restricted any more appears.
    try await drag.session.setRestrictedToApplication(true)
    try await hidden.session.setRestrictedToApplication(false)
    try await eventually("the other drag is on bert") {
      let sessions = try await pair.destination.sessions()
      return sessions.count == 1 && sessions[0].session.id != session.id
    }
    // Neither machine shows its own drags as those of the other.
    #expect(try await pair.source.sessions().allSatisfy { $0.info.machine.isEmpty })
  }

  @Test("A drag of another machine cannot be cancelled, only dropped")
  func cancellation() async throws {
    let pair = try await DragPair()
    let drag = try await pair.source.beginDrag([.text("one")])
    let session = try await pair.arrival()
    let result = try pair.bert.run("dragboard", "cancel", "\(session.id)")
    #expect(result.status != 0)
    #expect(result.text.contains("the caller is not the source"), "\(result.text)")
    #expect(try pair.bert.run("dragboard", "drop").status == 0)
    #expect(try await within { try await drag.outcome() }.operation == .copy)
  }

  @Test("A machine that connects later shows the active drags, and ends them with its service")
  func lateMachine() async throws {
    let pair = try await DragPair()
    pair.bert.endService()
    _ = try await pair.source.beginDrag([.text("one")])
    try pair.bert.startService()
    let session = try await pair.arrival()
    #expect(try pair.bert.run("dragboard", "sessions").text.contains("on anna"))
    pair.bert.endService()
    try await eventually("the drag has ended on bert") {
      try await session.info().state == .ended
    }
    #expect(try await pair.source.sessions().count == 1)
  }

  @Test("With drags off, a machine sends and shows no drags")
  func off() async throws {
    let pair = try await DragPair()
    #expect(try pair.anna.run("dragboard", "link", "drags", "maybe").status == 64)
    _ = try await pair.source.beginDrag([.text("one")])
    _ = try await pair.arrival()
    #expect(try pair.anna.run("dragboard", "link", "drags", "off").status == 0)
    #expect(try pair.anna.run("dragboard", "link", "status").text.contains("drags    off\n"))
    try await eventually("bert shows no drags") { try await pair.destination.sessions().isEmpty }
    let back = try await pair.destination.beginDrag([.text("two")])
    try await eventually("bert offers its drag") {
      try pair.bert.run("dragboard", "link", "status").text.contains("drags    on, 1 from here")
    }
    #expect(try await pair.source.sessions().count == 1)
    try await back.session.cancel()
    #expect(try pair.anna.run("dragboard", "link", "drags", "files").status == 0)
    #expect(
      try pair.anna.run("dragboard", "link", "status").text.contains("drags    on with files"))
    #expect(try pair.anna.run("dragboard", "link", "drags", "on").status == 0)
    _ = try await pair.source.beginDrag([.text("three")])
    _ = try await pair.arrival()
  }

  // MARK: Attacks

  @Test("Repeated, reordered and altered messages have no effect, and are reported")
  func lyingServer() async throws {
    let pair = try await DragPair()
    let spy = try DragSpy(on: pair.server)
    let drag = try await pair.source.beginDrag([.text("one")])
    _ = try await pair.arrival()
    #expect(try pair.bert.run("dragboard", "drop").status == 0)
    #expect(try await within { try await drag.outcome() }.operation == .copy)
    // The recorded messages list, accept and finish this drag, which has ended.
    let next = try await pair.source.beginDrag([.text("two")])
    _ = try await pair.arrival()
    let recorded = try spy.takeAll()
    #expect(recorded.count > 8)
    #expect(!recorded.contains { Data($0.bytes).range(of: Data("text/plain".utf8)) != nil })
    for message in recorded.reversed() { try spy.send(message.bytes, to: message.subject) }
    for message in recorded {
      var bytes = message.bytes
      bytes[bytes.count - 1] ^= 1
      try spy.send(bytes, to: message.subject)
    }
    // A message of one machine to another is sent back to its sender.
    let subjects = Set(recorded.map(\.subject))
    for message in recorded {
      for subject in subjects where subject != message.subject {
        try spy.send(message.bytes, to: subject)
      }
    }
    @Sendable func rejected(_ machine: CommandMachine) throws -> Int {
      let drags = try machine.json("dragboard", "link", "status", "--json")["drags"]
      return ((drags as? [String: Any])?["rejected"] as? Int) ?? 0
    }
    for (machine, subject) in try [pair.anna, pair.bert].map({ ($0, try spy.subject(of: $0)) }) {
      let count = recorded.count { $0.subject == subject }
      try await eventually("the messages are counted") {
        try rejected(machine) >= 2 * count + recorded.count - count
      }
      #expect(
        try machine.run("dragboard", "doctor").text.contains("the server altered or repeated"))
    }
    #expect(try await next.session.info().state == .active)
    #expect(try await pair.destination.sessions().count == 1)
    #expect(try await pair.board().snapshot().count == 1)
    // The drag can still be dropped.
    #expect(try pair.bert.run("dragboard", "drop").status == 0)
    #expect(try await within { try await next.outcome() }.operation == .copy)
  }

  @Test("A machine whose subject is flooded connects again after growing delays")
  func flood() async throws {
    let server = try await TestServer()
    let configuration = try LinkConfiguration(server: server.address(), machineName: "anna")
    let transport = NATSDragTransport(configuration)
    let spy = try DragSpy(on: server)
    let start = ContinuousClock.now
    for _ in 0..<4 {
      #expect(try await within { try await transport.next() } == .connected)
      for _ in 0..<1_000 { try spy.send([1], to: transport.subject(of: configuration.machine)) }
      try await within { while try await transport.next() != .lost {} }
    }
    // The delays before the connections are 0, 0.25, 0.5 and 1 s, shortened by at most a fifth.
    #expect(ContinuousClock.now - start >= .milliseconds(1_400))
  }

  @Test("A removed machine reads no new messages, and its messages are ignored")
  func removedMachine() async throws {
    let pair = try await DragPair()
    let old = try #require(try pair.bert.store.load())
    _ = try await pair.source.beginDrag([.text("one")])
    let session = try await pair.arrival()
    #expect(try pair.anna.run("dragboard", "link", "remove", "bert").status == 0)
    try await eventually("bert shows no drags") { try await session.info().state == .ended }
    // The removed machine continues with its old keys.
    let spy = try DragSpy(on: pair.server)
    let (anna, bert) = (try spy.subject(of: pair.anna), try spy.subject(of: pair.bert))
    let machine = try #require(try pair.anna.store.load()).machine
    let envelope = DragEnvelope(
      sender: old.machine, run: 1, number: 1, message: .request(1, .list(held: [])))
    let bytes = DragSeal.seal(envelope.bytes, for: machine, key: old.keys.latest)
    try spy.send(bytes, to: anna)
    // When this message is counted, the message before it has been handled.
    try spy.send(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0], to: anna)
    try await eventually("the altered message is counted") {
      try pair.anna.run("dragboard", "link", "status").text.contains("1 altered or repeated")
    }
    _ = try await pair.source.beginDrag([.text("two")])
    #expect(try spy.takeAll().allSatisfy { $0.subject != bert })
    #expect(try await pair.source.sessions().count == 2)
  }
}

/// An attacker who controls a server: it records and sends messages about drags.
private struct DragSpy {
  struct Message {
    let subject: String
    let bytes: [UInt8]
  }

  private let connection: NATSConnection
  nonisolated(unsafe) private let subscription: OpaquePointer?

  init(on server: TestServer) throws {
    connection = try server.connect()
    var subscription: OpaquePointer?
    let status = connection.subscribe(to: "dragboard.drags.>", &subscription)
    #expect(status == NATS_OK)
    self.subscription = subscription
    try connection.flush()
  }

  /// Returns the messages that have been sent so far.
  func takeAll() throws -> [Message] {
    var messages: [Message] = []
    var message: OpaquePointer?
    while natsSubscription_NextMsg(&message, subscription, 50) == NATS_OK, let found = message {
      messages.append(
        Message(
          subject: natsMsg_GetSubject(found).map { String(cString: $0) } ?? "",
          bytes: NATSMessage.bytes(of: found)))
      natsMsg_Destroy(found)
      if messages.count >= 1_000 { break }
    }
    return messages
  }

  func send(_ bytes: [UInt8], to subject: String) throws {
    try connection.publish(bytes, on: subject)
    try connection.flush()
  }

  func subject(of machine: CommandMachine) throws -> String {
    let configuration = try #require(try machine.store.load())
    return NATSDragTransport(configuration).subject(of: configuration.machine)
  }
}
