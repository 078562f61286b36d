import Foundation
import TestSupport
import Testing

@testable import LinkEngine

@Suite(
  "dragboard link host", .serialized,
  .enabled(if: TestNetwork.hasAvahi, "this test needs network namespaces and Avahi"))
struct LocalNetworkTests {
  /// The addresses at which programs of a machine listen.
  private func listening(on machine: CommandMachine) throws -> [String] {
    try machine.run("ss", "-Hltn").text.split(separator: "\n")
      .compactMap { $0.split(separator: " ").dropFirst(3).first.map(String.init) }.sorted()
  }

  @Test("Two commands and one line lead to a shared board, also after the host has a new address")
  func twoCommands() async throws {
    let folder = try TestFolder()
    let network = try TestNetwork(hostCount: 2, avahiFolder: folder.path)
    let laptop = try CommandMachine(on: network.hosts[0])
    let desktop = try CommandMachine(on: network.hosts[1])
    defer { for machine in [laptop, desktop] { machine.endStartedServices() } }
    try desktop.run("dragboard", "board", "add", "errands")
    // A group for machines that use ssh opens no port on the network, nor does anything before.
    #expect(try listening(on: desktop) == [])
    #expect(try listening(on: laptop) == [])

    let start = ContinuousClock.now
    let invited = try desktop.run("dragboard", "link", "host")
    try #require(invited.status == 0, "\(invited.text)")
    let line = try #require(invited.text.split(separator: "\n").last).description
    print("the line has \(line.utf8.count) bytes")
    #expect(line.utf8.count < 700)
    let joined = try laptop.run("dragboard", "link", "join", input: line)
    try #require(joined.status == 0, "\(joined.text)")
    #expect(try desktop.run("dragboard", "link", "share", "errands").status == 0)
    #expect(try desktop.run("dragboard", "add", "--board", "errands", "first").status == 0)
    try await eventually("the laptop has the row") { try laptop.rows().contains("first") }
    print("host, join and a row: \(ContinuousClock.now - start)")
    #expect(try listening(on: laptop) == [])
    #expect(try listening(on: desktop) == ["*:4242"])
    let services = try laptop.run("avahi-browse", "-rpt", "_dragboard._tcp").text
    #expect(services.contains("host1.local;10.0.0.2;4242"), "\(services)")

    // A line is for one machine.
    let other = try CommandMachine(on: network.hosts[0])
    let refused = try other.run("dragboard", "link", "join", input: line)
    #expect(refused.status == 64 && refused.text.contains("already joined"), "\(refused.text)")

    try network.setAddress("10.0.0.77", of: 1)
    #expect(try desktop.run("dragboard", "add", "--board", "errands", "second").status == 0)
    let moved = ContinuousClock.now
    try await eventually("the row arrives from the new address", seconds: 60) {
      try laptop.rows().contains("second")
    }
    print("after a new address: \(ContinuousClock.now - moved)")

    #expect(try desktop.run("dragboard", "link", "host", "--off").status == 0)
    let ports = try listening(on: desktop)
    #expect(!ports.contains("*:4242"))
    try await eventually("the server listens on this machine only") {
      try listening(on: desktop) == ["127.0.0.1:4242"]
    }
    #expect(try laptop.run("dragboard", "add", "--board", "errands", "third").status == 0)
    try await eventually("the laptop says that its edit waits", seconds: 40) {
      let text = try laptop.run("dragboard", "link", "status").text
      return text.contains(/is not reachable since \d\d:\d\d; 1 edit since \d\d:\d\d waits/)
    }
  }

  @Test("A line that no machine has used is withdrawn, and expires")
  func invitations() async throws {
    let folder = try TestFolder()
    let network = try TestNetwork(hostCount: 2, avahiFolder: folder.path)
    let desktop = try CommandMachine(on: network.hosts[0])
    let laptop = try CommandMachine(on: network.hosts[1])
    defer { for machine in [laptop, desktop] { machine.endStartedServices() } }
    func line(_ command: String...) throws -> String {
      let (status, text) = try desktop.run(["dragboard", "link"] + command)
      try #require(status == 0, "\(text)")
      return text.split(separator: "\n").last.map(String.init) ?? ""
    }
    func isRefused(_ line: String) throws -> Bool {
      let (status, text) = try laptop.run("dragboard", "link", "join", input: line)
      #expect(status == 0 || text.contains("because it was withdrawn"), "\(text)")
      return status == 64
    }
    let first = try line("host")
    let second = try line("invite")
    #expect(try desktop.run("dragboard", "link", "status").text.contains("2 lines were not used"))
    #expect(try desktop.json("dragboard", "link", "status", "--json")["invitations"] as? Int == 2)
    #expect(try line("invite", "--withdraw") == "2 lines are withdrawn.")
    for line in [first, second] { #expect(try isRefused(line)) }
    #expect(try line("invite", "--withdraw") == "0 lines are withdrawn.")

    let third = try line("invite")
    // A day passes.
    let store = desktop.ownStore
    try store.updateRoute { route in
      guard case .hosted(var server) = route else { return }
      for index in server.members.indices { server.members[index].invited? -= 86_400 }
      route = .hosted(server)
    }
    // The link removes expired invitations when the group changes, and every ten minutes.
    _ = try line("share", "default")
    try await eventually("the key is removed") { try store.loadServer()?.invitationCount == 0 }
    // With the new key, the server has read all keys again.
    let fourth = try line("invite")
    #expect(try isRefused(third))
    #expect(try isRefused(fourth) == false)
    let refused = try laptop.run("dragboard", "link", "invite", "--withdraw")
    #expect(refused.status == 77 && refused.text.contains("runs the server"), "\(refused.text)")
    // The line of the machine that has joined was used.
    #expect(try line("invite", "--withdraw") == "0 lines are withdrawn.")
    #expect(try laptop.run("dragboard", "link", "status").status == 0)
  }
}

extension CommandMachine {
  /// The list of the rows of the board `errands`.
  fileprivate func rows() throws -> String {
    try run("dragboard", "list", "--board", "errands").text
  }
}
