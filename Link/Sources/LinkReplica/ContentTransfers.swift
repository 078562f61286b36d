internal import LinkModel

/// The tasks that exchange the contents of a board with the server, while a replica is in use.
///
/// Small contents do not wait for large ones, and edits wait for neither.
struct ContentTransfers: Sendable {
  /// The result of a transfer.
  enum Event: Sendable {
    case failed(any Error)
    /// A content was stored, and this number of contents remains.
    case stored(remaining: Int)
    /// The loop has to continue: contents have arrived or must be stored, or other machines must be asked.
    case hasNews
  }

  private let replicator: Replicator
  private let delays: ClosedRange<Duration>
  private let report: @Sendable (Event) async -> Void
  private var starts: [AsyncStream<Void>.Continuation] = []
  private var tasks: [Task<Void, Never>] = []

  /// Starts the tasks.
  init(
    _ replicator: Replicator, delays: ClosedRange<Duration>, confirmationDelay: Duration,
    report: @escaping @Sendable (Event) async -> Void
  ) {
    (self.replicator, self.delays, self.report) = (replicator, delays, report)
    let transfers = self
    for areLarge in [false, true] {
      addTask(startsNow: true) {
        await transfers.upload(areLarge: areLarge)
        return nil
      }
      addTask(startsNow: true) { await transfers.fetch(areLarge: areLarge) }
    }
    addTask {
      await transfers.confirm(after: confirmationDelay)
      return nil
    }
    addTask {
      await transfers.answer()
      return nil
    }
  }

  /// Starts everything that has to be done after an exchange of edits.
  func start() { for start in starts { start.yield() } }

  /// Ends the tasks, and waits for their ends.
  func end() async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Adds a task that calls `body` after each start, and at the time that `body` returns.
  private mutating func addTask(
    startsNow: Bool = false, _ body: @escaping @Sendable () async -> ContinuousClock.Instant?
  ) {
    let (stream, start) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    starts.append(start)
    tasks.append(
      Task {
        var timer: Task<Void, any Error>?
        for await _ in stream where !Task.isCancelled {
          timer?.cancel()
          timer = nil
          guard let next = await body() else { continue }
          timer = Task {
            try await Task.sleep(until: next, clock: .continuous)
            start.yield()
          }
        }
        timer?.cancel()
      })
    if startsNow { start.yield() }
  }

  private func fail(with error: any Error) async {
    if !Task.isCancelled { await report(.failed(error)) }
  }

  /// Stores all contents that this machine must store.
  private func upload(areLarge: Bool) async {
    var backoff = Backoff(delays)
    while !Task.isCancelled {
      try? await Task.sleep(for: backoff.next())
      do {
        let hashes = try await replicator.nextUploads(areLarge: areLarge)
        guard !hashes.isEmpty else { return }
        for hash in hashes {
          do {
            try await replicator.upload(hash)
          } catch let error as any StorageRefusal where error.isRefusal {
            await replicator.noteRefusal(of: hash)
            throw error
          }
          try await replicator.noteUpload(of: hash)
          backoff = Backoff(delays)
          await report(.stored(remaining: await replicator.unstoredCount))
        }
      } catch { await fail(with: error) }
    }
  }

  /// The time after which `push` gets the contents that have arrived.
  private static let maxFetchTime = Duration.milliseconds(100)

  /// Gets the contents that the daemon's board needs.
  ///
  /// - Returns: the time of the next attempt to get the others; nil if none is missing.
  private func fetch(areLarge: Bool) async -> ContinuousClock.Instant? {
    while !Task.isCancelled {
      let hashes = await replicator.nextFetches(areLarge: areLarge)
      guard !hashes.isEmpty else { break }
      let end = ContinuousClock.now + Self.maxFetchTime
      var hasNews = false
      for hash in hashes {
        do { if try await replicator.fetch(hash) { hasNews = true } } catch {
          await fail(with: error)
        }
        guard ContinuousClock.now < end, !Task.isCancelled else { break }
      }
      if hasNews { await report(.hasNews) }
    }
    return await replicator.nextFetchTime(areLarge: areLarge)
  }

  /// Confirms contents of this machine until none remain.
  private func confirm(after delay: Duration) async {
    while !Task.isCancelled {
      do { if try await !replicator.confirmContents(after: delay) { return } } catch {
        await fail(with: error)
      }
      try? await Task.sleep(for: delay / 4)
    }
  }

  /// Reads contents for other machines.
  private func answer() async {
    // The next exchange of edits starts the transfers, and the confirmation of the contents.
    do { if try await replicator.answerRequests() { await report(.hasNews) } } catch {
      await fail(with: error)
    }
  }
}
