public import LinkModel

/// The machines and the shared boards of a group, computed from the entries of its log.
public struct GroupState: Hashable, Sendable {
  /// The machines.
  public private(set) var machines: [MachineKey: Machine] = [:]
  /// The names of the shared boards.
  public private(set) var boards: [LogID: String] = [:]
  /// The logs of the boards that are no longer shared.
  public private(set) var unshared: Set<LogID> = []
  /// The number of the current key.
  public private(set) var epoch: UInt32 = 1
  /// The number of the last entry.
  public private(set) var position: UInt64 = 0
  private(set) var removed: Set<MachineKey> = []
  /// The public keys with which machines log in at the server of another machine.
  public private(set) var logins: [MachineKey: [UInt8]] = [:]
  /// The last change of the host; nil before the first one.
  public private(set) var host: HostMove?

  /// Applies the next entry; does nothing for an earlier entry.
  ///
  /// A removed machine still has the earlier keys, so entries with an earlier key are skipped.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - epoch: the number of the key that seals the entry.
  /// - Returns: the event; nil if the entry is skipped or only starts an epoch.
  /// - Throws: `LinkError.invalidGroup` if the event contradicts the state of the group.
  mutating func apply(_ entry: LogEntry, epoch: UInt32) throws(LinkError) -> GroupEvent? {
    guard entry.number == position + 1 else { return nil }
    // The first entry with a new key is empty and only starts the epoch.
    guard !entry.batch.isEmpty, epoch >= self.epoch else {
      position = entry.number
      return nil
    }
    let (event, author) = try GroupEvent.read(entry.batch)
    try check(event, by: author)
    switch event {
    case .joined(let machine): machines[machine.key] = machine
    case .shared(let log, let board): boards[log] = board
    case .unshared(let log):
      boards[log] = nil
      unshared.insert(log)
    case .removed(let machine, let epoch, _):
      machines[machine] = nil
      removed.insert(machine)
      logins[machine] = nil
      self.epoch = epoch
    case .login(let key): logins[author] = key
    case .moved(let move): host = move
    }
    position = entry.number
    return event
  }

  private func check(_ event: GroupEvent, by author: MachineKey) throws(LinkError) {
    if case .joined(let machine) = event {
      guard machine.key == author, machines[author] == nil, !removed.contains(author),
        machine.publicKey.count == BoxKeys.size,
        (try? LinkConfiguration.checkName(machine.name)) != nil
      else { throw .invalidGroup("machine \(author) joined twice, or its name or key is invalid") }
      return
    }
    guard machines[author] != nil else {
      throw .invalidGroup("machine \(author) made a change, but is not in the group")
    }
    switch event {
    case .joined, .login: break
    case .moved(let move):
      guard move.epoch == (host?.epoch ?? 0) + 1, move.machine == author,
        move.server(named: "host", login: .random()) != nil
      else { throw .invalidGroup("machine \(author) has moved the server wrongly") }
    case .shared(let log, let board):
      guard boards[log] == nil, !unshared.contains(log), !boards.values.contains(board),
        !board.isEmpty, board.isPrintable
      else { throw .invalidGroup("board \(log) was shared twice, or its name is invalid") }
    case .unshared(let log):
      guard boards[log] != nil else { throw .invalidGroup("no board \(log) is shared") }
    case .removed(let machine, let epoch, let boxes):
      let remaining = Set(machines.keys).subtracting([machine])
      guard machines[machine] != nil, epoch == self.epoch + 1, Set(boxes.keys) == remaining else {
        throw .invalidGroup("the removal of machine \(machine) is incomplete")
      }
    }
  }
}
