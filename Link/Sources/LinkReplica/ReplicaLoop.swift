public import DragboardClient
internal import Glibc
public import LinkModel

/// The loop that keeps a daemon's board and a log equal.
///
/// After an error of the daemon or the disk, it restarts from the journal. After an error of the
/// log, it retries. Edits of the board never wait for the loop.
public actor ReplicaLoop {
  /// The state of a shared board.
  public struct Status: Sendable, Equatable {
    /// The number of the last entry that the loop has read from the log.
    public var position: UInt64 = 0
    /// The latest revision of the daemon's board that the loop has read or made; 0 before the
    /// first.
    public var revision: UInt64 = 0
    /// The number of edits of this machine that are not in the log.
    public var pending = 0
    /// Whether the daemon's board has all entries up to `position`.
    public var isSynced = false
    /// The error of the last exchange with the log; nil if it succeeded.
    public var logError: String?
    /// The error of the last exchange with the daemon; nil if it succeeded.
    public var daemonError: String?
    /// The number of contents that this machine has to store on the server.
    public var unstored = 0
    /// The number of rows whose contents the server does not have yet.
    public var arriving = 0
    /// The time at which the board was last computed again from the log, because it differed from
    /// that of another machine, in microseconds since 1970, UTC; 0 if it never was.
    public var rebuilt: UInt64 = 0
    /// The number of the entry with which another machine says that its board differs; nil if the
    /// boards are equal.
    public var divergence: UInt64?
    /// The number of edits of this machine that had no effect.
    public var droppedCount: UInt64 = 0
    /// The last edits of this machine that had no effect.
    public var dropped: [DroppedEdit] = []
    /// The number of new keys that the replica needed because it was restored or copied.
    public var renewals: UInt64 = 0
    /// The time at which the daemon's board was last another board or an earlier copy, in
    /// microseconds since 1970, UTC; 0 if it never was.
    public var replaced: UInt64 = 0
  }

  /// The maximum delay between attempts to append a batch.
  ///
  /// Without a connection, an attempt needs no request.
  private static let maxSendingDelay = Duration.seconds(2)

  private let board: Board
  private let stored: StoredReplica
  private let log: any EditLog
  private let store: any ContentStore
  private let files: FileSharing
  private let delays: ClosedRange<Duration>
  private let confirmationDelay: Duration
  private let requestDelay: Duration

  /// The state of the board.
  public private(set) var status = Status()
  private var watchers: [Int: AsyncStream<Status>.Continuation] = [:]
  private var lastWatcher = 0
  private var inbox: [LogEntry] = []
  private var listeners: [Task<Void, Never>] = []
  private var sending: Task<Void, Never>?
  private var confirmation: Task<Void, Never>?
  private var lookup: Task<Void, Never>?
  private var answering: Task<Void, Never>?
  /// The entry up to which the loop must read the log before it reads the board for the first time;
  /// nil if it is not known yet.
  private var mergeEntry: UInt64?
  private var replicator: Replicator?
  /// Start the transfers of contents.
  private var transfers: [AsyncStream<Void>.Continuation] = []
  /// The position at which the log refused the last batch, because another entry came first.
  private var refusedAfter: UInt64?
  private let (wakeUps, wake) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - board: the board of the daemon.
  ///   - stored: the replica in the database.
  ///   - log: the log.
  ///   - store: the store of the contents of the log's edits.
  ///   - files: the rules for files to which rows refer.
  ///   - delays: the minimum and the maximum delay between attempts.
  ///   - confirmationDelay: the time after which contents are confirmed.
  ///   - requestDelay: the time after which other machines are asked for a missing content.
  public init(
    _ board: Board, stored: StoredReplica, log: any EditLog, store: any ContentStore,
    files: FileSharing = FileSharing(machine: ""), delays: ClosedRange<Duration> = Backoff.delays,
    confirmationDelay: Duration = Replicator.confirmationDelay,
    requestDelay: Duration = .seconds(30)
  ) {
    self.board = board
    self.stored = stored
    self.log = log
    self.store = store
    self.files = files
    self.delays = delays
    self.confirmationDelay = confirmationDelay
    self.requestDelay = requestDelay
  }

  /// Returns the current state, then the state after each change.
  public func statuses() -> AsyncStream<Status> {
    let (stream, watcher) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    lastWatcher += 1
    let number = lastWatcher
    watchers[number] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.removeWatcher(number) } }
    watcher.yield(status)
    return stream
  }

  /// Returns the contents in the content store to which rows or edits of this board refer.
  ///
  /// - Parameter number: the number of the last entry of the log.
  /// - Returns: nil if this machine has not read the entry yet.
  public func storedContents(at number: UInt64) async -> Set<ContentHash>? {
    guard let replica = await replicator?.replica, replica.position >= number else { return nil }
    return replica.storedContents
  }

  private func removeWatcher(_ number: Int) { watchers[number] = nil }

  private func report(_ change: (inout Status) -> Void) {
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
      do { try await exchange() } catch is CancellationError {
      } catch {
        report { $0.daemonError = "\(error)" }
      }
      // All of them use the replica or the trail of the log.
      for task in listeners + [sending, confirmation, lookup, answering].compactMap(\.self) {
        task.cancel()
        await task.value
      }
      listeners = []
      (sending, confirmation, lookup, answering) = (nil, nil, nil, nil)
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

  private func exchange() async throws {
    let (replica, journal) = try stored.load()
    let replicator = Replicator(
      replica, journal: journal, local: DaemonBoard(board, files),
      spool: try StoredSpool(stored), log: log, store: store,
      requestDelay: requestDelay.microseconds ?? 0, time: Self.time)
    self.replicator = replicator
    await report(replicator)
    refusedAfter = nil
    let position = replica.position
    listeners = [
      Task { await listenToLog(after: position) }, Task { await listenToDaemon(replicator) },
    ]
    startTransfers(replicator)
    var wakeUps = self.wakeUps.makeAsyncIterator()
    while true {
      try Task.checkCancellation()
      let isDone = try await exchangeOnce(replicator)
      await report(replicator)
      if isDone, inbox.isEmpty { await wakeUps.next() }
    }
  }

  private func report(_ replicator: Replicator) async {
    let (replica, unstored) = (await replicator.replica, await replicator.unstoredCount)
    report {
      $0.unstored = unstored
      $0.position = replica.position
      $0.revision = replica.revision ?? 0
      $0.pending = replica.pending.count
      $0.isSynced = replica.isSynced
      $0.daemonError = nil
      $0.droppedCount = replica.droppedCount
      $0.dropped = replica.dropped
      $0.renewals = replica.renewals
      $0.arriving = replica.waiting.count
      ($0.rebuilt, $0.divergence) = (replica.rebuilt, replica.divergence)
      $0.replaced = replica.replaced
    }
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
    if confirmation == nil { confirmation = Task { await confirm(replicator) } }
    let isDone = try await replicator.push()
    startAnswering(replicator)
    for transfer in transfers { transfer.yield() }
    return isDone
  }

  /// Reads contents for other machines in the background.
  private func startAnswering(_ replicator: Replicator) {
    guard answering == nil else { return }
    answering = Task {
      // The next exchange starts the transfers, and the confirmation of the contents.
      do { if try await replicator.answerRequests() { wake.yield() } } catch {
        if !Task.isCancelled { report { $0.logError = "\(error)" } }
      }
      answering = nil
    }
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
          do { mergeEntry = try await log.lastNumber() } catch {
            if !Task.isCancelled { report { $0.logError = "\(error)" } }
          }
        }
        lookup = nil
        wake.yield()
      }
    }
    return false
  }

  /// Confirms contents of this machine until none remain.
  private func confirm(_ replicator: Replicator) async {
    while !Task.isCancelled {
      do {
        if try await !replicator.confirmContents(after: confirmationDelay) { break }
      } catch { if !Task.isCancelled { report { $0.logError = "\(error)" } } }
      try? await Task.sleep(for: confirmationDelay / 4)
    }
    if !Task.isCancelled { confirmation = nil }
  }

  // MARK: Contents

  /// Starts the tasks that store and get contents; small contents do not wait for large ones.
  private func startTransfers(_ replicator: Replicator) {
    transfers = []
    for areLarge in [false, true] {
      for stores in [false, true] {
        let (starts, start) = AsyncStream.makeStream(
          of: Void.self, bufferingPolicy: .bufferingNewest(1))
        transfers.append(start)
        listeners.append(
          Task {
            var timer: Task<Void, any Error>?
            for await _ in starts where !Task.isCancelled {
              timer?.cancel()
              timer = nil
              if stores {
                await upload(replicator, areLarge)
              } else if let next = await fetch(replicator, areLarge) {
                timer = Task {
                  try await Task.sleep(until: next, clock: .continuous)
                  start.yield()
                }
              }
            }
            timer?.cancel()
          })
        start.yield()
      }
    }
  }

  private func reportError(_ error: any Error) {
    if !Task.isCancelled { report { $0.logError = "\(error)" } }
  }

  /// Stores all contents that this machine must store.
  private func upload(_ replicator: Replicator, _ areLarge: Bool) async {
    var backoff = Backoff(delays)
    while !Task.isCancelled {
      do {
        let hashes = try await replicator.nextUploads(areLarge: areLarge)
        guard !hashes.isEmpty else { return }
        for hash in hashes {
          try? await Task.sleep(for: backoff.next())
          do {
            try await replicator.upload(hash)
          } catch let error as any StorageRefusal where error.isRefusal {
            await replicator.noteRefusal(of: hash)
            throw error
          }
          try await replicator.noteUpload(of: hash)
          backoff = Backoff(delays)
          let unstored = await replicator.unstoredCount
          report {
            $0.unstored = unstored
            $0.logError = nil
          }
        }
      } catch { reportError(error) }
    }
  }

  /// The time after which `push` gets the contents that have arrived.
  private static let maxFetchTime = Duration.milliseconds(100)

  /// Gets the contents that the daemon's board needs.
  ///
  /// - Returns: the time of the next attempt to get the others; nil if none is missing.
  private func fetch(
    _ replicator: Replicator, _ areLarge: Bool
  ) async -> ContinuousClock.Instant? {
    while !Task.isCancelled {
      let hashes = await replicator.nextFetches(areLarge: areLarge)
      guard !hashes.isEmpty else { break }
      let end = ContinuousClock.now + Self.maxFetchTime
      var hasNews = false
      for hash in hashes {
        do { if try await replicator.fetch(hash) { hasNews = true } } catch { reportError(error) }
        guard ContinuousClock.now < end, !Task.isCancelled else { break }
      }
      if hasNews { wake.yield() }
    }
    return await replicator.nextFetchTime(areLarge: areLarge)
  }

  // MARK: The log

  private func listenToLog(after start: UInt64) async {
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
      } catch {
        if !Task.isCancelled { report { $0.logError = "\(error)" } }
      }
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
        } catch let error as any StorageRefusal where error.isRefusal {
          report { $0.logError = "\(error)" }
          // A smaller batch may be accepted. Otherwise the user must do something.
          if (try? await replicator.noteRefusal(of: batch)) != true {
            try? await Task.sleep(for: delays.upperBound)
          }
          break
        } catch {
          if !Task.isCancelled { report { $0.logError = "\(error)" } }
        }
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
