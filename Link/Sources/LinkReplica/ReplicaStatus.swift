public import LinkModel

/// The state of a shared board, as its loop reports it.
public struct ReplicaStatus: Sendable, Equatable {
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

  /// Creates the state before the loop has read its replica.
  public init() {}

  /// Takes over the state of a replica, which the daemon has answered.
  mutating func update(_ replica: Replica, unstored: Int) {
    self.unstored = unstored
    position = replica.position
    revision = replica.revision ?? 0
    pending = replica.pending.count
    isSynced = replica.isSynced
    daemonError = nil
    droppedCount = replica.droppedCount
    dropped = replica.dropped
    renewals = replica.renewals
    arriving = replica.waiting.count
    (rebuilt, divergence) = (replica.rebuilt, replica.divergence)
    replaced = replica.replaced
  }
}
