import Foundation
import TestSupport
import Testing

@testable import LinkEngine

@Suite("The server of a machine of the group")
struct HostedServerTests {
  @Test("Only a member with the pinned certificate connects, and a removed member is disconnected")
  func members() async throws {
    var settings = HostedServer(port: try freePort(), networkName: nil, place: "here")
    let (anna, bert) = (settings.admit(hasJoined: true), settings.admit(hasJoined: true))
    let server = try await HostedTestServer(settings)
    defer { withExtendedLifetime(server) {} }
    let connection = try NATSConnection(
      to: try HostedTestServer.address(settings, anna.login), waits: false)
    #expect(connection.isConnected)
    _ = try NATSConnection(to: try HostedTestServer.address(settings, bert.login), waits: false)
    #expect(throws: LinkError.self, "a key that is not a member's") {
      try NATSConnection(to: try HostedTestServer.address(settings, .random()), waits: false)
    }
    let forged = ServerCertificate(signedBy: .random())
    #expect(throws: LinkError.self, "another certificate") {
      try NATSConnection(
        to: try HostedTestServer.address(settings, anna.login, certificate: forged), waits: false)
    }
    settings.update([bert.boxKeys.publicKey], now: 0)
    try await server.reload(settings)
    try await eventually("the removed machine is disconnected") { !connection.isConnected }
    _ = try NATSConnection(to: try HostedTestServer.address(settings, bert.login), waits: false)
  }

  @Test("A connection comes back when the server accepts a key that it has refused for some time")
  func refusedKey() async throws {
    var settings = HostedServer(port: try freePort(), networkName: nil, place: "here")
    let (anna, bert) = (settings.admit(hasJoined: true), settings.admit(hasJoined: true))
    let server = try await HostedTestServer(settings)
    let connection = try NATSConnection(
      to: try HostedTestServer.address(settings, anna.login), waits: false)
    var withoutAnna = settings
    withoutAnna.update([bert.boxKeys.publicKey], now: 0)
    try await server.reload(withoutAnna)
    // libnats does not connect again after the second refusal.
    try await eventually("the key is refused, and another connection is made", seconds: 60) {
      #expect(!connection.isConnected || server.refusalCount == 0)
      return server.refusalCount > 4
    }
    try await server.reload(settings)
    try await eventually("the key is accepted", seconds: 60) { connection.isConnected }
    let stream = Stream(connection: connection, name: "x")
    try stream.create(.init(subjects: "x", isLog: true))
    #expect(try stream.lastNumber() == 0)
  }

  @Test("A machine connects while the server reads the keys of the machines again")
  func reload() async throws {
    var settings = HostedServer(port: try freePort(), networkName: nil, place: "here")
    let anna = settings.admit(hasJoined: true)
    let server = try await HostedTestServer(settings)
    let address = try HostedTestServer.address(settings, anna.login)
    for _ in 0..<40 {
      _ = settings.admit()
      let changed = settings
      async let reload: Void = server.reload(changed)
      for _ in 0..<5 { _ = try NATSConnection(to: address, waits: false) }
      try await reload
    }
  }

  @Test("A removal deletes the keys of unused invitations; a join keeps them")
  func update() {
    var settings = HostedServer(port: 1, networkName: nil, place: "here")
    let (anna, bert) = (settings.admit(hasJoined: true), settings.admit())
    let unused = settings.admit()
    settings.update([anna.boxKeys.publicKey, bert.boxKeys.publicKey], now: 0)
    #expect(settings.members.map(\.hasJoined) == [true, true, false])
    #expect(settings.members.last?.login == unused.login.publicKey)
    settings.update([anna.boxKeys.publicKey], now: 0)
    #expect(settings.members.map(\.publicKey) == [anna.boxKeys.publicKey])
  }

  @Test("An unused invitation expires after a day; a used one does not")
  func expiry() {
    var settings = HostedServer(port: 1, networkName: nil, place: "here")
    let anna = settings.admit(hasJoined: true)
    let (used, unused) = (settings.admit(invited: 1_000), settings.admit(invited: 1_000))
    let keys = Set([anna, used].map(\.boxKeys.publicKey))
    settings.update(keys, now: 1_000 + 86_399)
    #expect(settings.invitationCount == 1)
    #expect(settings.members.last?.login == unused.login.publicKey)
    settings.update(keys, now: 1_000 + 86_400)
    #expect(settings.invitationCount == 0)
    #expect(Set(settings.members.map(\.publicKey)) == keys)
  }

  @Test("The file of the settings has all of them, and only its user can read it")
  func file() throws {
    let folder = try TestFolder()
    let store = ConfigurationStore(
      directory: folder.path + "/keys", stateDirectory: folder.path + "/state")
    #expect(try store.loadRoute() == nil)
    var settings = HostedServer(port: 4_242, networkName: "desktop.local", place: "a b")
    for time: UInt64? in [nil, 5] { _ = settings.admit(invited: time) }
    _ = settings.admit(hasJoined: true)
    try store.updateRoute { [settings] in $0 = .hosted(settings) }
    #expect(try store.loadRoute() == .hosted(settings))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/keys/route")
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let tunnel = try Tunnel(
      to: "anna@desktop", localPort: 4_243, remotePort: 4_242, agent: "/run/agent")
    try store.updateRoute { $0 = .tunnel(tunnel) }
    #expect(try store.loadRoute() == .tunnel(tunnel))
    #expect(throws: Tunnel.Problem.self) {
      try Tunnel(to: "-oProxyCommand=x", localPort: 1, remotePort: 1, agent: nil)
    }
    try store.updateRoute { $0 = nil }
    #expect(try store.loadRoute() == nil)
  }

  @Test("The texts of login keys are those of NATS")
  func loginKeys() {
    // Source: https://github.com/nats-io/nkeys: a seed of 32 zeros.
    let key = SigningKey(seed: [UInt8](repeating: 0, count: 32))
    #expect(LoginKey.text(ofSeed: key.seed).hasPrefix("SUAA"))
    #expect(LoginKey.text(ofPublic: key.publicKey).hasPrefix("U"))
    #expect(LoginKey.text(ofSeed: key.seed).utf8.count == 58)
    #expect(LoginKey.text(ofPublic: key.publicKey).utf8.count == 56)
  }

  @Test("An invitation to the server contains the same certificate and the secret of the machine")
  func invitation() throws {
    var settings = HostedServer(port: 4_242, networkName: nil, place: "here")
    let own = try LinkConfiguration(hosting: &settings, machineName: "desktop")
    let secret = settings.admit()
    let host = GroupHost(
      machine: "desktop", certificate: settings.certificate, login: secret.login)
    let invitation = Invitation(
      server: try ServerAddress(url: "tls://desktop.local:4242", host: host), keys: own.keys,
      anchors: [:], secret: secret)
    #expect(invitation.line.hasPrefix("dragboard-link-2."))
    let copy = try Invitation(line: invitation.line)
    #expect(copy == invitation)
    let machine = try LinkConfiguration(copy, machineName: "laptop")
    #expect(machine.server.host?.certificate.text == settings.certificate.text)
    #expect(machine.server.host?.login.publicKey == settings.members.last?.login)
    #expect(try LinkConfiguration(text: machine.text).server == machine.server)
  }
}
