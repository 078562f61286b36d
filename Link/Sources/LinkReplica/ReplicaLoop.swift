public import DragboardClient
internal import Files
internal import Glibc
public import LinkModel

/// The loop that keeps a daemon's board and a log equal.
///
/// After an error of the daemon or the disk, it restarts from the journal. After an error of the
/// log, it retries. Edits of the board never wait for the loop.
public actor ReplicaLoop {
  /// The maximum delay between attempts to append a batch.
  ///
  /// Without a connection, an attempt needs no request.
  private static let maxSendingDelay = Duration.seconds(2)

  private let board: Board
  private let stored: StoredReplica
  private let logs: any BoardLogs
  private let replacementRules: ReplacementRules
  private let store: any ContentStore
  private let files: FileSharing
  private let delays: ClosedRange<Duration>
  private let confirmationDelay: Duration
  private let requestDelay: Duration

  /// The state of the board.
  public private(set) var status = ReplicaStatus()
  private var watchers: [Int: AsyncStream<ReplicaStatus>.Continuation] = [:]
  private var lastWatcher = 0
  private var inbox: [LogEntry] = []
  private var listeners: [Task<Void, Never>] = []
  private var sending: Task<Void, Never>?
  private var lookup: Task<Void, Never>?
  private var transfers: ContentTransfers?
  private var replacement: LogReplacement?
  /// Whether the server no longer has the log, because a later log has replaced it.
  private var isLogReplaced = false
  /// The entry up to which the loop must read the log before it reads the board for the first time;
  /// nil if it is not known yet.
  private var mergeEntry: UInt64?
  private var replicator: Replicator?
  /// The position at which the log refused the last batch, because another entry came first.
  private var refusedAfter: UInt64?
  private let (wakeUps, wake) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - board: the board of the daemon.
  ///   - stored: the replica in the database.
  ///   - logs: the logs of the board.
  ///   - store: the store of the contents of the log's edits.
  ///   - files: the rules for files to which rows refer.
  ///   - delays: the minimum and the maximum delay between attempts.
  ///   - confirmationDelay: the time after which contents are confirmed.
  ///   - requestDelay: the time after which other machines are asked for a missing content.
  ///   - replacement: the rules for the replacement of the log.
  public init(
    _ board: Board, stored: StoredReplica, logs: any BoardLogs, store: any ContentStore,
    files: FileSharing = FileSharing(machine: ""), delays: ClosedRange<Duration> = Backoff.delays,
    confirmationDelay: Duration = Replicator.confirmationDelay,
    requestDelay: Duration = .seconds(30), replacement: ReplacementRules = ReplacementRules()
  ) {
    self.board = board
    self.stored = stored
    (self.logs, replacementRules) = (logs, replacement)
    self.store = store
    self.files = files
    self.delays = delays
    self.confirmationDelay = confirmationDelay
    self.requestDelay = requestDelay
  }

  /// Returns the current state, then the state after each change.
  public func statuses() -> AsyncStream<ReplicaStatus> {
    let (stream, watcher) = AsyncStream.makeStream(
      of: ReplicaStatus.self, bufferingPolicy: .bufferingNewest(1))
    lastWatcher += 1
    let number = lastWatcher
    watchers[number] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.removeWatcher(number) } }
    watcher.yield(status)
    return stream
  }

  /// Returns the contents in the content store to which rows or edits of this board refer.
  ///
  /// - Returns: nil if this machine has not read all entries of the latest log.
  public func storedContents() async throws -> Set<ContentHash>? {
    guard let replicator else { return nil }
    let last = try await replicator.log.lastNumber()
    let replica = await replicator.replica
    guard replica.position >= last, replica.successor == nil else { return nil }
    return replica.storedContents
  }

  private func removeWatcher(_ number: Int) { watchers[number] = nil }

  private func report(_ change: (inout ReplicaStatus) -> Void) {
    let old = status
    change(&status)
    if status != old { for watcher in watchers.values { watcher.yield(status) } }
  }

  // MARK: Running

  /// Exchanges edits until the task is cancelled.
  public func run() async {
    var backoff = Backoff(delays)
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        // The next exchange begins at once with the next log.
        try await exchange()
        backoff = Backoff(delays)
      } catch is CancellationError {
      } catch {
        report { $0.daemonError = "\(error)" }
      }
      // All of them use the replica or the trail of the log.
      for task in listeners + [sending, lookup].compactMap(\.self) {
        task.cancel()
        await task.value
      }
      await transfers?.end()
      await replacement?.end()
      (listeners, sending, lookup, transfers, replacement) = ([], nil, nil, nil, nil)
      (mergeEntry, isLogReplaced) = (nil, false)
      replicator = nil
      inbox = []
    }
  }

  @Sendable
  private static func time() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)).microseconds ?? 0
  }

  /// Exchanges edits until the replica continues with a later log.
  private func exchange() async throws {
    let replicator = try loadReplicator()
    self.replicator = replicator
    await report(replicator)
    refusedAfter = nil
    let (log, position) = (await replicator.log, await replicator.replica.position)
    listeners = [
      Task { await listen(to: log, after: position) }, Task { await listenToDaemon(replicator) },
    ]
    let transfers = ContentTransfers(
      replicator, delays: delays, confirmationDelay: confirmationDelay
    ) { [weak self] in await self?.note($0) }
    self.transfers = transfers
    let replacement = LogReplacement(of: replicator, replacementRules) { [weak self] in
      await self?.noteReplacement($0)
    }
    self.replacement = replacement
    await replacement.startRemoval()
    var wakeUps = self.wakeUps.makeAsyncIterator()
    while true {
      try Task.checkCancellation()
      if try await hasMoved(replicator) { return }
      var isDone = true
      do { isDone = try await exchangeOnce(replicator) } catch is LogReplaced {
        // A step needed the log, for example to distinguish an earlier copy of the board from edits.
        isLogReplaced = true
        if try await hasMoved(replicator) { return }
        wakeLater()
      }
      await report(replicator)
      await HeapTrim.shared.noteExchange()
      if isDone, inbox.isEmpty { await wakeUps.next() }
    }
  }

  /// Loads the replica.
  ///
  /// Only the result has it: a copy would retain the memory of the earlier states of its parts.
  private func loadReplicator() throws -> Replicator {
    let (replica, journal) = try stored.load()
    Heap.trim()
    return try Replicator(
      replica, journal: journal, local: DaemonBoard(board, files),
      spool: try StoredSpool(stored), logs: logs, store: store,
      requestDelay: requestDelay.microseconds ?? 0, time: Self.time)
  }

  private func report(_ replicator: Replicator) async {
    let (replica, unstored) = (await replicator.replica, await replicator.unstoredCount)
    report { $0.update(replica, unstored: unstored) }
  }

  private func note(_ event: ContentTransfers.Event) {
    switch event {
    case .failed(let error): report { $0.logError = "\(error)" }
    case .stored(let remaining): report { ($0.unstored, $0.logError) = (remaining, nil) }
    case .hasNews: wake.yield()
    }
  }

  private func noteReplacement(_ error: (any Error)?) {
    if let error { report { $0.logError = "\(error)" } } else { wake.yield() }
  }

  private func reportError(_ error: any Error) {
    if !Task.isCancelled { report { $0.logError = "\(error)" } }
  }

  /// Does everything that is possible now; returns whether the loop must wait for an event.
  private func exchangeOnce(_ replicator: Replicator) async throws -> Bool {
    let entries = inbox
    inbox = []
    try await replicator.receive(entries)
    do { try await replicator.heal() } catch { report { $0.logError = "\(error)" } }
    guard await canPull(replicator) else { return true }
    try await replicator.pull()
    try await startSending(replicator)
    let isDone = try await replicator.push()
    await replacement?.startAttempt()
    transfers?.start()
    return isDone
  }

  /// Returns whether the loop may read the daemon's board.
  ///
  /// If it has never read the board, it first reads the log. Then rows that the board and the log
  /// have in common are recognised, and no row comes twice.
  private func canPull(_ replicator: Replicator) async -> Bool {
    let replica = await replicator.replica
    guard replica.revision == nil else { return true }
    if let mergeEntry { return replica.position >= mergeEntry }
    if lookup == nil {
      lookup = Task {
        var backoff = Backoff(delays)
        while mergeEntry == nil, !Task.isCancelled {
          try? await Task.sleep(for: backoff.next())
          do { mergeEntry = try await replicator.log.lastNumber() } catch { reportError(error) }
        }
        lookup = nil
        wake.yield()
      }
    }
    return false
  }

  // MARK: The log

  private func listen(to log: any EditLog, after start: UInt64) async {
    var (last, backoff) = (start, Backoff(delays))
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        for try await entry in log.entries(after: last) {
          last = entry.number
          inbox.append(entry)
          report { $0.logError = nil }
          wake.yield()
        }
      } catch is LogReplaced {
        isLogReplaced = true
        wake.yield()
      } catch { reportError(error) }
    }
  }

  /// Continues with a later log if one has replaced the log.
  ///
  /// - Returns: whether the replica has another log now.
  private func hasMoved(_ replicator: Replicator) async throws -> Bool {
    let isReplaced = isLogReplaced
    isLogReplaced = false
    do {
      guard try await replicator.move(isReplaced: isReplaced) else { return false }
      report { $0.logError = nil }
      return true
    } catch {
      // The daemon's board and the log are exchanged as before; the listener tries again.
      reportError(error)
      if await replicator.replica.successor != nil { wakeLater() }
      return false
    }
  }

  private func wakeLater() {
    let delay = delays.upperBound
    Task { [wake] in
      try? await Task.sleep(for: delay)
      wake.yield()
    }
  }

  /// Appends the next batch in the background, so that edits of the daemon's board need not wait
  /// for the log.
  private func startSending(_ replicator: Replicator) async throws {
    guard sending == nil, let batch = try await replicator.nextBatch() else { return }
    if let refusedAfter, refusedAfter >= batch.last { return }
    sending = Task {
      var backoff = Backoff(delays)
      while !Task.isCancelled {
        try? await Task.sleep(for: min(backoff.next(), Self.maxSendingDelay))
        do {
          if let entry = try await replicator.send(batch) {
            await replicator.noteSuccess(of: batch)
            inbox.append(entry)
          } else {
            refusedAfter = batch.last
          }
          report { $0.logError = nil }
          break
        } catch is LogReplaced {
          refusedAfter = batch.last
          isLogReplaced = true
          break
        } catch let error as any StorageRefusal where error.isRefusal {
          report { $0.logError = "\(error)" }
          // A smaller batch may be accepted. Otherwise the user must do something.
          if (try? await replicator.noteRefusal(of: batch)) != true {
            try? await Task.sleep(for: delays.upperBound)
          }
          break
        } catch { reportError(error) }
      }
      sending = nil
      wake.yield()
    }
  }

  // MARK: The daemon

  private func listenToDaemon(_ replicator: Replicator) async {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for try await _ in await self.board.edits() { self.wake.yield() } }
        group.addTask { try await self.listenToBoards(replicator) }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      if !Task.isCancelled { report { $0.daemonError = "\(error)" } }
    }
  }

  /// Checks the board when another board may have its id.
  private func listenToBoards(_ replicator: Replicator) async throws {
    let reasons: [DragboardEvent] = [.boardAdded(board.id), .daemonCame, .missed]
    for try await event in await board.connection.events() where reasons.contains(event) {
      await replicator.verifyBoard()
      wake.yield()
    }
  }
}
