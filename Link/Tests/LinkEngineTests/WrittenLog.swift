import LinkModel

@testable import LinkEngine

/// A log of five entries on a server, and the server's owner, who can change the log.
///
/// The superclass of suites; its properties are constants of sendable types.
class WrittenLog: @unchecked Sendable {
  let server: TestServer
  let keys = GroupKeys.random()
  let id = LogID.random()
  let writer: TestMachine
  let owner: LyingServer

  init() async throws {
    server = try await TestServer()
    writer = try TestMachine(server, keys: keys)
    try await writer.append((1...5).map { batch("edit \($0)") }, to: id)
    owner = LyingServer(try writer.log(id))
  }

  func newMachine() throws -> TestMachine { try TestMachine(server, keys: keys) }
}
