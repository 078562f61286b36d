import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Files for a session")
struct SessionFilesTests {
  private static let activation = "systemd/\(Dragboard.busName).service"
  private static let installed = "/usr/bin/dragboardd"
  /// Bus names, with the unit and the command of each.
  private static let services = [
    (Dragboard.busName.text, "dragboardd.service", installed),
    (
      "org.dragboard.CallerInspector1", "dragboardd-inspector.service",
      "\(installed) --inspect-callers"
    ),
  ]

  @Test("An activation file names the bus name, the command and the unit", arguments: services)
  func activationFile(name: String, unit: String, command: String) throws {
    let file = try KeyFile(Checkout.text(of: "systemd/\(name).service"))
    #expect(file["D-BUS Service", "Name"] == name)
    #expect(file["D-BUS Service", "Exec"] == command)
    #expect(file["D-BUS Service", "SystemdService"] == unit)
  }

  @Test("The unit has the same bus name and the same command", arguments: services)
  func unitFile(name: String, unit: String, command: String) throws {
    let file = try KeyFile(Checkout.text(of: "systemd/\(unit)"))
    #expect(file["Service", "Type"] == "dbus")
    #expect(file["Service", "BusName"] == name)
    #expect(file["Service", "ExecStart"] == command)
  }

  @Test("systemd has nothing to say against a unit", arguments: services.map(\.1))
  func verify(name: String) throws {
    let bus = try PrivateBus()
    let path = bus.home.appending(path: name).path
    let unit = try Checkout.text(of: "systemd/\(name)")
      .replacingOccurrences(of: Self.installed, with: builtProduct("dragboardd"))
    try Data(unit.utf8).write(to: URL(fileURLWithPath: path))
    let result = try run(
      "systemd-analyze", ["--user", "verify", path], environment: bus.environment)
    #expect(result.status == .exited(0))
    #expect(result.output + result.errors == "")
  }

  @Test(
    "A unit is no more exposed than what it does leaves it, in tenths",
    arguments: [("dragboardd.service", 15), ("dragboardd-inspector.service", 59)])
  func exposure(unit: String, most: Int) throws {
    let bus = try PrivateBus()
    let result = try run(
      "systemd-analyze",
      [
        "--user", "security", "--offline=true", "--threshold=\(most)",
        Checkout.path("systemd/\(unit)"),
      ], environment: bus.environment)
    #expect(result.status == .exited(0), "\(result.output)")
  }

  @Test("The first call starts the daemon, without systemd")
  func activates() throws {
    let bus = try PrivateBus()
    let services = bus.home.appending(path: "data/dbus-1/services")
    try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
    let file = try Checkout.text(of: Self.activation)
      .replacingOccurrences(of: Self.installed, with: builtProduct("dragboardd"))
    try Data(file.utf8).write(to: services.appending(path: "\(Dragboard.busName).service"))

    let board = try send(
      on: bus, to: Dragboard.busName.text, Dragboard.root.text,
      "\(ManagerInterface.name).GetBoard", "string:\(Dragboard.defaultBoard)")
    #expect(board == Dragboard.boardPath("default").text)
    try stopDaemon(on: bus)
  }

  /// The bus's folder goes after the daemon has let go of it.
  private func stopDaemon(on bus: PrivateBus) throws {
    let reply = try send(
      on: bus, to: "org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetConnectionUnixProcessID",
      "string:\(Dragboard.busName)")
    let process = try #require(reply.split(separator: " ").last.flatMap { Int32($0) })
    #expect(kill(process, SIGTERM) == 0)
    #expect(
      try run("tail", ["--pid=\(process)", "-s", "0.01", "-f", "/dev/null"]).status.isSuccess)
  }

  private func send(
    on bus: PrivateBus, to name: String, _ words: String...
  ) throws -> String {
    let options = ["--session", "--print-reply=literal", "--dest=\(name)"]
    let result = try run("dbus-send", options + words, environment: bus.environment)
    #expect(result.status == .exited(0))
    #expect(result.errors == "")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
