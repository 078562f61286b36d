import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The members of the contract that the command calls")
struct ContractReachTests {
  @Test("A subcommand calls every member of the contract, or another member with the same effect")
  func complete() throws {
    let called = Set(ContractReach.methods.flatMap(\.calls))
    #expect(called.isDisjoint(with: ContractReach.otherMethods.keys))
    try expect(called.union(ContractReach.otherMethods.keys), "method")
    let properties = ContractReach.properties.flatMap(\.names.keys)
    try expect(Set(properties), "property")
    let settings = Set(ContractReach.settings.keys).union(ContractReach.otherSettings.keys)
    try expect(settings, "property", having: #"access="readwrite""#)
    let signals = Set(ContractReach.watched.keys).union(ContractReach.told.keys)
      .union(ContractReach.otherSignals.keys)
    try expect(signals, "signal")
  }

  private func expect(_ reached: Set<String>, _ kind: String, having text: String = "name") throws {
    let members = try members(kind, having: text)
    #expect(members.subtracting(reached).sorted() == [], "in the contract, and not reached")
    #expect(reached.subtracting(members).sorted() == [], "not in the contract")
  }

  @Test("Each subcommand calls the methods that the coverage lists")
  func methods() throws {
    let stage = try CommandStage()
    let monitor = try Monitor(of: stage.daemon)
    for (line, calls) in ContractReach.methods {
      let result = try stage.shell("set -e -o pipefail; \(line)")
      #expect(result.status == .exited(0), "\(line): \(result.errors)")
      let seen = try monitor.takeCalls()
      #expect(seen.isSuperset(of: calls), "\(line) calls \(seen.sorted())")
      #expect(seen.isDisjoint(with: ContractReach.otherMethods.keys), "\(line)")
    }
  }

  @Test("Each property is printed, and each writable property is set")
  func properties() throws {
    let stage = try CommandStage()
    try stage.output("view", "open", "--as", "org.example.Notes")
    let monitor = try Monitor(of: stage.daemon)
    for (property, line) in ContractReach.settings {
      #expect(try stage.shell(line).status == .exited(0), "\(line)")
      #expect(try monitor.takeSettings().contains(property), "\(line)")
    }
    for (command, names) in ContractReach.properties {
      let object = try #require(
        try stage.lines(command + ["--json"]).first.map { line in
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        } ?? nil)
      #expect(Set(object.keys).isSuperset(of: names.values), "\(command)")
    }
  }

  @Test("Each signal is printed")
  func signals() throws {
    let stage = try CommandStage()
    let watch = try stage.start("watch", "--json")
    _ = watch.nextLine()
    let drag = try stage.start(
      "drag", "--exec", "echo some", "--type", "text/plain;charset=utf-8", "--json")
    var told = [drag.nextLine() ?? ""]
    for arguments in [["propose"], ["propose", "--exit"], ["drop"]] {
      _ = try stage.lines(arguments)
    }
    while let line = drag.nextLine() { told.append(line) }
    for (signal, event) in ContractReach.told {
      #expect(told.contains { $0.contains("\"event\":\"\(event)\"") }, "\(signal)")
    }
    var missing = Set(ContractReach.watched.values)
    while !missing.isEmpty, let line = watch.nextLine() {
      missing = missing.filter { !line.contains("\"event\":\"\($0)\"") }
    }
    #expect(missing.isEmpty)
  }

  /// Returns the members of a kind, such as "Board.GetRows", whose XML element contains `text`.
  private func members(_ kind: String, having text: String = "name") throws -> Set<String> {
    let folder = Checkout.path("Sources/DragboardInterface/Interfaces")
    var members: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where file.hasSuffix(".xml") {
      let interface = file.dropLast(".xml".count).split(separator: ".").last ?? ""
      let elements = try Checkout.text(of: "Sources/DragboardInterface/Interfaces/\(file)")
        .split(separator: "<").filter { $0.hasPrefix("\(kind) name=\"") && $0.contains(text) }
      members.formUnion(elements.map { "\(interface).\($0.split(separator: "\"")[1])" })
    }
    return members
  }
}

/// A monitor of all calls to the daemon.
private struct Monitor {
  private let process: ChildProcess
  private let client: BusClient

  init(of daemon: Daemon) throws {
    client = try daemon.client()
    process = try ChildProcess(
      "dbus-monitor",
      ["--address", daemon.bus.address, "type='method_call',destination='\(Dragboard.busName)'"])
    // The monitor listens as soon as it has lost its own name.
    while let line = process.nextLine(), !line.contains("NameLost") {}
  }

  /// Returns the methods that were called since the last call of this function, such as
  /// "Board.GetRows".
  func takeCalls() throws -> Set<String> {
    let lines = try takeLines()
    return Set(
      lines.compactMap { line in
        let parts = line.components(separatedBy: "interface=\(Dragboard.busName).")
        guard parts.count == 2 else { return nil }
        return parts[1].replacing("; member=", with: ".")
      })
  }

  /// Returns the properties that were set since the last call of this function.
  func takeSettings() throws -> Set<String> {
    let lines = try takeLines()
    return Set(
      lines.indices.compactMap { index in
        guard lines[index].hasSuffix("member=Set") else { return nil }
        let words = lines[index...].dropFirst().prefix(2).compactMap {
          $0.split(separator: "\"").dropFirst().first
        }
        return words.joined(separator: ".").replacing("\(Dragboard.busName).", with: "")
      })
  }

  /// Returns the lines since the last call.
  ///
  /// A call of a method that no other client calls marks the end.
  private func takeLines() throws -> [String] {
    try client.wait(
      for: .call("Ping", of: PeerInterface.name, at: Dragboard.root, to: Dragboard.busName))
    var lines: [String] = []
    while let line = process.nextLine(), !line.hasSuffix("member=Ping") { lines.append(line) }
    return lines
  }
}
