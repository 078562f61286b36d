import LinkArguments
import LinkEngine

extension LinkRemove: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws {
    try await ConfigurationStore.ofUser.openGroup().remove(named: machine)
  }
}

extension LinkLeave: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    let group = offline ? nil : try store.openGroup()
    if let group { try await Self.checkHost(group, in: store) }
    try ServiceLock.stop(in: store)
    if let group { try await group.leave() } else { try store.remove() }
    try Hosting.removeRoute(in: store)
  }

  /// Throws an error if other machines need the server of this machine.
  private static func checkHost(_ group: Group, in store: ConfigurationStore) async throws {
    guard try store.loadServer() != nil else { return }
    try await group.update()
    let count = await group.state.machines.count
    guard count < 2 else {
      throw Group.Refusal(
        description:
          "group: this machine runs the server for \(count - 1) other machines (expected that they leave first; or leave with --offline, which deletes the server)"
      )
    }
  }
}
