import Foundation
import LinkModel
import LinkState
import SQLite
import Testing

@testable import LinkEngine

@Suite("A group of machines")
struct GroupTests {
  let server: TestServer
  let first: Member

  /// A machine with its directories.
  struct Member {
    let store: ConfigurationStore
    let folder: TestFolder
    let group: Group

    init(_ configuration: LinkConfiguration) throws {
      folder = try TestFolder()
      store = ConfigurationStore(
        directory: folder.path + "/config", stateDirectory: folder.path + "/state")
      try store.save(configuration)
      group = try Group(
        configuration, in: store,
        on: try NATSConnection(to: configuration.server, waits: false))
    }

    /// Opens the group again, as a new process does.
    func restarted() async throws -> Group {
      let configuration = try #require(try store.load())
      let group = try Group(
        configuration, in: store,
        on: try NATSConnection(to: configuration.server, waits: false))
      try await group.update()
      return group
    }
  }

  init() async throws {
    server = try await TestServer()
    first = try Member(try LinkConfiguration(server: server.address(), machineName: "first"))
    try await first.group.join()
  }

  private func join(_ name: String) async throws -> Member {
    let line = try await first.group.invitation().line
    let member = try Member(
      try LinkConfiguration(try Invitation(line: line), machineName: name))
    try await member.group.join()
    return member
  }

  private func names(_ group: Group) async throws -> [String] {
    try await group.update()
    return await group.state.machines.values.map(\.name).sorted()
  }

  @Test("Invited machines join and see the shared boards")
  func joins() async throws {
    try await first.group.share("work")
    let (second, third) = (try await join("second"), try await join("third"))
    for group in [first.group, second.group, third.group, try await second.restarted()] {
      #expect(try await names(group) == ["first", "second", "third"])
      #expect(await Array(group.state.boards.values) == ["work"])
    }
    try await third.group.unshare("work")
    try await first.group.update()
    #expect(await first.group.state.boards.isEmpty)
  }

  @Test("A board that one machine shares appears on another machine")
  func board() async throws {
    let second = try await join("second")
    try await first.group.share("work")
    try await second.group.update()
    let id = try #require(await second.group.state.boards.keys.first)
    #expect(try await first.group.log(of: id).append(batch("edit"), after: 0) == 1)
    let log = try await second.group.log(of: id)
    #expect(
      try await within { try await log.entries(after: 0).first { _ in true }?.batch }
        == batch("edit"))
    let hash = try await first.group.contents.put([1, 2, 3])
    #expect(try await second.group.contents.get(hash) == [1, 2, 3])
  }

  @Test("Two machines that join or share at once both succeed, or one is refused")
  func races() async throws {
    let line = try await first.group.invitation().line
    let members = try (0..<4).map { index in
      try Member(try LinkConfiguration(try Invitation(line: line), machineName: "m\(index)"))
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for member in members { tasks.addTask { try await member.group.join() } }
      try await tasks.waitForAll()
    }
    #expect(try await names(first.group) == ["first", "m0", "m1", "m2", "m3"])
    let shared = await withTaskGroup(of: Bool.self) { tasks in
      for member in members {
        tasks.addTask { (try? await member.group.share("work")) != nil }
      }
      return await tasks.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(shared == 1)
  }

  @Test("A change ends if its task is cancelled before it has read the group")
  func cancelled() async throws {
    let second = try await join("second")
    try await first.group.share("work")
    let change = Task {
      while !Task.isCancelled { await Task.yield() }
      try await second.group.share("other")
    }
    change.cancel()
    await #expect(throws: CancellationError.self) { try await change.result() }
    try await first.group.update()
    #expect(await Array(first.group.state.boards.values) == ["work"])
  }

  @Test("Refusals name the argument")
  func refusals() async throws {
    try await first.group.share("work")
    await #expect(throws: Group.Refusal.self) { try await first.group.share("work") }
    await #expect(throws: Group.Refusal.self) { try await first.group.unshare("play") }
    await #expect(throws: Group.Refusal.self) { try await first.group.remove(named: "nobody") }
    await #expect(throws: Group.Refusal.self) { try await first.group.remove(named: "first") }
    await #expect(throws: Group.Refusal.self) { _ = try await join("first") }
  }

  @Test("A removed machine can neither read nor append later entries")
  func removal() async throws {
    let (second, third) = (try await join("second"), try await join("third"))
    try await first.group.share("work")
    try await second.group.update()
    let id = try #require(await second.group.state.boards.keys.first)
    let removedLog = try await second.group.log(of: id)
    #expect(try await removedLog.append(batch("1"), after: 0) == 1)
    try await first.group.remove(named: "second")
    #expect(first.group.configuration.keys.latest.epoch == 2)

    // The remaining machines have the new key, even after a restart.
    try await third.group.update()
    #expect(third.group.configuration.keys.all == first.group.configuration.keys.all)
    #expect(try await third.restarted().configuration.keys.latest.epoch == 2)
    let log = try await first.group.log(of: id)
    try await log.catchUp()
    #expect(try log.head.number == 2 && log.head.epoch == 2)
    #expect(try await log.append(batch("3"), after: 2) == 3)

    // The removed machine reads its removal, and all other machines refuse its next entry.
    await #expect(throws: LinkError.removed) { try await second.group.update() }
    #expect(second.group.configuration.keys.latest.epoch == 1)
    let liar = LyingServer(removedLog)
    let forged = EntryChain.seal(
      batch("4"), after: try log.head, in: id, key: second.group.configuration.keys.latest)
    try liar.append(forged.bytes)
    try await log.catchUp()
    #expect(try log.head.number == 4 && log.forgedCount == 1)
    #expect(try await log.append(batch("5"), after: 4) == 5)

    // A machine that joins later has both keys.
    #expect(try await names(try await join("fourth").group) == ["first", "fourth", "third"])
  }

  @Test("Another machine completes an interrupted change of the key")
  func interruptedRemoval() async throws {
    let (second, third) = (try await join("second"), try await join("third"))
    try await first.group.share("work")
    try await third.group.update()
    let id = try #require(await third.group.state.boards.keys.first)
    #expect(try await first.group.log(of: id).append(batch("1"), after: 0) == 1)

    // The first machine dies between the removal and the entries with the new key.
    let key = GroupKey.random(epoch: 2)
    var boxes: [MachineKey: [UInt8]] = [:]
    for member in [first, third] {
      let configuration = member.group.configuration
      boxes[configuration.machine] = BoxKeys.seal(
        key.secret, for: configuration.boxKeys.publicKey)
    }
    let removal = GroupEvent.removed(second.group.configuration.machine, epoch: 2, boxes: boxes)
    let groupLog = try await first.group.log(of: first.group.configuration.keys.id)
    try await groupLog.catchUp()
    let number = try groupLog.head.number
    let author = first.group.configuration.machine
    #expect(try await groupLog.append(removal.batch(by: author), after: number) == number + 1)

    let following = Task { try await third.group.follow { _ in } }
    let logs = [groupLog, try await first.group.log(of: id)]
    // The first machine has the key after its restart.
    let keys = try await first.restarted().configuration.keys
    first.group.configuration.keys.add(try #require(keys[2]))
    try await eventually("no log accepts the earlier key") {
      for log in logs { try await log.catchUp() }
      return try logs.allSatisfy { try $0.head.epoch == 2 }
    }
    following.cancel()

    // A service that starts after the removal also writes the new key.
    let fourth = try await join("fourth")
    try await first.group.share("later")
    try await fourth.group.update()
    let later = try #require(await fourth.group.state.boards.first { $0.value == "later" }?.key)
    let old = JetStreamLog(
      later, of: second.group.configuration.keys, on: try server.connect(),
      trail: try Trail(of: later, in: second.group.database))
    #expect(try await old.append(batch("too late"), after: 0) == 1)
    let restarted = Task { try await fourth.group.follow { _ in } }
    let log = try await fourth.group.log(of: later)
    try await eventually("the new board has the new key") {
      try await log.catchUp()
      return try log.head.epoch == 2
    }
    restarted.cancel()
  }

  @Test("A machine that leaves removes its keys, trails and entries, and what a crash left of them")
  func leftovers() async throws {
    try await first.group.share("work")
    let id = try #require(await first.group.state.boards.keys.first)
    #expect(try await first.group.log(of: id).append(batch("1"), after: 0) == 1)
    let (directory, state) = (first.store.directory, first.store.stateDirectory)
    let files = FileManager.default
    // The second name is that of earlier versions.
    for name in [".dragboard-0123456789abcdef", "config.4711"] {
      try files.copyItem(atPath: first.store.path, toPath: "\(directory)/\(name)")
    }
    for path in ["\(directory)/notes", "\(state)/report"] {
      #expect(files.createFile(atPath: path, contents: nil))
    }
    try await first.group.leave()
    #expect(try files.contentsOfDirectory(atPath: directory) == ["notes"])
    #expect(try files.contentsOfDirectory(atPath: state).allSatisfy { $0.hasPrefix("link.db") })
    let count = try first.group.database.read { connection in
      try connection.first("SELECT count(*) FROM entry, sealed") { $0.integer(0) }
    }
    #expect(count == 0)
  }

  @Test("A machine that leaves has no configuration, and the key changes")
  func leaving() async throws {
    let second = try await join("second")
    try await second.group.leave()
    #expect(try second.store.load() == nil)
    #expect(try await names(first.group) == ["first"])
    #expect(first.group.configuration.keys.latest.epoch == 2)
    try await first.group.leave()
    #expect(!first.store.exists)
  }

  @Test("A server that hides the latest entries of the group from a new machine is reported")
  func anchors() async throws {
    try await first.group.share("work")
    let line = try await first.group.invitation().line
    let log = try await first.group.log(of: first.group.configuration.keys.id)
    let liar = LyingServer(log)
    try liar.change { $0.removeLast() }
    let member = try Member(try LinkConfiguration(try Invitation(line: line), machineName: "new"))
    await #expect(throws: LinkError.olderLog(seen: 2, last: 1)) { try await member.group.join() }
  }
}
