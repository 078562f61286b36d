import Foundation
import TestSupport
import Testing

@testable import LinkEngine

@Suite("The connection to a server")
struct ConnectionTests {
  @Test("A wrong password is refused")
  func password() async throws {
    let server = try await TestServer { _ in ["--user", "board", "--pass", "right"] }
    _ = try NATSConnection(to: server.address(user: "board", password: "right"), waits: false)
    for (user, password) in [("board", "wrong"), ("", "")] {
      let error = #expect(throws: LinkError.self) {
        try NATSConnection(to: server.address(user: user, password: password), waits: false)
      }
      #expect("\(try #require(error))".contains("refuses the user or the password"))
    }
  }

  @Test("A server without JetStream is refused")
  func jetStream() async throws {
    let server = try await TestServer { folder in
      let file = folder.path + "/conf"
      let accounts = "accounts { A { users: [{user: a, password: b}] } }"
      _ = FileManager.default.createFile(atPath: file, contents: Data(accounts.utf8))
      return ["-c", file]
    }
    let connection = try NATSConnection(
      to: server.address(user: "a", password: "b"), waits: false)
    #expect(throws: LinkError.noJetStream(server: connection.server.url)) {
      try Stream(connection: connection, name: "x").create(.init(subjects: "x", isLog: true))
    }
  }

  @Test("TLS needs a certificate of the given authority for the name of the server")
  func tls() async throws {
    let server = try await TestServer(scheme: "tls") { folder in
      makeCertificate(in: folder.path)
      return [
        "--tls", "--tlscert", folder.path + "/cert.pem", "--tlskey", folder.path + "/key.pem",
      ]
    }
    let certificate = try String(contentsOfFile: server.folder.path + "/cert.pem", encoding: .utf8)
    let connection = try NATSConnection(
      to: server.address(certificates: certificate), waits: false)
    #expect(connection.isConnected)
    #expect(throws: LinkError.self) { try NATSConnection(to: server.address(), waits: false) }
    let other = try TestFolder()
    makeCertificate(in: other.path)
    let foreign = try String(contentsOfFile: other.path + "/cert.pem", encoding: .utf8)
    #expect(throws: LinkError.self) {
      try NATSConnection(to: server.address(certificates: foreign), waits: false)
    }
    let plain = try ServerAddress(url: "nats://127.0.0.1:\(server.port)")
    #expect(throws: LinkError.self) { try NATSConnection(to: plain, waits: false) }
  }

  @Test("The link starts again if an attempt to connect does not end, because the server is silent")
  func stalledAttempt() async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    let (folder, port) = (try TestFolder(), try freePort())
    let greeting =
      #"INFO {"server_id":"x","version":"2.9.0","proto":1,"max_payload":1048576,"headers":true}"#
    let script = """
      printf '%s\\r\\n' '\(greeting)'
      echo $$ > \(folder.path)/process
      exec sleep 600
      """
    try script.write(toFile: "\(folder.path)/script", atomically: true, encoding: .utf8)
    let silent = try TestProgram(
      [
        "socat", "-lf", "/dev/null", "TCP-LISTEN:\(port),bind=127.0.0.1,reuseaddr",
        "EXEC:bash \(folder.path)/script",
      ], ProcessInfo.processInfo.environment)
    defer { silent.kill() }
    try anna.run("dragboard", "add", "--board", "errands", "first")
    try anna.useServer("nats://127.0.0.1:\(port)")
    try bert.startService()
    try anna.startService()
    try await eventually("the link connects to the silent server") {
      FileManager.default.fileExists(atPath: "\(folder.path)/process")
    }
    // The first connection remains, and the next one reaches the real server.
    let relay = try TestProgram(
      [
        "socat", "-lf", "/dev/null", "TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr",
        "TCP:127.0.0.1:\(server.port)",
      ], ProcessInfo.processInfo.environment)
    defer { relay.kill() }
    try await eventually("the row arrives", seconds: 150) {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("first")
    }
  }

  private func makeCertificate(in folder: String) {
    let arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
      "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
    ]
    _ = try? run("openssl", arguments)
  }

  @Test(
    "An address has a scheme, a host and a valid port",
    arguments: [
      "", "host", "http://host", "nats://", "nats://host:0", "nats://host:70000", "nats://host:x",
      "nats://a b", "nats://host,nats://other", "nats://host/path", "nats://hö",
    ])
  func badAddresses(url: String) {
    #expect(throws: ServerAddress.Problem.self) { try ServerAddress(url: url) }
  }

  @Test("The user and the password are removed from an address")
  func credentials() throws {
    let full = try ServerAddress(url: "tls://ann:p:w@host:4222/")
    #expect(full.url == "tls://host:4222" && full.user == "ann" && full.password == "p:w")
    #expect(full.isEncrypted)
    let token = try ServerAddress(url: "nats://secret@[::1]:4222")
    #expect(token.url == "nats://[::1]:4222" && token.user == "" && token.password == "secret")
  }
}
