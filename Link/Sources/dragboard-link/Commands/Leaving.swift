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
    try ServiceLock.stopService(in: store)
    if let group { try await group.leave() } else { try store.remove() }
  }
}
