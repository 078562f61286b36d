import LinkEngine
import LinkModel
import LinkReplica

/// Removes contents from the server that no row has, about 24 times in the time for which they stay.
///
/// The machines take turns by chance.
actor ContentSweeper {
  private let group: Group
  private let unusedAge: Duration
  private var boards: [LogID: (loop: ReplicaLoop, log: JetStreamLog)] = [:]

  init(of group: Group, unusedAge: Duration) { (self.group, self.unusedAge) = (group, unusedAge) }

  /// Sets the loop and the log of a shared board; nil if it is not shared any more.
  func set(_ board: (loop: ReplicaLoop, log: JetStreamLog)?, for id: LogID) { boards[id] = board }

  /// Runs until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: unusedAge / 24 * Double.random(in: 0.5...1.5))
      let machines = await group.state.machines.count
      guard Int.random(in: 0..<max(1, min(machines, 24))) == 0 else { continue }
      // If the server does not answer, or lies, the loops report it.
      _ = try? await group.contents.sweep(olderThan: unusedAge) { try await usedContents() }
    }
  }

  /// The contents of all shared boards; nil if this machine has not read all entries.
  private func usedContents() async throws -> Set<ContentHash>? {
    guard try await group.isCurrent() else { return nil }
    var used: Set<ContentHash> = []
    for id in await group.state.boards.keys {
      guard let (loop, log) = boards[id],
        let contents = await loop.storedContents(at: try await log.lastNumber())
      else { return nil }
      used.formUnion(contents)
    }
    return used
  }
}
