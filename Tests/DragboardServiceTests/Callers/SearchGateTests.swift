import DBus
import TestSupport
import Testing

@testable import DragboardService

@Suite("The order of searches")
struct SearchGateTests {
  private let local: LocalService
  private let gate: SearchGate

  init() throws {
    local = try LocalService()
    gate = SearchGate(local.service.scheduler)
  }

  /// Begins a search, which is in progress until `end`.
  private func begin(_ name: String, _ command: Command, _ begun: Begun) {
    gate.begin(command, in: command.step) { _ in begun.names.append(name) }
  }

  private final class Begun {
    var names: [String] = []
  }

  @Test("A client has one search in progress at a time, and waits for no other client")
  func oneEach() throws {
    let begun = Begun()
    let (many, single) = (try local.command(of: ":1.1"), try local.command(of: ":1.2"))
    for number in 0..<3 {
      try gate.admit(many)
      begin("many \(number)", many, begun)
    }
    try gate.admit(single)
    begin("single", single, begun)
    #expect(begun.names == ["many 0", "single"])
    local.service.scheduler.step { gate.end(of: single, in: $0) }
    for count in 3...4 {
      local.service.scheduler.step { gate.end(of: many, in: $0) }
      local.loop.wait { begun.names.count == count }
      #expect(gate.isInUse)
    }
    #expect(begun.names == ["many 0", "single", "many 1", "many 2"])
    local.service.scheduler.step { gate.end(of: many, in: $0) }
    local.loop.wait { !gate.isInUse }
  }

  @Test("A client has at most 64 searches")
  func limit() throws {
    let command = try local.command(of: ":1.1")
    for _ in 0..<64 { try gate.admit(command) }
    let error = #expect(throws: DBusError.self) { try gate.admit(command) }
    #expect(error?.name == .limitsExceeded)
    #expect(error?.message.contains("searches") == true)
    local.service.scheduler.step { gate.end(of: command, in: $0) }
    try gate.admit(command)
  }
}
