public import LinkModel

/// The rules for the replacement of a long log.
public struct ReplacementRules: Sendable {
  /// The condition.
  let limits: Replicator.Limits
  /// The maximum delay before a log is replaced, so that not all machines try at once.
  let maxDelay: Duration
  /// The minimum time after which an earlier log is removed.
  ///
  /// By then, the server has synced the later log to its disk.
  let removalDelay: Duration

  /// Creates rules.
  public init(
    limits: Replicator.Limits = Replicator.Limits(), maxDelay: Duration = .seconds(10),
    removalDelay: Duration = .seconds(300)
  ) {
    (self.limits, self.maxDelay, self.removalDelay) = (limits, maxDelay, removalDelay)
  }
}

/// The tasks that replace the log of a board when it has become long, and remove earlier logs.
actor LogReplacement {
  private let replicator: Replicator
  private let rules: ReplacementRules
  /// Reports an error; called without one after an attempt, so that the loop continues.
  private let report: @Sendable ((any Error)?) async -> Void
  private var attempt: Task<Void, Never>?
  private var removal: Task<Void, Never>?
  /// The position up to which the log was checked.
  private var checkedPosition: UInt64 = 0

  init(
    of replicator: Replicator, _ rules: ReplacementRules,
    report: @escaping @Sendable ((any Error)?) async -> Void
  ) {
    (self.replicator, self.rules, self.report) = (replicator, rules, report)
  }

  /// Starts the removal of earlier logs.
  func startRemoval() { removal = Task { await removeEarlierLogs() } }

  /// Replaces the log in the background if it has become too long.
  func startAttempt() async {
    guard attempt == nil,
      await replicator.mayReplaceLog(since: checkedPosition, rules.limits), attempt == nil
    else { return }
    attempt = Task {
      checkedPosition = await replicator.replica.position
      try? await Task.sleep(for: rules.maxDelay * Double.random(in: 0...1))
      do {
        if !Task.isCancelled { try await replicator.replaceLog(rules.limits) }
      } catch is LogReplaced {
      } catch let error as any StorageRefusal where error.isRefusal {
        // The log works as before. If the server has no space, batches report it.
      } catch { await fail(with: error) }
      attempt = nil
      await report(nil)
    }
  }

  /// Ends the tasks, and waits for their ends.
  func end() async {
    for task in [attempt, removal].compactMap(\.self) {
      task.cancel()
      await task.value
    }
  }

  private func removeEarlierLogs() async {
    guard await replicator.replica.log != nil else { return }
    while !Task.isCancelled {
      try? await Task.sleep(for: rules.removalDelay * Double.random(in: 1...1.5))
      guard !Task.isCancelled else { return }
      do {
        if try await replicator.removeEarlierLogs() { return }
      } catch { await fail(with: error) }
    }
  }

  private func fail(with error: any Error) async {
    if !Task.isCancelled { await report(error) }
  }
}
