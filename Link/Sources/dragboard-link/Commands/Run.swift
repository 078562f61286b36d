import ArgumentParser
import DragboardClient
import LinkEngine

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Exchange edits until the session ends; the systemd unit runs this.")

  func run() throws {
    let store = ConfigurationStore.ofUser
    guard let configuration = try store.load() else { throw NotConfigured() }
    let lock = try ServiceLock(in: store)
    defer { withExtendedLifetime(lock) {} }
    let server = try NATSConnection(to: configuration.server)
    do {
      try DragboardConnection.run(isInterruptible: true) { connection in
        try await LinkService(configuration, in: store, on: server, bus: connection).run()
      }
    } catch is Interrupted {}
  }
}
