import DBus
import TestSupport
import Testing

@testable import DragboardClient

@Suite("A connection")
struct ConnectionTests {
  @Test("A missing bus is reported")
  func noBus() async {
    await expect(.noBus) {
      _ = try await DragboardConnection.connect(to: "unix:path=/nonexistent/bus")
    }
  }

  @Test(
    "An invalid address is reported as a missing bus", arguments: ["", "nonsense", "unix:path"])
  func noAddress(address: String) async {
    await expect(.noBus) { _ = try await DragboardConnection.connect(to: address) }
  }

  @Test("A missing daemon is reported, and isRunning does not start it")
  func noDaemon() async throws {
    let bus = try PrivateBus()
    let dragboard = try await DragboardConnection.connect(to: bus.address)
    #expect(try await dragboard.daemon.isRunning() == false)
    #expect(try await dragboard.daemon.isActivatable() == false)
    await expect(.noDaemon) { _ = try await dragboard.boards() }
    await expect(.noDaemon) { _ = try await dragboard.daemon.processID() }
  }

  @Test("A connection finds a running daemon")
  func daemon() async throws {
    let stage = try await Stage()
    #expect(try await stage.dragboard.daemon.isRunning())
    #expect(try await stage.dragboard.daemon.processID() == stage.daemon.id)
    #expect(try await stage.dragboard.daemon.version() == DragboardConnection.version)
    let limits = try await stage.dragboard.daemon.limits()
    #expect(limits.maxRepresentationBytes == 256 << 20)
    #expect(limits.maxSessionBytes == 1 << 30)
    #expect(limits.maxItems == 10_000)
    #expect(limits.maxRows == 1_000_000)
    #expect(limits.byName["idle-timeout"] == 300)
  }

  @Test("A connection works with the next daemon after a restart")
  func restart() async throws {
    let stage = try await Stage()
    let items = try await stage.board.insert(["one"])
    stage.daemon.kill()
    await expect(.noDaemon) { _ = try await stage.board.info() }
    try stage.daemon.start()
    #expect(try await stage.board.text(of: items[0]) == "one")
  }

  @Test("When the bus is lost, every call fails, and every sequence of events ends with an error")
  func disconnection() async throws {
    let stage = try await Stage()
    let events = await stage.dragboard.events()
    stage.daemon.bus.stop()
    await expect(.disconnected) { for try await _ in events {} }
    await expect(.disconnected) { _ = try await stage.board.info() }
  }

  @Test("Calls of a closed connection fail with disconnected")
  func closing() async throws {
    let stage = try await Stage()
    let events = await stage.dragboard.events()
    await stage.dragboard.close()
    await expect(.disconnected) { for try await _ in events {} }
    await expect(.disconnected) { _ = try await stage.board.info() }
    await expect(.disconnected) { for try await _ in await stage.dragboard.events() {} }
  }

  @Test("Cancelling the task cancels the call")
  func cancelling() async throws {
    let stage = try await Stage()
    stage.daemon.bus.signal(19)
    defer { stage.daemon.bus.signal(18) }
    let board = stage.board
    let task = Task { try await board.info() }
    task.cancel()
    await expect(.cancelled) { _ = try await task.value }
  }

  @Test("A connection leaves the bus when its last reference is released")
  func leaving() async throws {
    let stage = try await Stage()
    let watcher = try stage.daemon.client()
    var name = ""
    do {
      let dragboard = try await stage.another()
      name = dragboard.uniqueName
      _ = try await dragboard.beginDrag([.text("one")])
    }
    // The daemon ends the drag when the connection leaves the bus.
    let ended = watcher.next("DragEnded").message
    #expect(try ended.arguments(as: ObjectPath.self, String.self, String.self).1 == name)
  }

  @Test("run serves the connection on the calling thread, and creates no other thread")
  func borrowedThread() throws {
    let daemon = try Daemon()
    let texts = try DragboardConnection.run(to: daemon.bus.address) { dragboard in
      let board = try await dragboard.board(named: "default")
      try await board.insert(["one", "two"])
      return try await board.texts(count: 10)
    }
    #expect(texts == ["one", "two"])
  }

  @Test("run throws the error of its body")
  func borrowedThreadThrows() throws {
    let daemon = try Daemon()
    let error = #expect(throws: DragboardError.self) {
      try DragboardConnection.run(to: daemon.bus.address) { dragboard in
        _ = try await dragboard.board(named: "none")
      }
    }
    #expect(error?.reason == .noSuchBoard)
  }
}
