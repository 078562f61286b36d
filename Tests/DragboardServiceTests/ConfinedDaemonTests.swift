import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@testable import DragboardService

/// What gives a program a user namespace of its own, and mounts of its own, as the unit does.
private enum Confinement {
  static let command = ["unshare", "--user", "--map-current-user", "--mount"]

  static var isPossible: Bool {
    let result = try? run(command[0], command.dropFirst() + ["true"])
    return Relay.Wall.mountNamespace.isPossible && result?.status.isSuccess ?? false
  }
}

/// A daemon in a user namespace of its own sees no other process's root, and is told by the inspector what is there.
@Suite(
  "A confined daemon", .enabled(if: Confinement.isPossible, "needs user namespaces"))
struct ConfinedDaemonTests {
  private static let inspector = InspectorInterface.busName

  private let daemon: Daemon

  init() throws { daemon = try Daemon([], by: Confinement.command) }

  /// Has the bus start the inspector when it is asked.
  private func installInspector(for daemon: Daemon? = nil) throws {
    let daemon = daemon ?? self.daemon
    let folder = daemon.bus.home.appending(path: "data/dbus-1/services")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "\(Self.inspector).service"
    let file = try Checkout.text(of: "systemd/\(name)")
      .replacingOccurrences(of: "/usr/bin/dragboardd", with: builtProduct("dragboardd"))
    try Data(file.utf8).write(to: folder.appending(path: name))
    _ = try daemon.run(
      "dbus-send",
      ["--session", "--print-reply", "--dest=org.freedesktop.DBus"]
        + ["/", "org.freedesktop.DBus.ReloadConfig"])
  }

  private func startInspector(_ options: String...) throws -> ChildProcess {
    let process = try ChildProcess(
      builtProduct("dragboardd"), ["--inspect-callers"] + options,
      environment: daemon.bus.environment)
    let client = try daemon.client()
    while try !client.owns(Self.inspector), process.status == nil { usleep(1_000) }
    return process
  }

  private func expectNoSandbox(_ client: BusClient) throws {
    _ = try client.beginDrag(as: "org.any.App")
    _ = try client.call(BoardInterface.clear)
  }

  private func expectDoubt(_ client: BusClient) {
    expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: "org.any.App") }
    expect(.accessDenied) { _ = try client.call(BoardInterface.clear) }
  }

  // MARK: The two together

  @Test("It tells who is in a sandbox, and in which, and doubts nobody who is in none")
  func told() throws {
    try installInspector()
    try expectNoSandbox(daemon.client())
    let relay = try Relay(on: daemon.bus, as: "org.team.group.Boxed")
    let boxed = try relay.client()
    _ = try boxed.beginDrag(as: "org.team.group.Boxed")
    expect(.accessDenied, naming: "application") { _ = try boxed.beginDrag(as: "org.any.App") }
    expect(.accessDenied) { _ = try boxed.call(BoardInterface.clear) }
    let nameless = try Relay(on: daemon.bus, behind: .mountNamespace, info: "no key file")
    try expectDoubt(nameless.client())
    let orphan = try Relay(on: daemon.bus, isOrphan: true)
    try expectDoubt(orphan.client())
    withExtendedLifetime((relay, nameless, orphan)) {}
  }

  @Test("Many that come at once are all told")
  func many() throws {
    try installInspector()
    let relay = try Relay(on: daemon.bus, as: "org.team.group.Boxed")
    let clients = try (0..<200).map { try $0 % 2 == 0 ? daemon.client() : relay.client() }
    daemon.signal(SIGSTOP)
    let calls = clients.map { client in
      let call = Message.call(
        "BeginDrag", of: ManagerInterface.name, at: Dragboard.root, to: Dragboard.busName)
      call.append("org.any.App")
      return client.send([call])
    }
    daemon.signal(SIGCONT)
    for (index, call) in calls.enumerated() {
      #expect(call.errors() == [index % 2 == 0 ? "" : "AccessDenied"], "\(index)")
    }
    withExtendedLifetime(relay) {}
  }

  @Test("Whoever comes while the inspector leaves is told, too")
  func leaving() throws {
    try installInspector()
    let asking = try daemon.client()
    for round in 0..<20 {
      _ = try asking.inspect(asking.name)
      let inspector = try asking.processID(of: Self.inspector)
      let clients = try (0..<20).map { _ in try daemon.client() }
      daemon.signal(SIGSTOP)
      let calls = clients.map { $0.send([getting(BoardInterface.count), .clear]) }
      daemon.signal(SIGCONT)
      usleep(UInt32(round) * 300)
      #expect(kill(inspector, SIGTERM) == 0)
      for call in calls { #expect(call.errors() == ["", ""], "\(round)") }
    }
  }

  // MARK: Without an inspector's word

  @Test("Where there is no inspector it counts everybody as who cannot be told")
  func alone() throws {
    let client = try daemon.client()
    expectDoubt(client)
    try installInspector()
    // It is looked at again when a second is over.
    while (try? client.beginDrag(as: "org.any.App")) == nil {}
    try expectNoSandbox(client)
  }

  @Test("A daemon that is not confined asks none, though its caller is gone")
  func unconfined() throws {
    let daemon = try Daemon()
    try installInspector(for: daemon)
    let orphan = try Relay(on: daemon.bus, isOrphan: true)
    try expectDoubt(orphan.client())
    #expect(try !daemon.client().owns(Self.inspector))
    withExtendedLifetime(orphan) {}
  }

  @Test("An inspector that does not answer is waited for ten seconds", .timeLimit(.minutes(1)))
  func silent() throws {
    let silent = try daemon.client()
    #expect(try silent.connection.requestName(Self.inspector) == .owner)
    let time = try ContinuousClock().measure { try expectDoubt(daemon.client()) }
    #expect(time > .seconds(9))
    withExtendedLifetime(silent) {}
  }

  @Test("An answer counts from nobody but who has the inspector's name")
  func forged() throws {
    let asked = try daemon.client()
    let server = ObjectServer(asked.connection)
    var question: Message?
    server.admit = { (call) throws(DBusError) in
      question = call
      return .putOff
    }
    #expect(try asked.connection.requestName(Self.inspector) == .owner)
    let client = try daemon.client()
    let calls = client.send([getting(BoardInterface.count), .clear])
    asked.run { question != nil }

    let forger = try daemon.client()
    let forged = Message.reply(to: try #require(question))
    forged.append([String: [UInt8]](), ["flatpak-info", "control-groups"])
    forger.connection.send(forged)
    #expect(calls.errors() == ["", "AccessDenied"])
  }

  // MARK: The inspector by itself

  @Test("It looks at connections by their unique names, and at nothing else")
  func arguments() throws {
    let process = try startInspector()
    let client = try daemon.client()
    for name in ["", "x", "org.dragboard.Dragboard1", ":1.5 ", "/proc/1"] {
      expect(.invalidArgs, naming: "connection") { _ = try client.inspect(name) }
    }
    expect(.nameHasNoOwner) { _ = try client.inspect(":1.999999") }
    expect(.invalidArgs) {
      let call = Message.inspect
      call.append(UInt32(1))
      try client.wait(for: call)
    }
    let own = try client.inspect(client.name)
    #expect(own.1 == ["flatpak-info"])
    #expect(
      own.0["control-groups"] == Array(try Data(contentsOf: URL(filePath: "/proc/self/cgroup"))))
    let relay = try Relay(on: daemon.bus, as: "org.team.group.Boxed")
    let boxed = try relay.client()
    let seen = try client.inspect(boxed.name)
    #expect(seen.0["flatpak-info"] == Array("[Application]\nname=org.team.group.Boxed\n".utf8))
    #expect(seen.1 == [])
    process.kill(SIGTERM)
    #expect(process.waitForExit() == .exited(0))
    withExtendedLifetime(relay) {}
  }

  @Test("It leaves when nobody asks it any more, and a second one gives way to the first")
  func idle() throws {
    let process = try startInspector("--idle-timeout", "0.5")
    #expect(try startInspector().waitForExit() == .exited(3))
    #expect(process.waitForExit() == .exited(0))
  }
}

extension BusClient {
  fileprivate func inspect(_ name: String) throws(DBusError) -> ([String: [UInt8]], [String]) {
    let call = Message.inspect
    call.append(name)
    return try wait(for: call).arguments(as: [String: [UInt8]].self, [String].self)
  }

  fileprivate func processID(of name: BusName) throws(DBusError) -> pid_t {
    let call = Message.call(
      "GetConnectionUnixProcessID", of: BusInterface.name, at: BusInterface.path, to: .bus)
    call.append(name.text)
    let number = try wait(for: call).arguments(as: UInt32.self)
    return Int32(bitPattern: number)
  }

  fileprivate func owns(_ name: BusName) throws(DBusError) -> Bool {
    let call = Message.call(
      "NameHasOwner", of: BusInterface.name, at: BusInterface.path, to: .bus)
    call.append(name.text)
    return try wait(for: call).arguments(as: Bool.self)
  }
}

extension Message {
  /// Without its argument.
  fileprivate static var inspect: Message {
    .call(
      "Inspect", of: InspectorInterface.name, at: InspectorInterface.path,
      to: InspectorInterface.busName)
  }

  fileprivate static var clear: Message {
    .call("Clear", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName)
  }
}
