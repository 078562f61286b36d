import ArgumentParser
import LinkEngine
import LinkState

struct Drags: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set whether drags cross machines; the default is on.")

  enum Setting: String, CaseIterable, ExpressibleByArgument {
    case on, off
  }

  @Argument(help: "The new setting.")
  var setting: Setting

  func run() throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    try store.openState().setSharesDrags(setting == .on)
  }
}
