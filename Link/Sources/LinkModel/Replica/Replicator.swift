import BoardModel

/// Exchanges edits between the board of a daemon and its logs.
///
/// Each step first stores its events, so a new replicator can continue after a crash between any
/// two steps. After an error, create a new replicator from the journal.
public actor Replicator {
  /// The limits of one edit of the daemon's board: the numbers of edits, contents, bytes and large
  /// contents.
  static let (maxEdits, maxContents, maxBytes, maxFiles) = (1_000, 4_000, 2 << 20, 16)

  let journal: any ReplicaJournal
  let local: any LocalBoard
  let spool: any ContentSpool
  let logs: any BoardLogs
  /// The log of the replica.
  public internal(set) var log: any EditLog
  let store: any ContentStore
  var generator: any RandomNumberGenerator & Sendable
  let time: @Sendable () -> UInt64
  /// The machine's copy of the board.
  public internal(set) var replica: Replica
  /// Whether the daemon's board is the board of the replica.
  var isVerified = false
  /// Whether events were recorded since the last complete `push`.
  var hasNews = true
  /// The contents that the daemon's board needs and that have not arrived.
  var missing: [ContentHash: MissingContent] = [:]
  /// The contents that have arrived and are not on the daemon's board yet.
  var arrived: [ContentHash: ContentBytes] = [:]
  /// The contents of the spool that this run has not stored yet, with their numbers of bytes.
  var unstored: [ContentHash: Int] = [:]
  /// Whether `unstored` has the contents of earlier runs.
  var hasListedSpool = false
  /// The time after which other machines are asked for a missing content, in microseconds.
  let requestDelay: UInt64
  /// The missing contents for which other machines have not been asked yet.
  var unrequested: Set<ContentHash> = []
  /// The contents for which other machines have been asked.
  var requested: Set<ContentHash> = []
  /// The contents for which other machines ask.
  var wanted: Set<ContentHash> = []
  /// The maximum number of edits of the next batch, because the server has refused a larger one; nil
  /// if it has refused none.
  var maxCut: Int?
  /// Whether this machine has computed its base again, and another machine's board still differs.
  var disagrees = false
  /// Whether this machine is replacing the log, so that it appends no batches.
  var isReplacingLog = false

  /// Creates a replicator for a replica, which must equal the journal's.
  ///
  /// `time` returns the current time in microseconds since 1970, UTC. Other machines are asked for a
  /// content that has been missing for `requestDelay` microseconds.
  public init(
    _ replica: Replica, journal: any ReplicaJournal, local: any LocalBoard,
    spool: any ContentSpool, logs: any BoardLogs, store: any ContentStore,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    requestDelay: UInt64 = 0, time: @escaping @Sendable () -> UInt64
  ) throws {
    self.replica = replica
    self.journal = journal
    self.local = local
    self.spool = spool
    self.logs = logs
    log = try logs.log(replica.log)
    self.store = store
    self.generator = generator
    self.requestDelay = requestDelay
    self.time = time
  }

  func record(_ events: [ReplicaEvent]) async throws {
    let isLong = try await journal.append(events)
    replica.apply(events)
    hasNews = true
    if isLong, replica.isSettled { try await journal.compact(to: replica) }
  }
}

/// The reason why a replicator cannot continue.
public enum ReplicatorError: Error, Hashable, Sendable {
  /// Neither the spool nor the content store has a content.
  case missingContent(ContentHash)
  /// The order of the daemon's board changed while the link was reading it.
  case invalidSnapshot
  /// A later log does not have batches that this machine has read in an earlier log.
  case otherHistory
}

extension ReplicatorError: CustomStringConvertible {
  /// One sentence in lower case, without a full stop.
  public var description: String {
    switch self {
    case .missingContent(let hash):
      "content: the server does not have content \(hash)"
    case .invalidSnapshot: "board: the order of its rows changed while it was read"
    case .otherHistory: "log: it lacks edits that this machine has read before"
    }
  }
}
