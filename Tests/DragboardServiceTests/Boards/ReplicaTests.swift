import DBus
import DragboardInterface
import Synchronization
import TestSupport
import Testing

@Suite("Many clients keep copies of one board")
struct ReplicaTests {
  /// A client that edits a board, and builds a copy of it from the signal Changed alone.
  private final class Copier: @unchecked Sendable {
    // `@unchecked` is safe, because the editing client's thread uses the object while it runs, and
    // the test uses it afterwards.
    let client: BusClient
    let editor: EditingClient
    private(set) var replica: Replica
    /// The differences that were found.
    private(set) var faults: [String] = []
    private var seen: Set<String> = []

    init(_ daemon: Daemon, _ number: UInt64) throws {
      client = try daemon.client()
      replica = Replica(try client.call(BoardInterface.getSnapshot))
      editor = EditingClient(
        client, RandomEdits(seed: number, prefix: "client \(number)"), items: [])
      client.connection.subscribe(to: BoardInterface.changed, from: BusClient.board) {
        [unowned self] from, to, changes in
        do { try replica.apply(from, to, changes) } catch { faults.append("\(error)") }
        for change in changes where change.members.0 == "insert" { seen.insert(change.members.1) }
      }
      client.waitForBus()
      editor.onAnswer = { [unowned self] in check($0) }
    }

    /// The Changed signal of the caller's own edit has arrived before the reply.
    private func check(_ attempt: Attempt) {
      guard case .done(let revision, let items, _) = attempt.outcome else { return }
      if let revision, revision > replica.revision {
        faults.append(
          "\(attempt.edit) was answered at \(replica.revision), before \(revision) was reported")
      }
      if case .dropRow = attempt.edit { return }
      for item in items where !seen.contains(item) {
        faults.append("\(attempt.edit) was answered before \(item) was reported")
      }
    }
  }

  @Test("The copies of four clients equal the board at every quiet point")
  func copies() throws {
    let daemon = try Daemon()
    let copiers = try (1...4).map { try Copier(daemon, $0) }
    var answered = 0
    for _ in 0..<10 {
      for copier in copiers { copier.editor.start(100) }
      for copier in copiers { copier.editor.wait() }
      answered += copiers.reduce(0) { $0 + $1.editor.attempts.count }
      for copier in copiers {
        let board = Replica(try copier.client.call(BoardInterface.getSnapshot))
        #expect(copier.replica == board)
        #expect(copier.faults == [])
      }
    }
    #expect(answered == 4_000)
    #expect(copiers[0].replica.revision > 500)
  }

  @Test("A copy made from the replies to all edits, in the order of revisions, equals the board")
  func outcomes() throws {
    let daemon = try Daemon()
    let observer = try daemon.client()
    let editors = try (11...13).map { number in
      EditingClient(
        try daemon.client(), RandomEdits(seed: number, prefix: "client \(number)"), items: [])
    }
    let before = try observer.state()
    for editor in editors { editor.start(300) }
    for editor in editors { editor.wait() }
    var history = History(before)
    try history.replay(editors.map(\.attempts), telling: observer.takeSignals())
    #expect(try observer.state() == history.state)
  }
}
