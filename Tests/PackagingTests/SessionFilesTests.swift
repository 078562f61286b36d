import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Files for a session")
struct SessionFilesTests {
  private static let activation = "systemd/\(Dragboard.busName).service"
  private static let installed = "/usr/bin/dragboardd"
  private static let unit = "dragboardd.service"

  @Test("The activation file names the bus name, the command and the unit")
  func activationFile() throws {
    let file = try KeyFile(Checkout.text(of: Self.activation))
    #expect(file["D-BUS Service", "Name"] == Dragboard.busName.text)
    #expect(file["D-BUS Service", "Exec"] == Self.installed)
    #expect(file["D-BUS Service", "SystemdService"] == Self.unit)
  }

  @Test("The unit has the same bus name and the same command")
  func unitFile() throws {
    let file = try KeyFile(Checkout.text(of: "systemd/\(Self.unit)"))
    #expect(file["Service", "Type"] == "dbus")
    #expect(file["Service", "BusName"] == Dragboard.busName.text)
    #expect(file["Service", "ExecStart"] == Self.installed)
  }

  private static let units = [
    "systemd/\(unit)", "Desktop/data/dragboard-clipboard.service",
    "Link/data/dragboard-link.service", "Link/data/dragboard-link-server.service",
  ]

  @Test("systemd accepts the units", arguments: units)
  func verify(unit: String) throws {
    let bus = try PrivateBus()
    let path = bus.home.appending(path: unit.split(separator: "/").last ?? "").path
    let unit = try Checkout.text(of: unit)
      .replacing(/ExecStart=\S+/, with: "ExecStart=\(builtProduct("dragboardd"))")
    try Data(unit.utf8).write(to: URL(fileURLWithPath: path))
    let result = try run(
      "systemd-analyze", ["--user", "verify", path], environment: bus.environment)
    #expect(result.status == .exited(0))
    #expect(result.output + result.errors == "")
  }

  @Test("The units have no setting that needs a user namespace", arguments: units)
  func namespaces(unit: String) throws {
    let settings = try KeyFile(Checkout.text(of: unit))["Service"].keys
    let prefixes = ["Private", "Protect", "ProcSubset", "Capability", "Inaccessible", "ReadOnly"]
    #expect(settings.filter { name in prefixes.contains { name.hasPrefix($0) } } == [])
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

  /// Ends the daemon, so that the directory of the bus can be removed afterwards.
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
