public import LinkModel
public import LinkState

/// The group of this machine: its machines, shared boards and keys.
///
/// All changes are entries of the group's log, so every machine reads the same changes in the same
/// order.
public actor Group {
  /// The configuration.
  public nonisolated let configuration: LinkConfiguration
  /// The state after the last entry that this machine has read.
  public private(set) var state = GroupState()

  /// The state of the link on this machine.
  public nonisolated let database: StateDatabase

  let store: ConfigurationStore
  let connection: NATSConnection
  let log: JetStreamLog
  private var transfers: JetStreamContents?
  private var boardLogs: [LogID: JetStreamBoardLogs] = [:]

  /// The error of a request that the group does not allow.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The argument, the problem and the expected value.
    public let description: String
    /// Whether another machine has the name of this machine.
    public var isNameConflict = false

    /// Creates the error of a request.
    public init(description: String) { self.description = description }
  }

  /// Creates the group of a configuration, without a request to the server.
  ///
  /// `database` is nil if the caller has not opened the state of this machine.
  public init(
    _ configuration: LinkConfiguration, in store: ConfigurationStore, on connection: NATSConnection,
    database: StateDatabase? = nil
  ) throws {
    self.configuration = configuration
    self.store = store
    self.connection = connection
    let database = try database ?? store.openState()
    self.database = database
    let id = configuration.keys.id
    // The entry before the first entry with a new key contains the key, so waiting is useless.
    log = JetStreamLog(
      id, of: configuration.keys, on: connection,
      trail: try Trail(of: id, in: database), anchor: configuration.anchors[id],
      keyTimeout: .zero, hasAllKeys: { true })
  }

  var keys: GroupKeys { configuration.keys }
  var own: MachineKey { configuration.machine }

  // MARK: Reading

  /// Throws an error if the server does not have the group's log, or has another version of it.
  public func checkServer() async throws {
    guard try await log.exists() else {
      throw LinkError.otherServer(configuration.server.label)
    }
    try await update()
  }

  /// Whether this machine has read all entries of the group's log.
  public func isCurrent() async throws -> Bool { try await log.lastNumber() == state.position }

  /// Applies the entries that the log has now, and does not wait for later entries.
  public func update() async throws {
    let last = try await log.lastNumber()
    guard state.position < last else { return }
    for try await entry in log.entries(after: state.position) {
      try apply(entry)
      if entry.number >= last { break }
    }
    // If the task is cancelled, entries are missing. A change would try again without an end.
    try Task.checkCancellation()
  }

  /// Applies entries until the task is cancelled, and calls `body` after each entry.
  public func follow(_ body: @Sendable (GroupState) async throws -> Void) async throws {
    // Apply the existing entries without a call of `body`, which needs only the latest state.
    try await update()
    // On the server of an earlier host, nothing is changed.
    if newHost == nil {
      // The configuration was copied to this machine.
      if state.machines[own] == nil { try await join() }
      try await publishLogin()
      // An earlier attempt may have stopped before it wrote the new key to all logs.
      if state.epoch > 1 { try await startEpoch() }
    }
    try await body(state)
    for try await entry in log.entries(after: state.position) {
      let epoch = state.epoch
      try apply(entry)
      // The entry is a removal. The machine that made it may have removed itself, or may have
      // stopped before it wrote the new key to all logs. So every machine writes the key.
      if state.epoch > epoch, newHost == nil { try await startEpoch() }
      try await body(state)
    }
  }

  private func apply(_ entry: LogEntry) throws {
    let head = try log.trail.head(at: entry.number) ?? log.head
    guard
      case .removed(let machine, let epoch, let boxes) = try state.apply(entry, epoch: head.epoch)
    else { return }
    guard machine != own else { throw LinkError.removed }
    guard keys[epoch] == nil else { return }
    guard let box = boxes[own], let secret = configuration.boxKeys.open(box),
      secret.count == Sodium.keySize
    else {
      throw LinkError.unknownKey(epoch: epoch)
    }
    keys.add(GroupKey(epoch: epoch, secret: secret))
    try store.saveKeys(of: configuration)
  }

  // MARK: Changes

  /// Registers this machine in the group if it is not registered yet.
  public func join() async throws {
    try await change { [configuration, own] state in
      guard state.machines[own] == nil else { return nil }
      guard !state.removed.contains(own) else { throw LinkError.removed }
      let publicKey = configuration.boxKeys.publicKey
      guard !state.machines.values.contains(where: { $0.publicKey == publicKey }) else {
        throw Invitation.Problem.used
      }
      guard !state.machines.values.contains(where: { $0.name == configuration.machineName }) else {
        var refusal = Refusal(
          description:
            "name: a machine \"\(configuration.machineName)\" is already in the group (choose another name with --name)"
        )
        refusal.isNameConflict = true
        throw refusal
      }
      return .joined(
        Machine(
          key: own, name: configuration.machineName, publicKey: publicKey))
    }
  }

  /// Shares a board under its name.
  ///
  /// `log` is the id of the board's new log.
  public func share(_ board: String, as log: LogID = .random()) async throws {
    try await change { state in
      guard !state.boards.values.contains(board) else {
        throw Refusal(
          description:
            "board: \"\(board)\" is already shared (to take part: dragboard link accept NAME)")
      }
      return .shared(log, board: board)
    }
  }

  /// Returns the log of a shared board.
  public func log(ofBoard board: String) async throws -> LogID {
    try await update()
    guard let log = state.boards.first(where: { $0.value == board })?.key else {
      throw Refusal(description: "board: no board \"\(board)\" is shared")
    }
    return log
  }

  /// Ends the sharing of a board; each machine retains its copy.
  public func unshare(_ board: String) async throws {
    let log = try await log(ofBoard: board)
    try await change { state in state.boards[log] == nil ? nil : .unshared(log) }
  }

  /// Removes the machine with this name and changes the key of the group.
  public func remove(named name: String) async throws {
    try await update()
    let matches = state.machines.values.filter { $0.name == name }
    guard let machine = matches.first, matches.count == 1 else {
      let names = state.machines.values.map(\.name).sorted().joined(separator: ", ")
      throw Refusal(description: "machine: no machine \"\(name)\" in the group (\(names))")
    }
    guard machine.key != own else {
      throw Refusal(
        description:
          "machine: \"\(name)\" is this machine (to leave the group: dragboard link leave)")
    }
    try await remove(machine.key)
  }

  /// Removes this machine from the group and deletes its configuration.
  public func leave() async throws {
    try await update()
    if state.machines[own] != nil, state.machines.count > 1 {
      do {
        try await remove(own)
      } catch LinkError.removed {}
    } else if state.machines[own] != nil {
      try await removeStreams()
    }
    try store.remove()
  }

  // MARK: Streams

  /// Removes everything of this group from the server, because its last machine leaves.
  private func removeStreams() async throws {
    for board in Array(state.boards.keys) + state.unshared { try await removeStream(of: board) }
    let contents = contents
    try await contents.calls.run { try contents.stream.delete() }
    try await log.delete()
  }

  /// Removes the streams of a board that is no longer shared.
  public func removeStream(of board: LogID) async throws {
    try await logs(of: board).removeAll()
    boardLogs[board] = nil
  }

  /// Returns the streams on the server that this group does not need.
  ///
  /// - Returns: the streams of boards of this group that are no longer shared, and the streams of
  ///   other groups, which may be in use.
  public func unneededStreams() async throws -> (own: [String], other: [String]) {
    try await update()
    let (connection, contents) = (connection, contents)
    let names = try await contents.calls.run { try Stream.names(on: connection) }
    func stream(of log: LogID) -> String { Stream.logPrefix + keys.name(of: "log", log.bytes) }
    let (shared, unshared) = (state.boards.keys.map(logs(of:)), state.unshared.map(logs(of:)))
    var (own, other): ([String], [String]) = ([], [])
    for name in names.sorted() where name != stream(of: keys.id) && name != contents.stream.name {
      if let isReplaced = try shared.lazy.compactMap({ try $0.isReplaced(name) }).first {
        if isReplaced { own.append(name) }
      } else if try unshared.contains(where: { try $0.isReplaced(name) != nil }) {
        own.append(name)
      } else {
        other.append(name)
      }
    }
    return (own, other)
  }

  /// Removes a stream that `unneededStreams` has returned.
  public func removeStream(named name: String) async throws {
    let stream = Stream(connection: connection, name: name)
    try await contents.calls.run { try stream.delete() }
  }

  private func remove(_ machine: MachineKey) async throws {
    try await change { state in
      guard state.machines[machine] != nil else { return nil }
      let key = GroupKey.random(epoch: state.epoch + 1)
      var boxes: [MachineKey: [UInt8]] = [:]
      for other in state.machines.values where other.key != machine {
        guard let box = BoxKeys.seal(key.secret, for: other.publicKey) else {
          throw LinkError.invalidGroup("the key of machine \(other.name) is invalid")
        }
        boxes[other.key] = box
      }
      return .removed(machine, epoch: key.epoch, boxes: boxes)
    }
    try await startEpoch()
  }

  /// Appends an empty entry with the current key to each log.
  ///
  /// After this entry, no entry with an earlier key is valid.
  private func startEpoch() async throws {
    try await startEpoch { [log] in
      try await log.catchUp()
      return log
    }
    for board in state.boards.keys.sorted() {
      let logs = logs(of: board)
      // A machine that uses the latest log writes the key to it.
      do { try await startEpoch { try await logs.current() } } catch is LogReplaced {}
    }
  }

  private func startEpoch(in current: () async throws -> JetStreamLog) async throws {
    while true {
      let log = try await current()
      guard try log.head.epoch < keys.latest.epoch,
        try await log.append([], after: log.head.number) == nil
      else { return }
    }
  }

  /// Appends the event that `body` returns for the current state.
  ///
  /// If another entry comes first, calls `body` again with the new state.
  func change(_ body: (GroupState) throws -> GroupEvent?) async throws {
    while true {
      try await update()
      try checkHost()
      guard let event = try body(state) else { return }
      let batch = event.batch(by: own)
      let position = state.position
      guard let number = try await log.append(batch, after: position) else { continue }
      try apply(LogEntry(number: number, batch: batch))
      return
    }
  }

  // MARK: Boards

  /// The latest log of a shared board that this machine knows.
  public func log(of board: LogID) throws -> JetStreamLog {
    let logs = logs(of: board)
    return try logs.open(logs.latestKnown())
  }

  /// The logs of a shared board.
  public func logs(of board: LogID) -> JetStreamBoardLogs {
    if let logs = boardLogs[board] { return logs }
    let logs = JetStreamBoardLogs(
      of: board, keys, on: connection, in: database, anchors: configuration.anchors,
      hasAllKeys: { [weak self] in try await self?.isCurrent() ?? false })
    boardLogs[board] = logs
    return logs
  }

  /// The contents of all shared boards.
  public var contents: JetStreamContents { JetStreamContents(of: keys, on: connection) }

  /// The contents of all shared boards, on a connection of its own, so that an edit does not wait
  /// behind the bytes of a content.
  public func contentTransfers() throws -> JetStreamContents {
    if let transfers { return transfers }
    let new = JetStreamContents(of: keys, on: try NATSConnection(to: connection.server))
    transfers = new
    return new
  }

  /// Creates an invitation for another machine.
  public func invitation() async throws -> Invitation {
    Invitation(server: configuration.server, keys: keys, anchors: try await anchors())
  }

  /// Creates an invitation for one other machine to the server that this machine runs, which the other
  /// machine reaches at `url`.
  ///
  /// The server must read its settings again before the other machine joins. `now` is the time in seconds since
  /// 1970, UTC. Throws `Refusal` if another machine runs the server.
  public func hostedInvitation(at url: String, now: UInt64) async throws -> Invitation {
    let anchors = try await anchors()
    var server = try configuration.server.at(url)
    let secret = try store.updateRoute { route -> MachineSecret in
      guard case .hosted(var hosted) = route, let host = server.host else {
        throw Refusal(
          description:
            "group: the server runs on \(server.label) (expected a command on that machine)")
      }
      let secret = hosted.admit(invited: now)
      server.host = GroupHost(
        machine: configuration.machineName, certificate: host.certificate, login: secret.login)
      route = .hosted(hosted)
      return secret
    }
    return Invitation(server: server, keys: keys, anchors: anchors, secret: secret)
  }

  /// The last entries of all logs that this machine has read.
  private func anchors() async throws -> [LogID: ChainHead] {
    try await update()
    guard state.machines[own] != nil else { throw LinkError.removed }
    var anchors: [LogID: ChainHead] = [:]
    for id in try [keys.id] + state.boards.keys.map({ try logs(of: $0).latestKnown() }) {
      let head = try Trail(of: id, in: database).head()
      if head.number > 0 { anchors[id] = head }
    }
    return anchors
  }
}
