import DragboardClient
import Foundation
import LinkDrags
import LinkModel
import Synchronization
import Testing

/// Carries messages between two relays in this process; a test can replace, repeat or drop them.
private final class DragHub: Sendable {
  struct Delivery: Sendable {
    let sender: MachineKey
    let recipient: MachineKey
    let bytes: [UInt8]

    var message: DragMessage? { (try? DragEnvelope(bytes: bytes))?.message }
  }

  private let inputs = Mutex<[MachineKey: AsyncStream<DragArrival>.Continuation]>([:])
  /// Returns the messages that arrive in place of a message.
  let change = Mutex<@Sendable (Delivery) -> [Delivery]>({ [$0] })
  /// Whether the bytes of dragged files cross.
  let sendsFiles = Mutex(true)

  func transport(of machine: MachineKey) -> HubTransport {
    let (arrivals, input) = AsyncStream<DragArrival>.makeStream()
    inputs.withLock { $0[machine] = input }
    input.yield(.connected)
    return HubTransport(self, machine, arrivals)
  }

  func lose(_ machine: MachineKey) { inputs.withLock { _ = $0[machine]?.yield(.lost) } }

  func deliver(_ delivery: Delivery) {
    for result in change.withLock(\.self)(delivery) {
      inputs.withLock { _ = $0[result.recipient]?.yield(.message(result.bytes)) }
    }
  }
}

private final class HubTransport: DragTransport {
  private let hub: DragHub
  private let own: MachineKey
  private let arrivals: AsyncStream<DragArrival>

  init(_ hub: DragHub, _ own: MachineKey, _ arrivals: AsyncStream<DragArrival>) {
    (self.hub, self.own, self.arrivals) = (hub, own, arrivals)
  }

  func send(_ message: [UInt8], to machine: MachineKey) async throws {
    hub.deliver(.init(sender: own, recipient: machine, bytes: message))
  }

  func next() async throws -> DragArrival {
    for await arrival in arrivals { return arrival }
    throw CancellationError()
  }
}

@Suite("Relays of drags")
struct DragRelayTests {
  private static let (anna, bert) = (MachineKey(1, 1), MachineKey(2, 2))
  private let hub = DragHub()
  private let machines: (anna: CommandMachine, bert: CommandMachine)
  private let source: DragboardConnection
  private let destination: DragboardConnection
  private let relays: [(relay: DragRelay, task: Task<Void, any Error>)]

  init() async throws {
    machines = (try CommandMachine(), try CommandMachine())
    (source, destination) = (try await machines.anna.connect(), try await machines.bert.connect())
    var relays: [(DragRelay, Task<Void, any Error>)] = []
    for (key, machine) in [(Self.anna, machines.anna), (Self.bert, machines.bert)] {
      let relay = DragRelay(
        of: key, on: try await machine.connect(), over: hub.transport(of: key),
        isOn: { true }, sendsFiles: { [hub] in hub.sendsFiles.withLock(\.self) })
      await relay.setMachines([Self.anna: "anna", Self.bert: "bert"])
      relays.append((relay, Task { try await relay.run() }))
    }
    self.relays = relays
  }

  private func end() { for (_, task) in relays { task.cancel() } }

  private func arrival() async throws -> DragSession {
    let found = Mutex<DragSession?>(nil)
    try await eventually("the drag of anna is on bert") {
      for (session, info) in try await destination.sessions()
      where info.machine == "anna" && info.itemCount > 0 {
        guard try await !session.types(ofItem: 0).isEmpty else { continue }
        found.withLock { $0 = session }
        return true
      }
      return false
    }
    let session = found.withLock(\.self)
    return try #require(session)
  }

  @Test("A connection that breaks within a file fails the drop on both machines")
  func brokenTransfer() async throws {
    defer { end() }
    let bytes = (0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    let drag = try await source.beginDrag([DragItem([.init("image/png", .data(bytes))])])
    let session = try await arrival()
    let count = Mutex(0)
    hub.change.withLock {
      $0 = { [hub] delivery in
        guard case .reply(_, .bytes) = delivery.message else { return [delivery] }
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 4 { for machine in [Self.anna, Self.bert] { hub.lose(machine) } }
        return number < 4 ? [delivery] : []
      }
    }
    await #expect(throws: DragboardError.self) {
      try await within { try await session.accept().data(ofItem: 0) }
    }
    #expect(try await within { try await drag.outcome() }.operation == .cancel)
    let replies = count.withLock(\.self)
    #expect(replies <= 8)
  }

  @Test("At most four chunks are on their way at once, and all of them arrive in order")
  func window() async throws {
    defer { end() }
    let bytes = (0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    let drag = try await source.beginDrag([DragItem([.init("image/png", .data(bytes))])])
    let session = try await arrival()
    let requested = Mutex(0)
    let largest = Mutex(0)
    hub.change.withLock {
      $0 = { delivery in
        switch delivery.message {
        case .request(_, .read):
          let count = requested.withLock { count in
            count += 1
            return count
          }
          largest.withLock { $0 = max($0, count) }
        case .reply(_, .bytes): requested.withLock { $0 -= 1 }
        default: break
        }
        return [delivery]
      }
    }
    let drop = try await session.accept()
    #expect(try await within { try await drop.data(ofItem: 0) } == bytes)
    try await drop.finish()
    #expect(try await within { try await drag.outcome() }.loaded == [0])
    let maximum = largest.withLock(\.self)
    #expect(maximum <= 4)
  }

  @Test("If the end of a drop is lost, the source's drag ends with cancel")
  func lostEnd() async throws {
    defer { end() }
    let drag = try await source.beginDrag([.text("one")])
    _ = try await arrival()
    hub.change.withLock {
      $0 = { delivery in
        if case .request(_, .finish) = delivery.message { [] } else { [delivery] }
      }
    }
    #expect(try machines.bert.run("dragboard", "drop").status == 0)
    let outcome = try await within { try await drag.outcome() }
    #expect(outcome.words == "cancel [] [0]")
  }

  @Test("Repeated messages are counted and change nothing")
  func repetition() async throws {
    defer { end() }
    hub.change.withLock { $0 = { [$0, $0] } }
    let drag = try await source.beginDrag([.text("one")])
    _ = try await arrival()
    #expect(try machines.bert.run("dragboard", "drop").status == 0)
    #expect(try await within { try await drag.outcome() }.loaded == [0])
    #expect(try machines.bert.run("dragboard", "list").text.split(separator: "\n").count == 1)
    for (relay, _) in relays {
      try await within {
        for await status in relay.statuses where status.rejected > 0 { return }
      }
    }
  }

  @Test("A machine shows a limited number of drags of another machine")
  func flood() async throws {
    defer { end() }
    for number in 0..<40 { _ = try await source.beginDrag([.text("\(number)")]) }
    try await eventually("32 drags are on bert") { try await destination.sessions().count == 32 }
    #expect(try await source.sessions().count == 40)
  }

  @Test("A large drag stays on its machine")
  func largeDrag() async throws {
    defer { end() }
    let large = try await source.beginDrag(
      Array(repeating: .text("x"), count: SharedDrag.maxItems + 1))
    _ = try await source.beginDrag([.text("small")])
    // The large drag appears while its source adds the items, and then disappears.
    try await eventually("only the small drag is on bert") {
      let sessions = try await destination.sessions()
      return sessions.count == 1 && sessions[0].info.itemCount == 1
    }
    try await large.session.cancel()
  }

  // MARK: Files

  /// Inserts a row for a file, and drags it.
  private func dragFile(
    _ path: String, insertedBy inserter: String = "org.dragboard.Shelf.Drop",
    draggedBy application: String = "org.dragboard.Shelf"
  ) async throws -> ActiveDrag {
    let list = Array("file://\(path)\r\n".utf8)
    let item = DragItem([
      .init(.uriList, .data(list)), .init("x-special/gnome-icon-list", .data(list)),
    ])
    let drop = try await source.beginDrag([item], as: Application(inserter)).session
    let board = try await source.board(named: "default")
    _ = try await board.dropTarget.perform(drop.id, inSection: 0, at: 0)
    let row = try await board.row(at: RowPosition(section: 0, row: 0)).id
    return try await board.beginDrag(of: [row], as: Application(application))
  }

  @Test("The bytes of a file that the shelf drags cross, with its name and size")
  func file() async throws {
    defer { end() }
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    let path = "\(machines.anna.home)/holiday.bin"
    try Data(bytes).write(to: URL(filePath: path))
    let drag = try await dragFile(path)
    let session = try await arrival()
    #expect(try await session.types(ofItem: 0) == ["application/octet-stream"])
    #expect(try await session.sizes(ofItem: 0) == [bytes.count])
    #expect(try await session.attributes(ofItem: 0).name == "holiday.bin")
    let drop = try await session.accept()
    #expect(try await within { try await drop.data(ofItem: 0) } == bytes)
    try await drop.finish()
    #expect(try await within { try await drag.outcome() }.loaded == [0])
  }

  @Test(
    "The bytes of other files stay on their machine",
    arguments: ["off", "sandbox", "program", "link", "pipe", "directory"])
  func otherFile(kind: String) async throws {
    defer { end() }
    let path = "\(machines.anna.home)/name"
    let secret = "\(machines.anna.home)/id_rsa"
    try Data("PRIVATE KEY".utf8).write(to: URL(filePath: secret))
    switch kind {
    case "off": hub.sendsFiles.withLock { $0 = false }
    case "link": symlink(secret, path)
    case "pipe": mkfifo(path, 0o600)
    case "directory": mkdir(path, 0o700)
    default: break
    }
    let isFile = ["off", "sandbox", "program"].contains(kind)
    let drag = try await dragFile(
      isFile ? secret : path,
      insertedBy: kind == "sandbox" ? "org.evil.App" : "org.dragboard.Shelf.Drop",
      draggedBy: kind == "program" ? "org.evil.App" : "org.dragboard.Shelf")
    let session = try await arrival()
    #expect(try await session.types(ofItem: 0).first == .uriList)
    let drop = try await session.accept()
    await #expect(throws: DragboardError.self) {
      try await within { try await drop.data(ofItem: 0, as: "application/octet-stream") }
    }
    await #expect(throws: DragboardError.self) {
      try await within { try await drop.data(ofItem: 0) }
    }
    _ = drag
  }

  @Test("A file that a link has replaced since the begin of the drag does not cross")
  func replacedFile() async throws {
    defer { end() }
    let (path, secret) = ("\(machines.anna.home)/name", "\(machines.anna.home)/id_rsa")
    for file in [path, secret] { try Data("PRIVATE KEY".utf8).write(to: URL(filePath: file)) }
    let drag = try await dragFile(path)
    let session = try await arrival()
    #expect(try await session.types(ofItem: 0) == ["application/octet-stream"])
    #expect(unlink(path) == 0 && symlink(secret, path) == 0)
    let drop = try await session.accept()
    await #expect(throws: DragboardError.self) {
      try await within { try await drop.data(ofItem: 0) }
    }
    _ = drag
  }
}
