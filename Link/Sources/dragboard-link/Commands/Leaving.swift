import ArgumentParser
import LinkEngine

struct Remove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove another machine and change the key of the group.")

  @Argument(help: "Name of the machine.")
  var machine: String

  func run() async throws {
    try await ConfigurationStore.ofUser.openGroup().remove(named: machine)
  }
}

struct Leave: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leave the group; this machine retains its copies of the boards.")

  @Flag(help: "Remove only the keys from this machine; do not connect to the server.")
  var offline = false

  func run() async throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    let group = offline ? nil : try store.openGroup()
    try ServiceLock.stopService(in: store)
    if let group { try await group.leave() } else { try store.remove() }
  }
}
