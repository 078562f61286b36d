import DBus

/// The reading of large contents into memory for replies.
///
/// The reads are limited to the speed at which the bus sends the replies.
///
/// A content stays in memory until its reply has been sent. Clients that ask for large contents
/// take turns, and all connections of a sandbox are one client. Other calls wait only for the bytes of
/// the replies before theirs.
final class LargeReads {
  /// The maximum number of bytes that are being read or wait to be sent.
  ///
  /// A larger content is read if at most `almostNothing` bytes are being read or wait to be sent.
  private static let maxBytes = 4 << 20
  private static let almostNothing = 64 << 10

  private struct Job {
    let cost: Cost
    let holder: Quota.Holder
    let start: () -> Void
  }

  private let scheduler: Scheduler
  private let connection: Connection
  private let admission: Admission
  private var waiting = RoundRobin<Job>()
  /// The quota of the contents that are being read and will wait to be sent.
  private let reads = Quota(
    "reads of large contents", total: Quota.Limit(bytes: maxBytes), advice: "wait for the replies")

  init(_ scheduler: Scheduler, _ connection: Connection, _ admission: Admission) {
    (self.scheduler, self.connection, self.admission) = (scheduler, connection, admission)
  }

  /// Performs work that reads a content on another thread, when there is room for its bytes.
  ///
  /// Then it calls `then` in a separate step.
  func run<Outcome: Sendable>(
    for holder: Quota.Holder, bytes byteCount: Int, _ work: @escaping @Sendable () -> Outcome,
    then: @escaping (Step, Outcome) -> Void
  ) {
    let cost = Cost(calls: 1, bytes: byteCount)
    let job = Job(cost: cost, holder: holder) { [self] in
      scheduler.work(work) { [self] step, outcome in
        reads.release(cost, from: holder)
        then(step, outcome)
      }
    }
    waiting.append(job, of: holder.sandbox.map { "sandbox \($0)" } ?? holder.connection)
    startSome()
  }

  /// Starts the reads for which there is room.
  ///
  /// Call it after a reply was sent, and after a content was read.
  func startSome() {
    while let job = waiting.take(where: { canStart($1) }) {
      // It cannot fail, because `canStart` has found room.
      try? reads.charge(job.cost, to: job.holder)
      job.start()
    }
  }

  private func canStart(_ job: Job) -> Bool {
    let client = job.holder.connection
    let taken = reads.usage.bytes + connection.backlog
    let isRoom = taken + job.cost.bytes <= Self.maxBytes || taken <= Self.almostNothing
    return isRoom && reads.hasRoom(for: job.cost, of: job.holder)
      && admission.mayAnswer(client, with: reads.usage(ofConnection: client).bytes)
  }
}
