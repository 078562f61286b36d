import Files
import Foundation
import LinkModel
import LinkState
import SQLite
import TestSupport
import Testing
import Text

@testable import LinkEngine

/// The arguments of a command, as `--experimental-dump-help` describes them.
private struct CommandDump: Decodable {
  struct Command: Decodable, Equatable {
    let commandName: String
    let abstract: String?
    let arguments: [Argument]?
    let subcommands: [Command]?
  }

  struct Argument: Decodable, Equatable {
    struct Name: Decodable, Equatable {
      let kind: String
      let name: String
    }

    let abstract: String?
    let kind: String
    let valueName: String?
    let isOptional: Bool
    let names: [Name]?
  }

  let command: Command
}

@Suite("The program dragboard-link")
struct CommandTests {
  @Test("dragboard link has the same subcommands with the same arguments")
  func arguments() throws {
    let machine = try CommandMachine()
    func subcommands(_ program: String) throws -> CommandDump.Command {
      let text = try machine.run(program, "--experimental-dump-help").text
      return try JSONDecoder().decode(CommandDump.self, from: Data(text.utf8)).command
    }
    let program = try subcommands("dragboard-link").subcommands ?? []
    let command = try subcommands("dragboard").subcommands?.first { $0.commandName == "link" }
    #expect(program.count == 21)
    // The service units and ssh start the others.
    let shared = program.filter {
      !["run", "serve", "admit", "help"].contains($0.commandName)
    }
    #expect(command?.subcommands?.filter { $0.commandName != "help" } == shared)
  }

  @Test("An error has no characters that can deceive a reader, even if its argument has")
  func harmlessErrors() throws {
    let machine = try CommandMachine()
    let attack = "\u{1B}[31m\u{202E}\u{9B}\u{200B}x"
    for arguments in [["status", "--\(attack)"], ["setup", attack], ["share", attack, attack]] {
      let (status, text) = try machine.run(["dragboard-link"] + arguments)
      #expect(status != 0)
      #expect(text.contains("\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}x"), "\(arguments)")
      #expect(!text.unicodeScalars.contains { $0.isDeceptive && $0 != "\n" }, "\(arguments)")
    }
  }

  @Test("A machine that has lost its keys retains its rows, and joins again after its removal")
  func lostKeys() async throws {
    let server = try await TestServer()
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    let link = "dragboard-link"
    func join() throws -> ChildProcess {
      try anna.admit(bert, as: "bert")
      return try bert.startService()
    }

    try anna.beginGroup(on: server, as: "anna")
    let services = [try anna.startService(), try join()]
    try anna.run("dragboard", "add", "a row")
    #expect(try anna.run(link, "share", "default").status == 0)
    #expect(try bert.run(link, "accept", "default").status == 0)
    try await eventually("the row of anna is on bert") {
      try bert.run("dragboard", "list").text.contains("a row")
    }

    services[1].kill(SIGKILL)
    try bert.run("sh", "-c", "rm -r \"$XDG_CONFIG_HOME/dragboard/link\"")
    #expect(try bert.run(link, "status").status == 77)
    #expect(try bert.run("dragboard", "doctor").text.contains("this machine shares no boards"))
    #expect(try bert.run("dragboard", "list").text.contains("a row"))
    try bert.run("dragboard", "add", "a row without keys")

    #expect(try anna.run(link, "remove", "bert").status == 0)
    _ = try join()
    #expect(try bert.run(link, "accept", "default").status == 0)
    try await eventually("the row without keys is on anna") {
      try anna.run("dragboard", "list").text.contains("a row without keys")
    }
    for machine in [anna, bert] {
      #expect(try machine.run("dragboard", "list").text.split(separator: "\n").count == 2)
    }
  }

  @Test("The service ends with the bus of its session")
  func endOfSession() async throws {
    let server = try await TestServer()
    let anna = try CommandMachine()
    #expect(try anna.run("dragboard-link", "setup", server.address().url).status == 0)
    let service = try anna.startService()
    try await eventually("the service runs") {
      try anna.run("dragboard-link", "status").text.contains("service  running")
    }
    anna.endBus()
    try await eventually("the service has ended") { service.status != nil }
    #expect(service.status == .exited(69))
  }

  @Test("After an update, the service starts the installed version when the daemon leaves")
  func update() async throws {
    let server = try await TestServer()
    let anna = try CommandMachine()
    try anna.beginGroup(on: server, as: "anna")
    let folder = try TestFolder()
    let program = "\(folder.path)/dragboard-link"
    func install() throws {
      try whileNothingStarts {
        try FileManager.default.copyItem(
          atPath: builtProduct("dragboard-link"), toPath: "\(folder.path)/new")
      }
      #expect(rename("\(folder.path)/new", program) == 0)
    }
    @Sendable func status() throws -> String { try anna.run("dragboard-link", "status").text }
    try install()
    let service = try anna.startService(program: program)
    try await eventually("the service runs") { try status().contains("service  running\n") }
    try install()
    #expect(try status().contains("service  running, in an earlier version (to restart it: "))
    #expect(RunningProgram(process: service.id)?.isReplaced == true)
    try anna.restartDaemon()
    try await eventually("the installed version runs") {
      try RunningProgram(process: service.id)?.isReplaced == false
        && status().contains("service  running\n")
    }
  }

  @Test("Two machines share a board until one is removed")
  func wholeLife() async throws {
    let server = try await TestServer()
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    let url = try server.address().url
    let link = "dragboard-link"

    #expect(try anna.run(link, "status").status == 77)
    #expect(try anna.run(link, "setup", "http://x").status == 64)
    #expect(try anna.run(link, "setup", "nats://127.0.0.1:1").status == 69)
    #expect(try anna.run(link, "setup", url, "--name", "anna").status == 0)
    #expect(try anna.run(link, "setup", url).status == 77)
    let line = try anna.run(link, "invite").text
    #expect(try bert.run(link, "join", "-", input: String(line.dropLast(3))).status == 64)
    #expect(try bert.run(link, "join", "-", "--name", "anna", input: line).status == 77)
    #expect(try bert.run(link, "join", "-", "--name", "bert", input: line).status == 0)

    try anna.run("dragboard", "board", "add", "errands")
    try anna.run("dragboard", "add", "--board", "errands", "a secret row")
    #expect(try anna.run(link, "share", "nothing").status != 0)
    #expect(try anna.run(link, "share", "errands").status == 0)
    let services = [try anna.startService(), try bert.startService()]
    try await eventually("the row of anna is on bert") {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("a secret row")
    }
    try bert.run("dragboard", "add", "--board", "errands", "an answer")
    try await eventually("the row of bert is on anna") {
      try anna.run("dragboard", "list", "--board", "errands").text.contains("an answer")
    }
    #expect(try anna.run(link, "run").status == 77)
    try await eventually("anna has sent everything") {
      let status = try anna.json("dragboard", "link", "status", "--json")
      return status["running"] as? Bool == true && status["key"] as? Int == 1
        && status["machines"] as? [String] == ["anna", "bert"] && status["server"] as? String == url
        && (status["boards"] as? [[String: Any]])?.first as NSDictionary?
          == [
            "name": "errands", "entries": 2, "read": 2, "pending": 0, "dropped": 0,
            "droppedEdits": [String](),
          ]
    }
    #expect(
      try anna.run("dragboard", "doctor").text
        .contains("ok   link         anna shares 1 board in a group of 2 machines\n"))
    let disk = try server.bytesOnDisk()
    for text in ["a secret row", "an answer", "anna", "bert", "errands"] {
      #expect(disk.range(of: Data(text.utf8)) == nil, "\(text) is on the disk of the server")
    }

    #expect(try anna.run(link, "remove", "bert").status == 0)
    try await eventually("the service of bert has ended") { services[1].status != nil }
    #expect(services[1].status == .exited(77))
    #expect(try bert.run(link, "status").text.contains("another machine has removed this machine"))
    try anna.run("dragboard", "add", "--board", "errands", "a later row")
    try await eventually("anna has sent the row") {
      let text = try anna.run(link, "status").text
      return text.contains("key      2")
        && text.contains("errands: 4 entries on the server, 4 read, 0 edits to send")
    }
    #expect(!(try bert.run("dragboard", "list", "--board", "errands").text.contains("a later row")))
    #expect(try anna.run(link, "leave").status == 0)
    try await eventually("the service of anna has ended") { services[0].status != nil }
    #expect(try anna.run(link, "status").status == 77)
    #expect(try bert.run(link, "leave", "--offline").status == 0)
  }

  @Test("A machine shares a board that it already has only after its user has accepted the board")
  func acceptance() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    for name in ["errands", "clipboard"] {
      try bert.run("dragboard", "board", "add", name)
      try bert.run("dragboard", "add", "--board", name, "password of bert")
    }
    try anna.run("dragboard", "board", "add", "clipboard")
    try anna.run("dragboard", "add", "--board", "errands", "row of anna")
    for machine in [anna, bert] { try machine.startService() }
    let result = try anna.run(link, "share", "clipboard")
    #expect(result.status == 0)
    #expect(result.text == "Shared boards: clipboard, errands\n")
    #expect(try anna.run(link, "share", "default").status == 0)
    try await eventually("bert reports the boards") {
      let status = try bert.run(link, "status").text
      return ["clipboard", "default", "errands"].allSatisfy { name in
        status.contains("board    \(name): ")
      }
    }
    #expect(try bert.run("dragboard", "doctor").text.contains("dragboard link accept"))
    try await eventually("anna has sent her row") {
      try anna.boardStatus("errands").entries == 1 && anna.boardStatus("errands").pending == 0
    }
    #expect(try anna.boardStatus("clipboard").entries == 0)
    #expect(!(try bert.run("dragboard", "list", "--board", "errands").text.contains("anna")))
    #expect(try bert.run(link, "accept", "other").status == 77)
    #expect(try bert.run(link, "accept", "errands").status == 0)
    try await eventually("both boards are merged") {
      try [anna, bert].allSatisfy { machine in
        let text = try machine.run("dragboard", "list", "--board", "errands").text
        return text.contains("row of anna") && text.contains("password of bert")
      }
    }
    for machine in [anna, bert] { machine.endService() }
    for machine in [anna, bert] { try machine.startService() }
    try await eventually("bert waits for the other boards") {
      try bert.boardStatus("errands").pending == 0
        && bert.run(link, "status").text.contains("accept NAME")
    }
    #expect(
      !(try anna.run("dragboard", "list", "--board", "clipboard").text.contains("password of bert"))
    )
    // A machine without such a board does not get the boards of other machines' copies either.
    let line = try anna.run(link, "invite").text
    let carl = try CommandMachine()
    let joined = try carl.run(link, "join", "-", "--name", "carl", input: line)
    #expect(joined.text.contains("Shared boards: clipboard, default, errands\n"))
    try carl.startService()
    try await eventually("carl has the board") {
      try carl.run("dragboard", "list", "--board", "errands").text.contains("row of anna")
    }
    #expect(!(try carl.run("dragboard", "boards").text.contains("clipboard")))
    #expect(try carl.run(link, "accept", "clipboard").status == 0)
    try await eventually("carl has the board clipboard") {
      try carl.run("dragboard", "boards").text.contains("clipboard")
    }
  }

  private func rows(_ machine: CommandMachine) throws -> [Substring] {
    let text = try machine.run("dragboard", "list", "--board", "errands").text
    return text.matches(of: /one|two|three|four/).map(\.output)
  }

  /// Starts the services of two machines that share rows.
  private func startWithTwoRows(_ anna: CommandMachine, _ bert: CommandMachine) async throws {
    try anna.run("dragboard", "add", "--board", "errands", "one", "two")
    for machine in [anna, bert] { try machine.startService() }
    try await eventually("bert has the rows") { try rows(bert) == ["one", "two"] }
  }

  @Test("Boards that are shared again have each row once")
  func sharedAgainAndMerged() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try await startWithTwoRows(anna, bert)
    #expect(try anna.run(link, "unshare", "errands").status == 0)
    try await eventually("bert has read the end") {
      try bert.run(link, "status").text.contains("errands") == false
    }
    try bert.run("dragboard", "add", "--board", "errands", "three")
    #expect(try anna.run(link, "share", "errands").status == 0)
    #expect(try bert.run(link, "accept", "errands").status == 0)
    try await eventually("the row of bert is on anna") {
      try rows(anna) == ["one", "two", "three"]
    }
    #expect(try rows(bert) == ["one", "two", "three"])
    // The replica of a board is lost.
    bert.endService()
    try bert.run("sh", "-c", "rm -r \"$XDG_STATE_HOME\"/dragboard/link/*")
    try bert.run("dragboard", "add", "--board", "errands", "four")
    try bert.startService()
    #expect(try bert.run(link, "accept", "errands").status == 0)
    try await eventually("the new row of bert is on anna") {
      try rows(anna) == ["one", "two", "three", "four"]
    }
    #expect(try rows(bert) == ["one", "two", "three", "four"])
  }

  @Test("The streams of a board and of a group are removed with them")
  func streams() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    let connection = try server.connect()
    @Sendable func names() throws -> [String] { try LinkEngine.Stream.names(on: connection) }
    try anna.run("dragboard", "board", "add", "later")
    #expect(try anna.run(link, "share", "later").status == 0)
    for board in ["errands", "later"] { try anna.run("dragboard", "add", "--board", board, "row") }
    try anna.run("dragboard", "add", "--board", "errands", String(repeating: "large", count: 1_000))
    for machine in [anna, bert] { try machine.startService() }
    try await eventually("bert has the rows") {
      try ["errands", "later"].allSatisfy {
        try bert.run("dragboard", "list", "--board", $0).text.contains("row")
      }
    }
    #expect(try names().count == 4)
    // No service runs, so the command removes the stream.
    for machine in [anna, bert] { machine.endService() }
    #expect(try anna.run(link, "unshare", "later").status == 0)
    let other = LinkEngine.Stream(connection: connection, name: "dragboard-log-other")
    try other.create(.init(subjects: "other", isLog: true))
    #expect(try anna.run(link, "server", "clean", "--remove", "dragboard-log-none").status != 0)
    let result = try anna.run("dragboard", "link", "server", "clean")
    #expect(result.text.contains(/removed  dragboard-log-[0-9a-f]{40}\n/))
    #expect(result.text.hasSuffix("other    dragboard-log-other\n"))
    #expect(try names().count == 4)
    #expect(try anna.run(link, "server", "clean", "--remove", "dragboard-log-other").status == 0)
    #expect(try names().count == 3)
    // The running services remove the stream of a board.
    for machine in [anna, bert] { try machine.startService() }
    #expect(try anna.run(link, "unshare", "errands").status == 0)
    try await eventually("the stream is removed") { try names().count == 2 }
    #expect(try bert.run(link, "leave").status == 0)
    #expect(try names().count == 2)
    #expect(try anna.run(link, "leave").status == 0)
    #expect(try names() == [])
  }

  /// Makes a group of two machines, in which anna shares the board "errands".
  @Test("The contents of deleted rows are removed from the server, and no other contents")
  func unusedContents() async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    let long = String(repeating: "a", count: 5_000)
    let longer = String(repeating: "b", count: 6_000)
    for text in [long, longer] { try anna.run("dragboard", "add", "--board", "errands", text) }
    let keys = try #require(try anna.store.load()).keys
    let contents = JetStreamContents(of: keys, on: try server.connect())
    for machine in [anna, bert] { try machine.startService("--keep-unused", "3") }
    @Sendable func count(_ machine: CommandMachine) throws -> Int {
      try machine.run("dragboard", "list", "--board", "errands").text.split(separator: "\n").count
    }
    try await eventually("bert has both rows") { try count(bert) == 2 }
    func waitForSweep() async throws {
      let unused = try await contents.put(Sodium.random(100))
      try await eventually("an unused content is removed") {
        try await contents.get(unused) == nil
      }
    }
    try await waitForSweep()
    #expect(try await contents.get(ContentHash(of: Array(long.utf8))) != nil)
    #expect(try await contents.get(ContentHash(of: Array(longer.utf8))) != nil)
    try bert.run("dragboard", "remove", "--board", "errands", "0")
    try await eventually("the row is gone") { try count(anna) == 1 }
    try await eventually("its content is removed") {
      try await contents.get(ContentHash(of: Array(long.utf8))) == nil
    }
    try await waitForSweep()
    #expect(try await contents.get(ContentHash(of: Array(longer.utf8))) != nil)
  }

  @Test("join with a line that was printed before a removal asks for a new line")
  func outdatedInvitation() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    let line = try anna.run(link, "invite").text
    #expect(try anna.run(link, "remove", "bert").status == 0)
    let carl = try CommandMachine()
    let start = ContinuousClock.now
    let result = try carl.run(link, "join", "-", "--name", "carl", input: line)
    #expect(result.status == 64)
    #expect(
      result.text == """
        Error: invitation: a machine was removed after the line was printed (print a new line with: dragboard link invite)

        """)
    #expect(ContinuousClock.now - start < JetStreamLog.keyTimeout, "the command does not wait")
    #expect(!carl.store.exists, "no file is left")
    let newLine = try anna.run(link, "invite").text
    #expect(try carl.run(link, "join", "-", "--name", "carl", input: newLine).status == 0)
    // A removed machine cannot join with its old line either.
    #expect(try bert.run(link, "leave", "--offline").status == 0)
    #expect(try bert.run(link, "join", "-", "--name", "bert", input: line).status == 64)
  }

  @Test(
    "The files of a board are removed when it is no longer shared, but not when a machine leaves")
  func unsharedFiles() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try anna.run("dragboard", "board", "add", "later")
    #expect(try anna.run(link, "share", "later").status == 0)
    for machine in [anna, bert] { try machine.startService() }
    /// The names of all logs that have data, except the group's.
    @Sendable func logs(_ machine: CommandMachine) throws -> Set<String> {
      let group = try #require(try machine.store.load()).keys.id.description
      var names: Set<String> = []
      try machine.state().read { connection in
        try connection.forEach("SELECT name FROM log WHERE board IS NOT NULL") {
          names.insert($0.text(0) ?? "")
        }
      }
      return names.subtracting([group])
    }
    try await eventually("bert has two replicas") {
      try logs(bert).count == 2 && bert.run("dragboard", "boards").text.contains("later")
    }
    bert.endService()
    // A killed service can leave the trail of a board without its replica.
    try bert.state().write { try $0.run("DELETE FROM replica") }
    #expect(try anna.run(link, "unshare", "later").status == 0)
    try await eventually("anna has one replica") { try logs(anna).count == 1 }
    #expect(try logs(bert).count == 2)
    try bert.startService()
    try await eventually("bert has one replica") { try logs(bert).count == 1 }
    #expect(try bert.run("dragboard", "boards").text.contains("later"))
    #expect(try bert.run(link, "leave").status == 0)
    #expect(try bert.state().read { try $0.first("SELECT 1 FROM replica") { _ in true } } == true)
    #expect(try bert.state().read { try $0.first("SELECT 1 FROM entry") { _ in true } } == nil)
  }

  @Test("A service that starts before the server shares boards soon after the start of the server")
  func absentServer() async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try anna.run("dragboard", "add", "--board", "errands", "a row")
    server.stop()
    for machine in [anna, bert] { try machine.startService() }
    try await eventually("both services report the error") {
      try [anna, bert].allSatisfy { machine in
        guard try machine.stateFiles().contains("report") else { return false }
        return try machine.run("sh", "-c", "cat \"$XDG_STATE_HOME\"/dragboard/link/report").text
          .contains("does not answer")
      }
    }
    try await server.start()
    try await eventually("the row of anna is on bert") {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("a row")
    }
  }

  @Test("status lists the dropped edits, also after a restart")
  func droppedEdits() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try anna.run("dragboard", "add", "--board", "errands", "Buy \u{1B}[31m\u{202E}stamps", "stay")
    for machine in [anna, bert] { try machine.startService() }
    try await eventually("bert has the rows") {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("stay")
    }
    anna.endService()
    #expect(try anna.run("dragboard", "rename", "--board", "errands", "0", "a.txt").status == 0)
    #expect(try bert.run("dragboard", "remove", "--board", "errands", "0").status == 0)
    try await eventually("bert has sent the deletion") {
      let status = try bert.boardStatus()
      return status.entries == 2 && status.pending == 0
    }
    for _ in 0..<2 {
      try anna.startService()
      try await eventually("anna reports the edit") {
        let status = try anna.boardStatus()
        return status.dropped == 1 && status.pending == 0 && status.read == status.entries
      }
      let status = try anna.json(link, "status", "--json")
      let board = try #require((status["boards"] as? [[String: Any]])?.first)
      let edits = try #require(board["droppedEdits"] as? [[String: String]])
      let time = try #require(edits.first?["time"])
      let age = try -Date(time, strategy: .iso8601).timeIntervalSinceNow
      #expect((-2.0...300).contains(age))
      let title = "Buy \u{1B}[31m\u{202E}stamps"
      let reason = "another machine has deleted the row"
      #expect(try !anna.run(link, "status", "--json").text.contains("\u{202E}"))
      #expect(edits == [["time": time, "edit": "rename", "title": title, "reason": reason]])
      let line = "dropped  \(time) rename \"Buy \u{FFFD}[31m\u{FFFD}stamps\": \(reason)\n"
      #expect(try anna.run(link, "status").text.contains(line))
      #expect(try bert.run(link, "status").text.contains("dropped") == false)
      anna.endService()
    }
  }

  @Test("A board that is shared again has each row once, if the others have renamed their copies")
  func sharedAgain() async throws {
    let link = "dragboard-link"
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try await startWithTwoRows(anna, bert)
    #expect(try bert.run("dragboard", "board", "rename", "errands", "errands-old").status == 0)
    #expect(try anna.run(link, "unshare", "errands").status == 0)
    #expect(try anna.run(link, "share", "errands").status == 0)
    try await eventually("bert has a new board") { try rows(bert) == ["one", "two"] }
    try bert.run("dragboard", "add", "--board", "errands", "three")
    try await eventually("the row of bert is on anna") {
      try rows(anna) == ["one", "two", "three"]
    }
  }

  @Test("Two machines use TLS with a certificate that a private authority has signed")
  func tls() async throws {
    let server = try await TestServer(scheme: "tls") { folder in
      let certificate = Certificate(in: folder.path, name: "ours")
      _ = Certificate(in: folder.path, name: "other")
      return ["--tls", "--tlscert", certificate.path, "--tlskey", certificate.keyPath]
    }
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    let (url, folder, link) = (try server.address().url, server.folder.path, "dragboard-link")

    // The connection fails without the authority, with another authority, and without TLS.
    for (url, options) in [
      (url, []), (url, ["--ca", "\(folder)/other-ca.pem"]),
      (url.replacing("tls:", with: "nats:"), ["--ca", "\(folder)/ours-ca.pem"]),
    ] {
      let result = try anna.run([link, "setup", url, "--name", "anna"] + options)
      #expect(result.status == 1)
      #expect(result.text.contains("has no trusted certificate"), "\(result.text)")
      #expect(!anna.store.exists, "no file is left")
    }
    let authority = "\(folder)/ours-ca.pem"
    #expect(try anna.run(link, "setup", url, "--ca", authority, "--name", "anna").status == 0)
    // The invitation contains the authority.
    let line = try anna.run(link, "invite").text
    try FileManager.default.removeItem(atPath: authority)
    #expect(try bert.run(link, "join", "-", "--name", "bert", input: line).status == 0)
    try anna.run("dragboard", "board", "add", "errands")
    #expect(try anna.run(link, "share", "errands").status == 0)
    for machine in [anna, bert] { try machine.startService() }
    try anna.run("dragboard", "add", "--board", "errands", "over TLS")
    try await eventually("the row of anna is on bert") {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("over TLS")
    }
  }
}

/// A certificate for 127.0.0.1, and the private authority that signed it.
private struct Certificate {
  let path: String
  let keyPath: String

  init(in folder: String, name: String) {
    let authority = "\(folder)/\(name)-ca"
    (path, keyPath) = ("\(folder)/\(name).pem", "\(folder)/\(name).key")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    Self.openssl(
      ["req", "-x509", "-subj", "/CN=\(name)", "-keyout", authority + ".key", "-out"]
        + [authority + ".pem"] + key)
    Self.openssl(
      ["req", "-x509", "-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1", "-addext"]
        + ["basicConstraints=critical,CA:FALSE", "-CA", authority + ".pem", "-CAkey"]
        + [authority + ".key", "-keyout", keyPath, "-out", path] + key)
  }

  private static func openssl(_ arguments: [String]) {
    _ = try? run("openssl", arguments)
  }
}
