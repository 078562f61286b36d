import ArgumentParser
import Files
import LinkEngine

struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the server, the machines and the shared boards.")

  func run() async throws {
    let store = ConfigurationStore.ofUser
    guard let configuration = try store.load() else { throw NotConfigured() }
    var lines = [
      "server   \(configuration.server.url)", "machine  \(configuration.machineName)",
      "service  \(ServiceLock.isHeld(in: store) ? "running" : "not running")",
    ]
    lines += ServiceReport.read(from: store).map { "         \($0)" }
    var failure: (any Error)?
    do {
      let group = try store.openGroup()
      try await group.update()
      lines += await describe(group)
    } catch {
      failure = error
    }
    FileDescriptor.standardOutput.print(lines.map { $0 + "\n" }.joined())
    if let failure { throw failure }
  }

  private func describe(_ group: Group) async -> [String] {
    let state = await group.state
    var lines = ["key      \(state.epoch)"]
    for name in state.machines.values.map(\.name).sorted() { lines.append("member   \(name)") }
    for (log, name) in state.boards.sorted(by: { $0.value < $1.value }) {
      let entries = try? await group.log(of: log).lastNumber()
      lines.append("board    \(name): \(entries.map { "\($0) entries" } ?? "not readable")")
    }
    return lines
  }
}
