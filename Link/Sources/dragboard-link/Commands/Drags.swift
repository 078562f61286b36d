import LinkArguments
import LinkEngine
import LinkState

extension LinkDrags: PerformedSubcommand {
  func perform() throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    try store.openState().setSharesDrags(setting == .on)
  }
}
