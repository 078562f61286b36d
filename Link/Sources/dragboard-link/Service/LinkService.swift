import DragboardClient
import Files
import LinkDrags
import LinkEngine
import LinkModel
import LinkReplica

/// The service, which follows the log of the group and runs a loop for each shared board.
actor LinkService {
  private let group: Group
  private let store: ConfigurationStore
  private let bus: DragboardConnection
  private var loops: [LogID: Task<Void, Never>] = [:]
  private let sweeper: ContentSweeper
  private let relay: DragRelay
  private var report = ServiceReport() {
    didSet { if report != oldValue { report.write(to: store) } }
  }

  /// Creates the service.
  ///
  /// The server keeps contents without a row for `unusedAge`.
  init(
    _ configuration: LinkConfiguration, in store: ConfigurationStore, on server: NATSConnection,
    bus: DragboardConnection, unusedAge: Duration
  ) throws {
    group = try Group(configuration, in: store, on: server)
    sweeper = ContentSweeper(of: group, unusedAge: unusedAge)
    relay = DragRelay(
      of: configuration.machine, on: bus, over: NATSDragTransport(configuration)
    ) { store.sharesDrags }
    self.store = store
    self.bus = bus
    // A service that was killed can have left an unfinished report.
    AtomicFile.removeLeftovers(in: store.stateDirectory)
    report.write(to: store)
  }

  /// Runs until the task is cancelled or another machine removes this machine.
  func run() async throws {
    let sweeping = Task { await sweeper.run() }
    let relaying = Task { try await relay.run() }
    let watching = Task { for await status in relay.statuses { report.drags = .init(status) } }
    defer {
      for task in [sweeping, watching] { task.cancel() }
      relaying.cancel()
      for loop in loops.values { loop.cancel() }
    }
    var backoff = Backoff()
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        try await group.follow { try await self.update($0) }
      } catch LinkError.removed {
        report.error = "\(LinkError.removed)"
        throw LinkError.removed
      } catch {
        let text = "\(error)"
        if text != report.error { StandardError.writeLine(text) }
        report.error = text
      }
    }
  }

  private func update(_ state: GroupState) async throws {
    report.error = nil
    await relay.setMachines(state.machines.mapValues(\.name))
    for log in loops.keys where state.boards[log] == nil { await stop(log) }
    for (log, name) in state.boards where loops[log] == nil { try await start(log, named: name) }
    store.removeReplicas(of: state.unshared)
  }

  private func stop(_ id: LogID) async {
    guard let loop = loops.removeValue(forKey: id) else { return }
    await sweeper.set(nil, for: id)
    loop.cancel()
    await loop.value
  }

  // This is a separate function, because swiftc 6.3.1 crashes if it optimises a longer `update`.
  private func start(_ id: LogID, named name: String) async throws {
    let log = try await group.log(of: id)
    let loop = ReplicaLoop(
      try await board(of: id, named: name),
      directory: try ReplicaDirectory("\(store.stateDirectory)/\(id)"), log: log,
      store: await group.contents)
    await sweeper.set((loop, log), for: id)
    loops[id] = Task {
      let watcher = Task {
        for await status in await loop.statuses() { note(status, of: name, log) }
      }
      await loop.run()
      watcher.cancel()
      report.boards[name] = nil
    }
  }

  /// Returns the board of a log: the board that had the name when this machine first read the log.
  ///
  /// A board that was renamed since then stays shared.
  private func board(of log: LogID, named name: String) async throws -> Board {
    let known = store.boardPath(of: log)
    if let board = try await bus.boards().first(where: { $0.board.id.path == known })?.board {
      return board
    }
    let board: Board
    do { board = try await bus.board(named: name) } catch {
      guard error.reason == .noSuchBoard else { throw error }
      board = try await bus.createBoard(named: name)
    }
    try store.setBoardPath(board.id.path, of: log)
    return board
  }

  private func note(_ status: ReplicaLoop.Status, of board: String, _ log: JetStreamLog) {
    let loss = log.restoredCount
    let errors = [
      loss > 0 ? "the server had lost \(loss) entries, which are restored now" : nil,
      status.logError, status.contentError, status.daemonError,
    ].compactMap(\.self)
    report.boards[board] = ServiceReport.Board(
      entry: status.position, pending: status.pending, dropped: status.droppedCount,
      droppedEdits: status.dropped.map(DropReport.init),
      error: errors.isEmpty ? nil : errors.joined(separator: "; "))
  }
}
