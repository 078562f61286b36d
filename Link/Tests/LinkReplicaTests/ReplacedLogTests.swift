import DragboardClient
import LinkModel
import LinkReplica
import Testing

/// Loops whose log is replaced while they do not run.
@Suite(.serialized)
struct ReplacedLogTests {
  private let server = MemoryServer()

  @Test("A machine whose log was replaced continues, also if its daemon was restored")
  func restoredDaemon() async throws {
    let anna = try await Machine(server)
    let bert = try await Machine(server)
    for machine in [anna, bert] { try machine.startLink() }
    try await anna.insert("one", "two", "three")
    try await untilQuiet([anna, bert])
    let backup = try bert.backUpDaemon()
    try await bert.board.delete([bert.row("one").row.id])
    try await untilQuiet([anna, bert])
    for machine in [anna, bert] { await machine.stopLink() }

    try anna.startLink(
      replacement: ReplacementRules(
        limits: .init(bytes: 0, entries: 2, factor: 0), maxDelay: .zero,
        removalDelay: .milliseconds(10)))
    try await until {
      try await anna.insert("while bert is away")
      return await server.ids.first != server.board
    }
    await anna.stopLink()
    try anna.startLink()
    try bert.restoreDaemon(backup)
    try await bert.insert("new")
    // The link needs the log to read the board before its reader learns that the log was replaced.
    await server.setAnswersReaders(false)
    try bert.startLink()
    try await untilQuiet([anna, bert])
    #expect(try await anna.texts() == bert.texts())
    let texts = try await bert.texts()["main"] ?? []
    #expect(!texts.contains("one") && texts.contains("new") && texts.contains("two"))
    #expect(await bert.loop?.status.replaced != 0)
  }

  @Test("A machine that does not know the kind of an entry says that it must be updated")
  func laterVersion() async throws {
    let anna = try await Machine(server)
    try anna.startLink()
    try await anna.insert("one")
    try await untilQuiet([anna])
    let (log, last) = (server.log(nil), try await server.log(nil).lastNumber())
    #expect(try await log.append([99], after: last) != nil)
    try await until {
      await anna.loop?.status.daemonError
        == "log: a later version of dragboard-link wrote entry \(last + 1) (update Dragboard on this machine; until then edits wait here)"
    }
    #expect(try await anna.texts()["main"] == ["one"])
  }
}
