import DragboardClient
import Files
import Glibc
import LinkDrags
import LinkEngine
import LinkModel
import LinkReplica
import LinkState
import Logging

/// The service, which follows the log of the group and runs a loop for each shared board.
actor LinkService {
  private let group: Group
  private let store: ConfigurationStore
  /// The name of this machine.
  private let machine: String
  private let state: StateDatabase
  private let bus: DragboardConnection
  private var loops: [LogID: Task<Void, Never>] = [:]
  private var starting: Set<LogID> = []
  /// The checks of logs after a change of the host.
  private var checks: [LogID: Task<Void, Never>] = [:]
  /// The logs whose streams this run of the service has removed.
  private var removed: Set<LogID> = []
  private let sweeper: ContentSweeper
  private let relay: DragRelay
  private let server: NATSConnection
  private var waiting: WaitingEdits
  private var report = ServiceReport() {
    didSet { if report != oldValue { report.write(to: store) } }
  }

  /// Creates the service.
  ///
  /// The server keeps contents without a row for `unusedAge`.
  init(
    _ configuration: LinkConfiguration, in store: ConfigurationStore, _ state: StateDatabase,
    on server: NATSConnection, bus: DragboardConnection, unusedAge: Duration
  ) throws {
    group = try Group(configuration, in: store, on: server, database: state)
    sweeper = ContentSweeper(of: group, unusedAge: unusedAge)
    relay = DragRelay(
      of: configuration.machine, on: bus, over: NATSDragTransport(configuration),
      isOn: { state.sharesDrags }, sendsFiles: { state.sharesDraggedFiles })
    (self.store, self.state, machine) = (store, state, configuration.machineName)
    (self.bus, self.server) = (bus, server)
    // A service that was killed can have left an unfinished report.
    AtomicFile.removeLeftovers(in: store.stateDirectory)
    // Until a board is read, its last state is shown.
    let last = ServiceReport.read(from: store)
    report.boards = last.boards
    waiting = WaitingEdits(last)
    report.write(to: store)
  }

  /// Runs until the task is cancelled or another machine removes this machine.
  func run() async throws {
    let sweeping = Task { await sweeper.run() }
    let relaying = Task { try await relay.run() }
    let connecting = Task { await watchConnection() }
    let telling = Task { await watchEarlierHost() }
    let expiring = Task { await watchInvitations() }
    let watching = Task { for await status in relay.statuses { report.drags = .init(status) } }
    defer {
      for task in [sweeping, connecting, telling, expiring, watching] { task.cancel() }
      relaying.cancel()
      for task in Array(loops.values) + Array(checks.values) { task.cancel() }
    }
    var backoff = Backoff()
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        try await group.follow { try await self.update($0) }
      } catch LinkError.removed {
        report.error = "\(LinkError.removed)"
        throw LinkError.removed
      } catch is CancellationError {
      } catch let change as NewHost {
        throw change
      } catch {
        let text = "\(error)"
        if text != report.error { linkLog.error("\(text)") }
        report.error = text
      }
    }
  }

  /// The interval at which the report is adapted to the connection.
  private static let connectionInterval = Duration.seconds(2)

  /// Reports since when the server cannot be reached, until the task is cancelled.
  private func watchConnection() async {
    while !Task.isCancelled {
      if server.isConnected {
        report.unreachableSince = nil
      } else if report.unreachableSince == nil {
        report.unreachableSince = ServiceReport.now
      }
      try? await Task.sleep(for: Self.connectionInterval)
    }
  }

  /// The request to continue with the server of another host.
  struct NewHost: Error {
    let move: HostMove
    let name: String
  }

  /// The error while this machine becomes the host.
  struct UnfinishedMove: Error, CustomStringConvertible {
    let name: String
    var description: String {
      "host: the move to this machine is not finished (to continue it: dragboard link move-host \(name))"
    }
  }

  /// The interval at which an earlier host that was lost is looked for.
  private static let earlierHostInterval = Duration.seconds(20)

  /// Tells an earlier host that was lost about this one when it can be reached.
  private func watchEarlierHost() async {
    while !Task.isCancelled, let host = EarlierHost(group.configuration, in: state) {
      do {
        try await host.tell()
        linkLog.notice("\(host.name) is back, and knows the new host now")
        report.error = nil
        return
      } catch let error as LinkError where error.isTemporary {
      } catch {
        report.error =
          "host: \(host.name) is back, and its group has changed on its own (expected there: dragboard link join, with the line of 'move-host --lost' from here): \(error)"
      }
      try? await Task.sleep(for: Self.earlierHostInterval)
    }
  }

  /// The interval at which expired invitations are removed.
  private static let invitationInterval = Duration.seconds(600)

  /// Removes expired invitations from the server, if this machine runs it.
  private func watchInvitations() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.invitationInterval)
      // A machine may just have joined.
      guard (try? store.loadServer()) != nil, (try? await group.isCurrent()) == true else {
        continue
      }
      try? updateServer(await group.state.machines.values)
    }
  }

  /// Removes the keys of removed machines and of expired invitations from the server, if this machine runs it.
  private func updateServer(_ machines: some Sequence<Machine>) throws {
    guard
      try store.updateServer({
        $0.update(Set(machines.map(\.publicKey)), now: UInt64(time(nil)))
      })
    else { return }
    ServiceLock.update(.server, in: store)
  }

  private func update(_ state: GroupState) async throws {
    report.error = nil
    if let move = await group.newHost {
      let name = await group.name(of: move.machine)
      guard move.machine != group.configuration.machine else { throw UnfinishedMove(name: name) }
      throw NewHost(move: move, name: name)
    }
    try updateServer(state.machines.values)
    await relay.setMachines(state.machines.mapValues(\.name))
    for log in loops.keys where state.boards[log] == nil { await stop(log) }
    for name in report.boards.keys where !state.boards.values.contains(name) {
      report.boards[name] = nil
    }
    for (log, name) in state.boards where loops[log] == nil { try await accept(log, named: name) }
    for log in state.unshared where !removed.contains(log) { try await remove(log) }
  }

  /// Starts the exchange of a board if the user has accepted it.
  private func accept(_ log: LogID, named name: String) async throws {
    guard starting.insert(log).inserted else { return }
    defer { starting.remove(log) }
    if let board = try await board(of: log, named: name) {
      try await start(log, named: name, on: board)
    } else {
      report.boards[name] = .waiting
    }
  }

  /// Removes the log of a board that is no longer shared, because a board that is shared again has a
  /// new log.
  private func remove(_ log: LogID) async throws {
    try state.removeLog("\(log)")
    try state.setSharesFiles(false, ofLog: "\(log)")
    try await group.removeStream(of: log)
    removed.insert(log)
  }

  /// Starts the exchange of boards that were accepted in the meantime.
  func updateBoards() async {
    do { try await update(await group.state) } catch { linkLog.error("\(error)") }
  }

  private func stop(_ id: LogID) async {
    guard let loop = loops.removeValue(forKey: id) else { return }
    await sweeper.set(nil, for: id)
    loop.cancel()
    await loop.value
  }

  // These are separate functions, because swiftc 6.3.1 crashes if it optimises a longer `update`.
  private func start(_ id: LogID, named name: String, on board: Board) async throws {
    let logs = await group.logs(of: id)
    let state = state
    let loop = ReplicaLoop(
      board, stored: try StoredReplica(of: "\(id)", in: state), logs: logs,
      store: try await group.contentTransfers(),
      files: FileSharing(machine: machine) {
        name != "clipboard" && state.sharesFiles(ofLog: "\(id)")
      })
    await sweeper.set(loop, for: id)
    loops[id] = Task {
      let watcher = Task {
        for await status in await loop.statuses() { note(status, of: name, logs) }
      }
      await loop.run()
      watcher.cancel()
      report.boards[name] = nil
    }
    let configuration = group.configuration
    if configuration.hostEpoch > 0, let host = configuration.server.host?.fingerprint,
      checks[id] == nil, try state.setting("host \(id)") != host
    {
      checks[id] = Task { await check(id, named: name, on: board, host) }
    }
  }

  /// Reads the log of a board from its beginning if the server of another host has other entries.
  ///
  /// If the earlier host was lost, this machine may have read entries that the machine which restored
  /// the log had not. Their rows are on this machine, so they are added again.
  private func check(_ id: LogID, named name: String, on board: Board, _ host: String) async {
    var backoff = Backoff()
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        let log = try await group.log(of: id)
        do { _ = try await log.lastNumber() } catch let error as LinkError
          where error.isOtherHistory
        {
          starting.insert(id)
          defer { starting.remove(id) }
          await stop(id)
          try state.resetLog("\(id)")
          try await start(id, named: name, on: board)
          linkLog.notice("\(name): the log of the earlier host had other entries: \(error)")
        }
        return try state.setSetting("host \(id)", to: host)
      } catch {}
    }
  }

  /// The boards that are shared only after the user of this machine has accepted them.
  ///
  /// Programs add rows to them without a question. If they do not exist yet, they can come later.
  private static let personalNames: Set = ["default", "clipboard"]

  /// Returns the board of a log: the board that had the name when this machine first read the log.
  ///
  /// A board that was renamed since then stays shared. A board that another machine has shared is
  /// created if this machine has no board with its name.
  ///
  /// - Returns: nil if this machine has a board with the name that the user has not accepted.
  private func board(of log: LogID, named name: String) async throws -> Board? {
    let known = try state.board(ofLog: "\(log)")
    let boards = try await bus.boards()
    if let board = boards.first(where: { $0.board.id.path == known })?.board { return board }
    let namesake = boards.first { $0.info.name == name }?.board
    guard known != nil || namesake == nil && !Self.personalNames.contains(name) else {
      return nil
    }
    let board =
      if let namesake { namesake } else { try await bus.createBoard(named: name) }
    try state.setBoard(board.id.path, ofLog: "\(log)")
    return board
  }

  private func note(_ status: ReplicaStatus, of board: String, _ logs: JetStreamBoardLogs) {
    // The loop has not read its replica yet.
    guard status != ReplicaStatus() else { return }
    if status.renewals > report.boards[board]?.renewals ?? status.renewals {
      linkLog.notice(
        "\(board): the home of this machine was restored or copied, so its edits have a new key now"
      )
    }
    let (loss, forgeries) = (logs.restoredCount, logs.forgedCount)
    let errors = [
      loss > 0 ? "the server had lost \(loss) entries, which are restored now" : nil,
      forgeries > 0
        ? "\(forgeries) entries that no machine of the group has written are ignored (change the password of the server)"
        : nil,
      status.logError, status.daemonError,
      status.divergence.map { "the board differs from that of another machine (entry \($0))" },
    ].compactMap(\.self)
    report.boards[board] = ServiceReport.Board(
      entry: status.position, pending: status.pending,
      pendingSince: waiting.note(status, of: board), dropped: status.droppedCount,
      droppedEdits: status.dropped.map(DropReport.init),
      error: errors.isEmpty ? nil : errors.joined(separator: "; "), renewals: status.renewals,
      replaced: status.replaced == 0 ? nil : DropReport.text(ofTime: status.replaced),
      rebuilt: status.rebuilt == 0 ? nil : DropReport.text(ofTime: status.rebuilt),
      arriving: status.arriving, contents: status.unstored)
  }
}
