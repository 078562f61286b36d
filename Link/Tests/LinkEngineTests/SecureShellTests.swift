import Foundation
import TestSupport
import Testing

@testable import LinkEngine

@Suite(
  "dragboard link with", .serialized,
  .enabled(if: SecureShell.isAvailable, "this test starts an ssh server as root"))
struct SecureShellTests {
  /// A laptop and a desktop, which ssh reaches; the programs are in `~/.local/bin` of the desktop.
  private struct Pair {
    let network: TestNetwork
    let laptop: CommandMachine
    let desktop: CommandMachine
    let shell: SecureShell

    init(passphrase: String = "") async throws {
      network = try TestNetwork(hostCount: 2)
      desktop = try CommandMachine(on: network.hosts[1])
      shell = try await SecureShell(
        on: network.hosts[1], environment: desktop.environment, passphrase: passphrase)
      laptop = try CommandMachine(on: network.hosts[0], programs: shell.programs)
      let folder = desktop.home + "/.local/bin"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let program = try laptop.run("which", "dragboard-link").text
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/dragboard-link",
        withDestinationPath: program.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func end() {
      laptop.endStartedServices()
      desktop.endStartedServices()
    }

    /// Waits until a row of one machine is on the other.
    func exchange(_ text: String, from one: CommandMachine, to other: CommandMachine) async throws {
      #expect(try one.run("dragboard", "add", "--board", "shared", text).status == 0)
      try await eventually("\(text) is on the other machine", seconds: 60) {
        try other.run("dragboard", "list", "--board", "shared").text.contains(text)
      }
    }
  }

  @Test("One command leads to a board on both machines, and opens no port on the network")
  func oneCommand() async throws {
    let pair = try await Pair()
    defer { pair.end() }
    let start = ContinuousClock.now
    let result = try pair.laptop.run("dragboard", "link", "with", "desktop")
    try #require(result.status == 0, "\(result.text)")
    let linked = ContinuousClock.now - start
    #expect(result.text.contains("Shared boards: shared\n"), "\(result.text)")
    try await eventually("the desktop has the board") {
      try pair.desktop.run("dragboard", "boards").text.contains("shared")
    }
    try await pair.exchange("from the desktop", from: pair.desktop, to: pair.laptop)
    print("with: \(linked), to a row: \(ContinuousClock.now - start)")
    try await pair.exchange("from the laptop", from: pair.laptop, to: pair.desktop)
    for machine in [pair.laptop, pair.desktop] {
      let listening = try machine.run("ss", "-Hltn").text.split(separator: "\n")
        .compactMap { $0.split(separator: " ").dropFirst(3).first }
      #expect(listening.filter { !$0.hasPrefix("127.0.0.1:") && !$0.hasSuffix(":2222") } == [])
      // Other users see command lines; they contain no key.
      let lines = try machine.run("sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '").text
      let host = try #require(try machine.ownStore.load()?.server.host)
      #expect(!lines.contains(LoginKey.text(ofSeed: host.login.seed)))
      #expect(!lines.contains("dragboard-link-2."))
    }
    // The same command again shares another board.
    let second = try pair.laptop.run("dragboard", "link", "with", "desktop", "--board", "errands")
    #expect(second.status == 0, "\(second.text)")
    #expect(second.text.contains("Shared boards: errands, shared\n"), "\(second.text)")
  }

  /// Kills the program that the service `serve` of a machine runs.
  private func killServed(by machine: CommandMachine) throws {
    let parent = try String(
      contentsOfFile: "\(machine.ownStore.stateDirectory)/serve.lock", encoding: .utf8
    ).filter(\.isNumber)
    let child = try run("pgrep", ["-P", parent]).output.filter(\.isNumber)
    kill(try #require(pid_t(child)), SIGKILL)
  }

  @Test("The connection returns after ssh, the server or the cable were lost")
  func losses() async throws {
    let pair = try await Pair()
    defer { pair.end() }
    let result = try pair.laptop.run("dragboard", "link", "with", "desktop")
    try #require(result.status == 0, "\(result.text)")
    try await pair.exchange("first", from: pair.desktop, to: pair.laptop)
    try killServed(by: pair.laptop)
    try await pair.exchange("after ssh", from: pair.laptop, to: pair.desktop)
    try killServed(by: pair.desktop)
    try await pair.exchange("after the server", from: pair.desktop, to: pair.laptop)
    try pair.network.setCable(false, of: 0)
    #expect(try pair.laptop.run("dragboard", "add", "--board", "shared", "offline").status == 0)
    // The connection must be lost, not only late.
    try await Task.sleep(for: .seconds(25))
    try pair.network.setCable(true, of: 0)
    let start = ContinuousClock.now
    try await eventually("the row of the time without a cable arrives", seconds: 60) {
      try pair.desktop.run("dragboard", "list", "--board", "shared").text.contains("offline")
    }
    print("after the cable: \(ContinuousClock.now - start)")
  }

  @Test("A key with a passphrase is refused with a reason, and works with an agent")
  func passphrase() async throws {
    let pair = try await Pair(passphrase: "secret words")
    defer { pair.end() }
    // The terminal answers the question of ssh.
    let answer = "\(pair.laptop.home)/answer"
    try "#!/bin/sh\necho secret words\n".write(toFile: answer, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: answer)
    let asking = ["env", "SSH_ASKPASS=\(answer)", "SSH_ASKPASS_REQUIRE=force"]
    let command = ["dragboard", "link", "with", "desktop"]
    let refusal = try pair.laptop.run(asking + command)
    #expect(refusal.status == 69, "\(refusal.text)")
    #expect(refusal.text.contains("Permission denied"), "\(refusal.text)")
    #expect(refusal.text.contains("ssh cannot ask for a passphrase"), "\(refusal.text)")
    #expect(!pair.laptop.ownStore.exists, "the command has changed nothing")
    #expect(try pair.laptop.ownStore.loadRoute() == nil)

    let socket = "\(pair.laptop.home)/agent"
    let agent = try ChildProcess("ssh-agent", ["-D", "-a", socket])
    defer { agent.kill(SIGKILL) }
    try await eventually("the agent listens") { FileManager.default.fileExists(atPath: socket) }
    let environment = "SSH_AUTH_SOCK=\(socket)"
    let added = try pair.laptop.run(asking + [environment, "ssh-add", "-q", pair.shell.key])
    try #require(added.status == 0, "\(added.text)")
    let result = try pair.laptop.run(["env", environment] + command)
    try #require(result.status == 0, "\(result.text)")
    try await pair.exchange("through the agent", from: pair.desktop, to: pair.laptop)
  }

  @Test("A machine that was removed cannot log in at the server any more")
  func removal() async throws {
    let pair = try await Pair()
    defer { pair.end() }
    try #require(
      try pair.laptop.run("dragboard", "link", "with", "desktop", "--name", "laptop").status == 0)
    let server = try #require(try pair.laptop.ownStore.load()).server
    func connects() async throws -> Bool {
      let status = try pair.laptop.run("dragboard-link", "status")
      return status.status == 0
    }
    #expect(try await connects())
    #expect(server.host != nil)
    #expect(try pair.desktop.run("dragboard-link", "remove", "laptop").status == 0)
    try await eventually("the key of the laptop is refused") {
      try pair.laptop.run("dragboard-link", "status").text.contains("refuses the key")
    }
  }
}
