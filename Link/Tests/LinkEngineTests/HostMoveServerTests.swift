import Foundation
import LinkModel
import LinkState
import TestSupport
import Testing

@testable import LinkEngine

/// The steps of `move-host` on real servers, without the programs.
@Suite("The move of a group to another server")
final class HostMoveServerTests: @unchecked Sendable {
  private let board = LogID.random()
  private let server: HostedTestServer
  private let desktop: GroupTests.Member
  private let laptop: GroupTests.Member
  private let tablet: GroupTests.Member

  /// Makes a group of three machines with a board of five entries, which the laptop and the tablet have read.
  init() async throws {
    var settings = HostedServer(port: try freePort(), networkName: nil, place: "here")
    let first = try LinkConfiguration(hosting: &settings, machineName: "desktop")
    let secrets = [settings.admit(hasJoined: true), settings.admit(hasJoined: true)]
    server = try await HostedTestServer(settings)
    desktop = try GroupTests.Member(first)
    try await desktop.group.join()
    let others = try zip(["laptop", "tablet"], secrets).map { name, secret in
      let invitation = Invitation(
        server: try HostedTestServer.address(settings, secret.login), keys: first.keys,
        anchors: [:], secret: secret)
      return try GroupTests.Member(
        try LinkConfiguration(try Invitation(line: invitation.line), machineName: name))
    }
    (laptop, tablet) = (others[0], others[1])
    for member in others { try await member.group.join() }
    for member in [desktop, laptop, tablet] { try await member.group.publishLogin() }
    try await desktop.group.share("errands", as: board)
    for number in 1...5 { try await append("edit \(number)", by: desktop.group) }
    for member in others {
      try await member.group.update()
      try await member.group.log(of: board).catchUp()
    }
  }

  private func append(_ text: String, by group: Group) async throws {
    let log = try await group.log(of: board)
    try await log.catchUp()
    let last = try log.head.number
    #expect(try await log.append(batch(text), after: last) == last + 1)
  }

  private func entries(of group: Group) async throws -> [[UInt8]?] {
    let stream = try await group.log(of: board).stream
    let last = try stream.lastNumber() ?? 0
    return try (1...last).map { try stream.message($0) }
  }

  /// A server that a machine has started for the group.
  private struct NewServer {
    var settings: HostedServer
    let server: HostedTestServer
    /// The group of the machine on this server.
    let group: Group
    var url: String { "tls://laptop.local:\(settings.port)" }

    init(of member: GroupTests.Member) async throws {
      settings = HostedServer(port: try freePort(), networkName: nil, place: "there")
      let admitted = settings.admit(member.group.configuration)
      let address = try #require(admitted)
      server = try await HostedTestServer(settings)
      group = try Group(
        member.group.configuration, in: member.store,
        on: try NATSConnection(to: address, waits: false))
    }

    /// Lets the other machines log in.
    mutating func open() async throws {
      settings.admit(await group.logins.known)
      try await server.reload(settings)
    }

    /// Returns the group of another machine on this server.
    func follow(_ member: GroupTests.Member, to move: HostMove) async throws -> Group {
      #expect(try member.store.follow(move, named: "laptop"))
      var configuration = try #require(try member.store.load())
      #expect(configuration.hostEpoch == move.epoch && configuration.server.url == url)
      let login = try #require(configuration.server.host?.login)
      // No name server knows the name.
      configuration.server = try HostedTestServer.address(settings, login)
      let connection = try NATSConnection(to: configuration.server, waits: false)
      let group = try Group(configuration, in: member.store, on: connection)
      try await group.update()
      return group
    }
  }

  /// The last step before the machine that moves the logs is killed.
  enum Step: CaseIterable {
    case nothing, announced, ended, halfCopied, copied, groupCopied
  }

  @Test(
    "A move that was killed after any step continues, and no entry is lost",
    arguments: Step.allCases)
  func interrupted(after step: Step) async throws {
    var target = try await NewServer(of: laptop)
    let before = try await entries(of: desktop.group)
    let log = try await laptop.group.log(of: board)
    let copy = try await target.group.log(of: board)
    if step != .nothing {
      _ = try await laptop.group.announce(target.settings, at: target.url)
    }
    switch step {
    case .nothing, .announced: break
    case .ended: try log.stream.seal()
    case .halfCopied:
      try log.stream.seal()
      try copy.stream.create(.init(subjects: copy.subject, isLog: true))
      for number in 1...2 as ClosedRange<UInt64> {
        _ = try copy.stream.publish(
          try #require(try log.stream.message(number)), on: copy.subject,
          after: .last(number - 1), id: nil, timeout: NATSConnection.requestTimeout)
      }
    case .copied: try await log.copy(to: copy, ends: true)
    case .groupCopied:
      _ = try await laptop.group.move(to: target.group, target.settings, at: target.url)
    }

    let again = try await laptop.restarted()
    let move = try await again.move(to: target.group, target.settings, at: target.url)
    #expect(move.epoch == 1 && move.machine == laptop.group.configuration.machine)
    #expect(try await entries(of: target.group) == before)
    try await desktop.group.update()
    #expect(await desktop.group.newHost == move)
    // Nothing is appended on the earlier server, neither to a board nor to the group.
    let late = try await desktop.group.log(of: board)
    let error = await #expect(throws: LinkError.self) {
      try await late.append(batch("late"), after: 5)
    }
    #expect(error?.isTemporary == true, "the edit waits")
    await #expect(throws: Group.Refusal.self) { try await self.desktop.group.share("late") }

    try await target.open()
    for (number, member) in [desktop, tablet].enumerated() {
      let group = try await target.follow(member, to: move)
      #expect(await group.state.machines.count == 3)
      #expect(await group.newHost == nil)
      try await append("edit \(number + 6)", by: group)
    }
    #expect(try await entries(of: target.group).count == 7)
    #expect(Array(try await entries(of: target.group).prefix(5)) == before)
  }

  @Test("Of two machines that become the host at once, one is refused and changes nothing")
  func race() async throws {
    let targets = [try await NewServer(of: laptop), try await NewServer(of: tablet)]
    let groups = [laptop.group, tablet.group]
    let results = await withTaskGroup(of: Result<HostMove, any Error>.self) { tasks in
      for (group, target) in zip(groups, targets) {
        tasks.addTask {
          do {
            return .success(try await group.move(to: target.group, target.settings, at: target.url))
          } catch {
            return .failure(error)
          }
        }
      }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    let moves = results.compactMap { try? $0.get() }
    #expect(moves.count == 1 && moves.first?.epoch == 1)
    for case .failure(let error) in results {
      #expect("\(error)".contains("runs the server now"), "\(error)")
    }
    try await desktop.group.update()
    #expect(await desktop.group.newHost == moves.first)
  }

  @Test("A machine restores the logs of a lost host, and others add the entries that it lacked")
  func lost() async throws {
    // The laptop does not read this entry.
    try await append("edit 6", by: desktop.group)
    try await tablet.group.log(of: board).catchUp()
    let before = try await entries(of: tablet.group)
    server.stop()
    var target = try await NewServer(of: laptop)
    let move = try await target.group.restore(target.settings, at: target.url)
    #expect(move.epoch == 1)
    #expect(try await target.group.restore(target.settings, at: target.url) == move)
    try await target.open()
    let group = try await target.follow(tablet, to: move)
    #expect(try await group.log(of: board).lastNumber() == 6)
    #expect(try await entries(of: target.group) == before)
  }

  @Test("If another entry came first on the new host, the machine reads the log from its beginning")
  func otherHistory() async throws {
    try await append("edit 6", by: desktop.group)
    try await tablet.group.log(of: board).catchUp()
    server.stop()
    var target = try await NewServer(of: laptop)
    let move = try await target.group.restore(target.settings, at: target.url)
    try await append("other 6", by: target.group)
    try await target.open()
    let group = try await target.follow(tablet, to: move)
    let log = try await group.log(of: board)
    await #expect(throws: LinkError.replacedEntry(6)) { try await log.lastNumber() }
    // The number is right, but the entry would follow another one.
    await #expect(throws: LinkError.replacedEntry(6)) {
      try await log.append(batch("edit 7"), after: 6)
    }
    try group.database.setBoard("/board", ofLog: "\(board)")
    try group.database.resetLog("\(board)")
    #expect(try group.database.board(ofLog: "\(board)") == "/board")
    try await append("edit 7", by: group)
    #expect(try await entries(of: target.group).count == 7)
  }
}
