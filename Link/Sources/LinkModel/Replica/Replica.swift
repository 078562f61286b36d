/// The marker type for the ids of rows on the local daemon's board.
public enum ItemSubject {}

/// The id of a row on the local daemon's board.
public typealias ItemKey = Key<ItemSubject>

/// One machine's copy of a shared board: a pure value that only events change.
///
/// A replica has three boards:
/// - `base` is the result of all entries of the log up to `position`.
/// - `visible` is `base` with the edits of this machine that are not in the log yet.
/// - `shadow` is the board of the local daemon at `revision`.
///
/// Local edits change `shadow`, `visible` and the pending edits. Entries of the log change `base`
/// and `visible`. Then the link edits the daemon's board until `shadow` equals `visible`.
public struct Replica: Sendable {
  /// The maximum number of dropped edits that a replica stores.
  public static let maxDropped = 100

  /// The key of this copy of the board, which its batches have.
  public internal(set) var machine: MachineKey
  /// The number of the last entry with a checkpoint, and the time at which this machine read it, or
  /// read the first entry, in microseconds since 1970, UTC.
  var lastCheckpoint: (entry: UInt64, time: UInt64) = (0, 0)
  /// The number of the entry whose checkpoint differs from the base; nil if all were equal.
  public internal(set) var divergence: UInt64?
  /// The time at which the base was last computed again from the log, in microseconds since 1970,
  /// UTC; 0 if it never was.
  public internal(set) var rebuilt: UInt64 = 0
  /// The time at which the daemon's board was last another board or an earlier copy, in microseconds
  /// since 1970, UTC; 0 if it never was.
  public internal(set) var replaced: UInt64 = 0
  /// The key that this copy had before; nil if it has always had the same.
  var previousMachine: MachineKey?
  /// Whether the log has a batch with the key of this replica that this replica did not append.
  ///
  /// Either this replica was restored from a backup, or it was copied together with the home
  /// directory. The replica needs a new key before it appends a batch.
  var hasTwin = false
  /// The number of new keys that the replica needed because it was restored or copied.
  public internal(set) var renewals: UInt64 = 0
  /// The board after the entries up to `position`.
  public internal(set) var base = SharedBoard()
  /// The log of the board to which `position` belongs; nil for the first log.
  public internal(set) var log: LogID?
  /// The log that replaces this log, so that no further entry of this log is applied; nil if no entry
  /// has named it.
  public internal(set) var successor: LogID?
  /// The number of the last entry of the snapshot with which the log begins; 0 for the first log.
  var start: UInt64 = 0
  /// The number of the last entry of the log that is applied to `base`.
  public internal(set) var position: UInt64 = 0
  /// For each machine, the number of its last batch that is applied to `base`.
  var lastBatches: [MachineKey: UInt64] = [:]

  /// The edits of this machine that are not in the log, in order.
  public internal(set) var pending: [SharedEdit] = []
  /// The number of pending edits in the next batch; 0 if this is not decided yet.
  ///
  /// The decision is valid until another machine's entry has the next number. Until then, the log may
  /// contain the batch, so the batch must not change after the first attempt to append it.
  public internal(set) var cutCount = 0
  /// The number of the next batch.
  var batchNumber: UInt64 = 1
  /// `base` with the pending edits; nil if there are no pending edits.
  private(set) var overlay: SharedBoard?

  /// The local daemon's board at `revision`.
  public internal(set) var shadow = SharedBoard()
  /// The parts in which `shadow` and `visible` may differ.
  public internal(set) var dirty = TouchedParts()
  /// The rows whose contents the content store does not have.
  ///
  /// `shadow` does not have them, or has their earlier contents.
  public internal(set) var waiting: Set<RowKey> = []
  /// The revision of the local daemon's board; nil before the board has been read.
  public internal(set) var revision: UInt64?
  /// The history of the revision.
  public internal(set) var history = RevisionHistory()
  /// The ids of the rows of `shadow` on the local daemon's board.
  public internal(set) var items = KeyTable<SharedRow, ItemKey>()
  /// The rows of `shadow` by their ids.
  public internal(set) var keys = KeyTable<ItemSubject, RowKey>()
  /// The latest edit of the daemon's board whose outcome is unknown; nil if all outcomes are known.
  public internal(set) var intent: Intent?

  /// The last edits of this machine that had no effect.
  public internal(set) var dropped: [DroppedEdit] = []
  /// The number of edits of this machine that have had no effect.
  public internal(set) var droppedCount: UInt64 = 0
  /// The titles of deleted rows and sections; empty if there are no pending edits.
  var titles = Titles()

  /// Creates the replica of a machine that has read neither the log nor the daemon's board.
  public init(machine: MachineKey) { self.machine = machine }

  /// The board that the users of this machine see.
  public var visible: SharedBoard { overlay ?? base }

  /// Whether the daemon's board equals the visible board.
  public var isSynced: Bool { intent == nil && dirty == TouchedParts() }

  /// Whether the daemon's board equals the visible board, except for the rows that wait for their
  /// contents.
  public var isSettled: Bool { intent == nil && !dirty.sections && dirty.rows == waiting }

  /// The batch to append next; nil if its edits are not decided yet.
  public var nextBatch: EditBatch? {
    guard cutCount > 0 else { return nil }
    return EditBatch(
      machine: machine, number: batchNumber, edits: Array(pending.prefix(cutCount)))
  }

  /// The hash of the base.
  var checkpoint: ContentHash { base.checkpoint }

  /// The contents in the content store to which rows of the base or pending edits refer.
  public var storedContents: Set<ContentHash> {
    var contents = Set(pending.flatMap(\.storedContents))
    for key in base.allKeys { contents.formUnion(base[key]?.representations.storedContents ?? []) }
    return contents
  }

  /// Applies the pending edits to the new base.
  mutating func rebase() {
    guard !pending.isEmpty else {
      overlay = nil
      return
    }
    var board = base
    for edit in pending { board.apply(edit) }
    overlay = board
  }

  /// Applies a local edit to the visible board.
  mutating func applyToVisible(_ edit: SharedEdit) {
    var board = overlay ?? base
    overlay = nil
    board.apply(edit)
    overlay = board
  }

  mutating func forgetOverlayIfSettled() {
    guard pending.isEmpty else { return }
    (overlay, titles) = (nil, Titles())
  }

  /// Lets the boards share their storage if they are equal.
  mutating func shareStorage() {
    guard pending.isEmpty, isSynced, revision != nil else { return }
    shadow = base.withoutAliases
  }
}

/// The history of a revision of the daemon's board, or of a later revision of the same board.
///
/// If the daemon's data is replaced by an earlier copy, later revisions have other histories. A revision with a
/// known history proves all revisions before it.
public struct RevisionHistory: Hashable, Sendable {
  /// The history; empty if it is not known.
  public let text: String
  /// The later revision that has the history, because a client has edited the board in the meantime; 0 if
  /// the revision itself has it.
  let later: UInt64

  init(_ text: String = "", later: UInt64 = 0) { (self.text, self.later) = (text, later) }
}

/// An edit of the daemon's board that the daemon may or may not have made.
public struct Intent: Hashable, Sendable {
  /// The edits.
  public let edits: [SharedEdit]
  /// The ids of the rows that the edits insert, in the order of the insertions.
  public let items: [ItemKey]

  /// Creates an intent.
  public init(edits: [SharedEdit], items: [ItemKey]) {
    self.edits = edits
    self.items = items
  }

  /// The rows that the edits insert, with their ids.
  public var insertions: [(key: RowKey, item: ItemKey)] {
    let keys = edits.compactMap { edit in
      if case .insert(let key, _, _) = edit { key } else { nil }
    }
    return Array(zip(keys, items)).map { (key: $0, item: $1) }
  }
}
