import LinkModel
import Synchronization
import TestSupport
import Testing

/// A machine with a daemon's board, a journal, and a link that may crash.
final class Machine {
  let board: MemoryBoard
  let journal: MemoryJournal
  private let spool = MemoryContents()
  private let log: MemoryLog
  private let store: MemoryContents
  private var link: Replicator?
  private var crashes: UInt64 = 0
  /// The time, in microseconds.
  let clock = Clock()
  private let seed: UInt64
  private let requestDelay: UInt64

  init(
    _ number: Int, seed: UInt64, kept: Int? = nil, _ chance: Chance, _ log: MemoryLog,
    _ store: MemoryContents, requestDelay: UInt64 = 0
  ) {
    self.requestDelay = requestDelay
    board = MemoryBoard(machine: number, seed: seed, kept: kept, chance)
    journal = MemoryJournal(chance, machine: MachineKey(0, UInt64(number)))
    (self.log, self.store) = (log, store)
    self.seed = seed &* 1_000 &+ UInt64(number) &* 1_000_000
  }

  func crash() { link = nil }

  /// Fills the disk of the link, or makes space.
  func setFull(_ isFull: Bool) async {
    await journal.setFull(isFull)
    await spool.setFull(isFull)
  }

  /// The data of a home directory: those of the daemon and those of the link.
  struct Backup: Sendable {
    let board: MemoryBoard.Backup
    let journal: (snapshot: [UInt8], events: [[UInt8]])
  }

  func backup() async -> Backup {
    Backup(board: await board.backup(), journal: await journal.backup())
  }

  /// Loses the files of the link.
  func lose() async {
    crash()
    await journal.restore((Replica(machine: MachineKey(9, 9)).bytes ?? [], []))
  }

  /// Restores only the data of the daemon.
  func restoreDaemon(_ backup: Backup) async {
    crash()
    await board.restore(backup.board)
  }

  func restore(_ backup: Backup) async {
    crash()
    await board.restore(backup.board)
    await journal.restore(backup.journal)
  }

  func started() async throws -> Replicator {
    if let link { return link }
    crashes += 1
    let link = try Replicator(
      try await journal.load(), journal: journal, local: board, spool: spool, logs: log,
      store: store, generator: SplitMix64(seed: seed &+ crashes), requestDelay: requestDelay,
      time: { [clock] in clock.now.withLock { $0 } })
    self.link = link
    return link
  }

  /// Reads the edits of the daemon's clients.
  ///
  /// As in a group, a link reads the whole log before it merges the board for the first time.
  func pull() async throws {
    let link = try await started()
    if await link.replica.revision == nil { try await receive() }
    try await continuing { try await link.pull() }
  }
  func push() async throws { _ = try await started().push() }
  func publish() async throws {
    let link = try await started()
    try await continuing { _ = try await link.publish() }
  }

  /// Makes a step that needs the log, or continues with a later log if the server no longer has it.
  ///
  /// Then a later log must be in use.
  private func continuing(_ step: () async throws -> Void) async throws {
    do { try await step() } catch is LogReplaced {
      #expect(try await started().move(isReplaced: true))
    }
  }

  func receive() async throws {
    let link = try await started()
    while true {
      let replica = await link.replica
      var isReplaced = false
      do {
        try await link.receive(await log.read(after: replica.position, of: replica.log))
      } catch is LogReplaced { isReplaced = true }
      guard try await link.move(isReplaced: isReplaced) else { return }
    }
  }

  /// Replaces the log, if the machine has read its last entry.
  func replaceLog() async throws {
    _ = try await started().replaceLog(.init(bytes: 0, entries: 1, factor: 0))
  }

  func removeEarlierLogs() async throws { try await started().removeEarlierLogs() }

  /// Makes one attempt of every step.
  ///
  /// - Returns: whether nothing is left to do.
  @discardableResult
  func cycle() async throws -> Bool {
    let link = try await started()
    let old = await link.replica
    try await receive()
    try await link.heal()
    try await link.pull()
    let hasPublished = try await link.publish()
    try await link.uploadContents()
    var isSynced = try await link.push()
    if try await link.fetchContents() { isSynced = try await link.push() }
    _ = try await link.confirmContents()
    try await link.answerRequests()
    let new = await link.replica
    return !hasPublished && isSynced && new.pending.isEmpty && old.position == new.position
      && old.log == new.log
  }
}

/// The clock of a test.
final class Clock: Sendable {
  let now = Mutex<UInt64>(5)
}

extension [Machine] {
  /// Exchanges edits until all machines have all of them, and returns the texts of the rows.
  @discardableResult
  func settle() async throws -> [[String]] {
    for _ in 0..<20 {
      var isDone = true
      for machine in self where try await !machine.cycle() { isDone = false }
      if isDone { break }
    }
    var texts: [[String]] = []
    for machine in self { texts.append(await machine.board.texts()) }
    return texts
  }
}
