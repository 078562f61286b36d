import LinkEngine
import LinkModel
import LinkReplica

/// Removes unused contents, which no row has, from the server.
///
/// At intervals of about `unusedAge` / 24, one machine of the group does this on average. Each
/// machine decides by chance whether it is the one.
actor ContentSweeper {
  private let group: Group
  private let unusedAge: Duration
  private var boards: [LogID: ReplicaLoop] = [:]

  init(of group: Group, unusedAge: Duration) { (self.group, self.unusedAge) = (group, unusedAge) }

  /// Sets the loop of a shared board; nil if the board is no longer shared.
  func set(_ loop: ReplicaLoop?, for id: LogID) { boards[id] = loop }

  /// Runs until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: unusedAge / 24 * Double.random(in: 0.5...1.5))
      let machines = await group.state.machines.count
      guard Int.random(in: 0..<max(1, min(machines, 24))) == 0 else { continue }
      // Ignore errors: if the server does not answer, or lies, the loops of the boards report it.
      _ = try? await group.contents.sweep(olderThan: unusedAge) { try await usedContents() }
    }
  }

  /// The contents of all shared boards; nil if this machine has not read all entries.
  private func usedContents() async throws -> Set<ContentHash>? {
    guard try await group.isCurrent() else { return nil }
    var used: Set<ContentHash> = []
    for id in await group.state.boards.keys {
      guard let contents = try await boards[id]?.storedContents() else { return nil }
      used.formUnion(contents)
    }
    return used
  }
}
