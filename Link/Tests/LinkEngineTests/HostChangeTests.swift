import Foundation
import LinkState
import TestSupport
import Testing

@testable import LinkEngine

@Suite(
  "dragboard link move-host", .serialized,
  .enabled(if: TestNetwork.hasAvahi, "this test needs network namespaces and Avahi"))
struct HostChangeTests {
  /// Three machines on a network; the first one is the host of a group with the board `errands`.
  private final class Trio: @unchecked Sendable {
    let folder: TestFolder
    let network: TestNetwork
    let names = ["desktop", "laptop", "tablet"]
    private(set) var machines: [CommandMachine] = []

    init() async throws {
      folder = try TestFolder()
      network = try TestNetwork(hostCount: 3, avahiFolder: folder.path)
      machines = try network.hosts.map { try CommandMachine(on: $0) }
      do { try await begin() } catch {
        end()
        throw error
      }
    }

    private func begin() async throws {
      try link(0, "host", "--name", names[0])
      for number in 1...2 {
        let line = try link(0, "invite").split(separator: "\n").last.map(String.init) ?? ""
        let joined = try machines[number].run(
          "dragboard", "link", "join", "--name", names[number], input: line)
        try #require(joined.status == 0, "\(joined.text)")
      }
      try machines[0].run("dragboard", "board", "add", "errands")
      try link(0, "share", "errands")
      try add("first", on: 0)
      _ = try await arrival(of: "first", on: [1, 2])
    }

    func end() { for machine in machines { machine.endStartedServices() } }

    @discardableResult
    func link(_ number: Int, _ arguments: String...) throws -> String {
      let (status, text) = try machines[number].run(["dragboard", "link"] + arguments)
      try #require(status == 0, "\(arguments): \(text)")
      return text
    }

    /// The process of nats-server on a machine.
    func server(on number: Int) throws -> pid_t {
      let lock = "\(machines[number].ownStore.stateDirectory)/serve.lock"
      let parent = try String(contentsOfFile: lock, encoding: .utf8).filter(\.isNumber)
      let children = try String(
        contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
      let server = children.split(separator: " ").first { child in
        (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "nats-server\n"
      }
      return try #require(server.flatMap { pid_t($0) })
    }

    func add(_ text: String, on number: Int) throws {
      let (status, text) = try machines[number].run("dragboard", "add", "--board", "errands", text)
      try #require(status == 0, "\(text)")
    }

    /// The titles of the rows.
    func rows(on number: Int) throws -> [String] {
      try machines[number].run("dragboard", "list", "--board", "errands").text
        .split(separator: "\n").compactMap { $0.split(separator: "\t").last.map(String.init) }
    }

    func status(of number: Int) throws -> String {
      try machines[number].run("dragboard", "link", "status").text
    }

    /// Edits the first row on a machine until a later log replaces the log of the board.
    func replaceLog(on number: Int) async throws {
      let state = try machines[number].state()
      func successors() throws -> Set<String> {
        Set(try state.logs.compactMap { try state.successor(ofLog: $0) })
      }
      let before = try successors()
      let text = String(repeating: "long ", count: 190)
      let deadline = ContinuousClock.now + .seconds(90)
      var edits = 0
      while try successors() == before {
        try #require(ContinuousClock.now < deadline, "no log was replaced after \(edits) edits")
        edits += 1
        try edit("\(text)\(edits)", on: number)
      }
      try edit("first", on: number)
    }

    /// Changes the text of the first row.
    private func edit(_ new: String, on number: Int) throws {
      let (status, text) = try machines[number].run(
        "dragboard", "edit", "--board", "errands", "0", "--text", new)
      try #require(status == 0, "\(text)")
    }

    /// Waits until machines have a row; returns the time.
    func arrival(of text: String, on numbers: [Int]) async throws -> Duration {
      let start = ContinuousClock.now
      for number in numbers {
        try await eventually("\(names[number]) has the row \(text)", seconds: 90) {
          try self.rows(on: number).contains(text)
        }
      }
      return ContinuousClock.now - start
    }

    /// Checks that all machines have the same rows, each once.
    func check(_ rows: [String]) async throws {
      try await eventually("all machines have the same rows", seconds: 60) {
        let boards = try (0..<3).map { try self.rows(on: $0) }
        return boards.allSatisfy { $0 == boards[0] } && boards[0].sorted() == rows.sorted()
      }
    }
  }

  @Test("The host moves, and machines follow without an invitation, also one that was off")
  func moves() async throws {
    let trio = try await Trio()
    defer { trio.end() }
    let refused = try trio.machines[1].run("dragboard", "link", "move-host", "tablet")
    #expect(refused.status == 77 && refused.text.contains("not this machine"), "\(refused.text)")

    try trio.network.setCable(false, of: 2)
    try trio.add("while off", on: 2)
    let start = ContinuousClock.now
    try trio.link(1, "move-host", "laptop")
    print("move-host: \(ContinuousClock.now - start)")
    try trio.add("second", on: 0)
    print("a row of the earlier host: \(try await trio.arrival(of: "second", on: [1]))")
    try trio.network.setCable(true, of: 2)
    print("a machine that was off: \(try await trio.arrival(of: "while off", on: [0, 1]))")
    try trio.add("third", on: 1)
    _ = try await trio.arrival(of: "third", on: [0, 2])
    try await trio.check(["first", "while off", "second", "third"])
    for number in [0, 2] { #expect(try trio.status(of: number).contains("server   laptop, at ")) }
    #expect(try trio.status(of: 1).contains("server   laptop, which is this machine"))
    let invitation = try trio.machines[0].run("dragboard", "link", "invite")
    #expect(invitation.status == 77, "\(invitation.text)")
    #expect(try trio.link(1, "invite").contains("dragboard-link-2."))
  }

  @Test("The host is gone, a machine restores the logs, and the host follows when it wakes")
  func lost() async throws {
    let trio = try await Trio()
    defer { trio.end() }
    try trio.network.setCable(false, of: 0)
    // The lost host goes on with a log that only it can reach.
    try trio.add("alone", on: 0)
    try trio.add("waits", on: 2)
    let start = ContinuousClock.now
    let line = try trio.link(1, "move-host", "laptop", "--lost").split(separator: "\n").last
    print("move-host --lost: \(ContinuousClock.now - start)")
    try trio.add("other", on: 1)
    let notice = String(try #require(line))
    #expect(notice.utf8.count < 400)
    let followed = try trio.machines[2].run("dragboard", "link", "join", input: notice)
    #expect(followed.status == 0, "\(followed.text)")
    print("a waiting row after join: \(try await trio.arrival(of: "waits", on: [1]))")
    let repeated = try trio.machines[2].run("dragboard", "link", "join", input: notice)
    #expect(repeated.status == 77, "\(repeated.text)")

    try trio.network.setCable(true, of: 0)
    let woken = ContinuousClock.now
    try await eventually("the earlier host says that it has another one", seconds: 90) {
      let status = try trio.status(of: 0)
      return status.contains("server   laptop, at ")
        && status.contains("this machine was the host; laptop is the host now")
    }
    print("the earlier host follows: \(ContinuousClock.now - woken)")
    print("its own row: \(try await trio.arrival(of: "alone", on: [1, 2]))")
    try trio.add("awake", on: 0)
    _ = try await trio.arrival(of: "awake", on: [1, 2])
    try await trio.check(["first", "alone", "waits", "other", "awake"])
  }

  @Test(
    "The host changes after logs were replaced, and a machine that was off all the time follows",
    arguments: [false, true])
  func replacedLogs(isLost: Bool) async throws {
    let trio = try await Trio()
    defer { trio.end() }
    try trio.network.setCable(false, of: 2)
    try trio.add("while off", on: 2)
    try await trio.replaceLog(on: 0)
    try trio.add("second", on: 1)
    _ = try await trio.arrival(of: "second", on: [0])
    var line = ""
    if isLost {
      try trio.network.setCable(false, of: 0)
      try trio.add("alone", on: 0)
      line =
        try trio.link(1, "move-host", "laptop", "--lost").split(separator: "\n").last
        .map(String.init) ?? ""
    } else {
      try trio.link(1, "move-host", "laptop")
      try trio.add("alone", on: 0)
    }
    try trio.add("third", on: 1)
    try await trio.replaceLog(on: 1)
    for number in [0, 2] { try trio.network.setCable(true, of: number) }
    if isLost {
      let joined = try trio.machines[2].run("dragboard", "link", "join", input: line)
      #expect(joined.status == 0, "\(joined.text)")
    }
    _ = try await trio.arrival(of: "alone", on: [1, 2])
    _ = try await trio.arrival(of: "while off", on: [0, 1])
    try trio.add("last", on: 0)
    try await trio.check(["first", "second", "third", "alone", "while off", "last"])
    for number in [0, 2] { #expect(try trio.status(of: number).contains("server   laptop, at ")) }
    for machine in trio.machines {
      #expect(try machine.boardStatus("errands").pending == 0)
      #expect(try machine.run("dragboard", "link", "status").text.contains("log:") == false)
    }
  }

  @Test("The host sleeps, then its server is killed: edits wait, status says so, and they arrive")
  func absence() async throws {
    let trio = try await Trio()
    defer { trio.end() }
    let sleep = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_SLEEP"].flatMap(Int.init) ?? 0
    let server = try trio.server(on: 0)
    kill(server, SIGSTOP)
    let start = ContinuousClock.now
    try trio.add("asleep", on: 1)
    try await eventually("the laptop says that its edit waits", seconds: 90) {
      try trio.status(of: 1)
        .contains(/desktop is not reachable since \d\d:\d\d; 1 edit since \d\d:\d\d waits/)
    }
    print("status says so: \(ContinuousClock.now - start)")
    try await Task.sleep(until: start + .seconds(sleep))
    kill(server, SIGCONT)
    print("after the sleep: \(try await trio.arrival(of: "asleep", on: [0, 2]))")
    kill(server, SIGKILL)
    try trio.add("killed", on: 1)
    print("after the server was killed: \(try await trio.arrival(of: "killed", on: [0, 2]))")
    try await trio.check(["first", "asleep", "killed"])
  }

  @Test(
    "The command is killed at many moments, and continues when it is typed again",
    arguments: [false, true])
  func killed(isLost: Bool) async throws {
    let trio = try await Trio()
    defer { trio.end() }
    if isLost { try trio.network.setCable(false, of: 0) }
    var (delay, kills) = (0.1, 0)
    var output = ""
    while true {
      try trio.add("row \(kills)", on: kills % 3)
      let command = ["dragboard-link", "move-host", "laptop"] + (isLost ? ["--lost"] : [])
      let (status, text) = try trio.machines[1].run(
        ["timeout", "-s", "KILL", "\(delay)"] + command)
      output = text
      if status == 0 { break }
      try #require(status == 137, "\(text)")
      (delay, kills) = (delay * 1.3, kills + 1)
    }
    print("kills: \(kills)")
    if isLost {
      let line = output.split(separator: "\n").last.map(String.init) ?? ""
      #expect(try trio.machines[2].run("dragboard", "link", "join", input: line).status == 0)
      try trio.network.setCable(true, of: 0)
    }
    for number in 0...kills { _ = try await trio.arrival(of: "row \(number)", on: [0, 1, 2]) }
    try await trio.check(["first"] + (0...kills).map { "row \($0)" })
    for number in [0, 2] { #expect(try trio.status(of: number).contains("server   laptop, at ")) }
  }

  @Test("Two machines restore the logs of a lost host, and the user chooses one of them")
  func twoRestorations() async throws {
    let trio = try await Trio()
    defer { trio.end() }
    try trio.network.setCable(false, of: 0)
    try trio.add("alone", on: 0)
    let lines = try [1, 2].map { number in
      let text = try trio.link(number, "move-host", trio.names[number], "--lost")
      return try #require(text.split(separator: "\n").last.map(String.init))
    }
    for number in [1, 2] { try trio.add("of \(number)", on: number) }
    for number in [1, 2] {
      try await eventually("the server of \(number) has the row") {
        try trio.machines[number].boardStatus("errands").pending == 0
      }
    }
    let joined = try trio.machines[2].run("dragboard", "link", "join", input: lines[0])
    #expect(joined.status == 0, "\(joined.text)")
    _ = try await trio.arrival(of: "of 2", on: [1])
    _ = try await trio.arrival(of: "of 1", on: [2])
    try trio.network.setCable(true, of: 0)
    _ = try await trio.arrival(of: "alone", on: [1, 2])
    try await trio.check(["first", "alone", "of 1", "of 2"])
    for number in [0, 2] { #expect(try trio.status(of: number).contains("server   laptop, at ")) }
  }

  @Test("Two machines become the host at the same time: one is refused, and all follow the other")
  func race() async throws {
    let trio = try await Trio()
    defer { trio.end() }
    async let laptop = trio.machines[1].run("dragboard", "link", "move-host", "laptop")
    async let tablet = trio.machines[2].run("dragboard", "link", "move-host", "tablet")
    let results = try await [laptop, tablet]
    #expect(results.map(\.status).sorted() == [0, 77], "\(results)")
    let host = results[0].status == 0 ? 1 : 2
    for number in 0..<3 { try trio.add("of \(number)", on: number) }
    for number in 0..<3 { _ = try await trio.arrival(of: "of \(number)", on: [0, 1, 2]) }
    try await trio.check(["first", "of 0", "of 1", "of 2"])
    #expect(try trio.status(of: 0).contains("server   \(trio.names[host]), at "))
  }
}
