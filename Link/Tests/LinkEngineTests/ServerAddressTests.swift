import Foundation
import Testing

@testable import LinkEngine

/// Changes of the server's address and password.
@Suite("dragboard-link server")
struct ServerAddressTests {
  private static let link = "dragboard-link"

  @Test("A machine continues with the new password of the server")
  func password() async throws {
    func authorize(_ password: String, in folder: TestFolder) {
      let text = "authorization { user: board, password: \(password) }"
      try? text.write(toFile: "\(folder.path)/conf", atomically: true, encoding: .utf8)
    }
    let server = try await TestServer { folder in
      authorize("old", in: folder)
      return ["-c", "\(folder.path)/conf"]
    }
    let anna = try CommandMachine()
    let url = try server.address().url
    func run(_ command: String, password: String) throws -> (status: Int32, text: String) {
      let file = "\(server.folder.path)/\(password)"
      try password.write(toFile: file, atomically: true, encoding: .utf8)
      return try anna.run(Self.link, command, url, "--user", "board", "--password-file", file)
    }
    #expect(try run("server", password: "old").status == 77, "the machine is not in a group")
    #expect(try run("setup", password: "old").status == 0)
    #expect(try anna.run(Self.link, "share", "default").status == 0)

    authorize("new", in: server.folder)
    server.stop()
    try await server.start()
    let refusal = try run("server", password: "wrong")
    #expect(refusal.status == 1)
    #expect(refusal.text.contains("refuses the user or the password"), "\(refusal.text)")
    #expect(try anna.store.load()?.server.password == "old")
    let result = try run("server", password: "new")
    #expect(result.status == 0)
    #expect(result.text.hasPrefix("The server of this machine is \(url).\n"), "\(result.text)")
    try anna.startService()
    try anna.run("dragboard", "add", "a row")
    try await eventually("anna has sent the row") {
      let status = try anna.boardStatus()
      return status.entries ?? 0 > 0 && status.pending == 0
    }
  }

  @Test("A service continues by itself after the server has refused the password for some time")
  func refusedPassword() async throws {
    @Sendable func authorize(_ password: String, in folder: TestFolder) {
      let text = "authorization { user: board, password: \(password) }"
      try? text.write(toFile: "\(folder.path)/conf", atomically: true, encoding: .utf8)
    }
    let server = try await TestServer { folder in
      authorize("right", in: folder)
      return ["-c", "\(folder.path)/conf"]
    }
    let anna = try CommandMachine()
    let file = "\(server.folder.path)/password"
    try "right".write(toFile: file, atomically: true, encoding: .utf8)
    let setup = try anna.run(
      Self.link, "setup", server.address().url, "--user", "board", "--password-file", file)
    #expect(setup.status == 0)
    try anna.share("errands")
    try anna.startService()
    try anna.run("dragboard", "add", "--board", "errands", "first")
    try await eventually("anna has sent the row") {
      let status = try anna.boardStatus()
      return status.entries ?? 0 > 0 && status.pending == 0
    }

    server.stop()
    authorize("other", in: server.folder)
    try await server.start()
    // The connection for drags does not rely on libnats, so some of the attempts are its own.
    try await eventually("libnats has given up, and the service tries again", seconds: 60) {
      try server.refusalCount > 8
    }
    try anna.run("dragboard", "add", "--board", "errands", "second")
    try await eventually("status gives the reason, and counts the edits that wait") {
      let status = try anna.run(Self.link, "status")
      return status.status == 1
        && status.text.contains(/refuses the user or the password; 1 edit since \d\d:\d\d waits/)
    }

    server.stop()
    authorize("right", in: server.folder)
    try await server.start()
    try await eventually("anna has sent the other row", seconds: 60) {
      let status = try anna.boardStatus()
      return status.entries ?? 0 > 1 && status.pending == 0
    }
    #expect(try anna.json(Self.link, "status", "--json")["error"] == nil)
  }

  @Test("A server without the data of the group is refused and gets no data")
  func otherServer() async throws {
    let (server, other) = (try await TestServer(), try await TestServer())
    let anna = try CommandMachine()
    let (url, otherURL) = (try server.address().url, try other.address().url)
    #expect(try anna.run(Self.link, "setup", url).status == 0)
    let result = try anna.run(Self.link, "server", otherURL)
    #expect(result.status == 1)
    #expect(result.text.contains("does not have the data of the group"), "\(result.text)")
    #expect(try anna.store.load()?.server.url == url)
    #expect(!FileManager.default.fileExists(atPath: "\(other.store)/jetstream/$G/streams"))
    #expect(try anna.run(Self.link, "server", "http://x").status == 64)
  }

  @Test("A running service that writes a new key retains the new address")
  func newKey() async throws {
    let server = try await TestServer()
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    try anna.beginGroup(on: server, as: "anna")
    try anna.admit(bert, as: "bert")
    try anna.startService()
    try await eventually("the service of anna runs") {
      try anna.run(Self.link, "status").text.contains("service  running")
    }
    let other = try server.address().url.replacing("127.0.0.1", with: "localhost")
    #expect(try anna.run(Self.link, "server", other).status == 0)
    #expect(try bert.run(Self.link, "leave").status == 0)
    try await eventually("anna has the new key") { try anna.store.load()?.keys.all.count == 2 }
    #expect(try anna.store.load()?.server.url == other)
  }
}
