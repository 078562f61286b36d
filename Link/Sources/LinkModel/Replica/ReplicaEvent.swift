import BoardModel

/// A change of a replica.
///
/// The journal stores the events of a replica in order.
public enum ReplicaEvent: Equatable, Sendable {
  /// The link read the edits of local clients up to a revision of the daemon's board.
  case local(LocalEdits)
  /// The first pending edits became a batch.
  case cut(Int)
  /// The link read an entry of the log at a time, in microseconds since 1970, UTC.
  case entry(LogEntry, received: UInt64)
  /// The link is about to edit the daemon's board.
  case intent(Intent)
  /// The daemon made the edit, and its board now has this revision.
  case applied(revision: UInt64)
  /// The daemon did not make the edit.
  case cancelled
  /// The daemon's board equals the visible board.
  case synced
  /// The replica was restored or copied, and got a new key.
  case renewed(MachineKey)
  /// The daemon's board was another board or an earlier copy at a time, in microseconds since 1970,
  /// UTC.
  case replaced(UInt64)
  /// The daemon's board equals the visible board, except for rows whose contents are missing.
  case settled(waiting: [RowKey])
  /// The server has refused the next batch, so pending edits without a final effect were removed.
  case condensed
  /// The base was computed again from the log at a time, in microseconds since 1970, UTC.
  case rebuilt(SharedBoard, time: UInt64)
  /// The revision of the daemon's board has this history.
  case history(RevisionHistory)
  /// The replica continues with a later log.
  case moved(LogMove)
}

/// Edits of local clients.
public struct LocalEdits: Hashable, Sendable {
  /// The revision of the daemon's board after the edits.
  public let revision: UInt64
  /// Whether the daemon made the edit of the intent before these edits; false if there was no
  /// intent.
  public let wasIntentApplied: Bool
  /// The new rows, with their ids on the daemon's board.
  public let items: [NewItem]
  /// The edits.
  public let edits: [SharedEdit]

  /// A new row.
  public struct NewItem: Hashable, Sendable {
    /// The key of the row.
    public let key: RowKey
    /// The id of the row on the daemon's board.
    public let item: ItemKey

    /// Creates a pair of a key and an id.
    public init(key: RowKey, item: ItemKey) { (self.key, self.item) = (key, item) }
  }

  /// Creates edits.
  public init(
    revision: UInt64, wasIntentApplied: Bool = false, items: [NewItem] = [],
    edits: [SharedEdit] = []
  ) {
    self.revision = revision
    self.wasIntentApplied = wasIntentApplied
    self.items = items
    self.edits = edits
  }
}

/// The reason why this program cannot apply an entry.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A later version of the program wrote an entry.
  case laterVersion(entry: UInt64)
  /// The log skips an entry before this entry.
  case gap(entry: UInt64)

  /// One sentence in lower case, without a full stop.
  public var description: String {
    switch self {
    case .laterVersion(let entry):
      "log: a later version of dragboard-link wrote entry \(entry) (update Dragboard on this machine; until then edits wait here)"
    case .gap(let entry): "log: the entry before entry \(entry) is missing"
    }
  }
}

extension Replica {
  /// Applies events in order.
  ///
  /// Consecutive entries cause only one rebase.
  public mutating func apply(_ events: some Sequence<ReplicaEvent>) {
    var needsRebase = false
    var inserted: [RowKey] = []
    func rebaseIfNeeded() {
      guard needsRebase else { return }
      identify(inserted)
      rebase()
      (needsRebase, inserted) = (false, [])
    }
    for event in events {
      guard case .entry(let entry, let received) = event else {
        rebaseIfNeeded()
        apply(event)
        continue
      }
      guard let rows = apply(entry, received) else { continue }
      inserted += rows
      // On the new base, the pending edits may have different effects than before.
      if !needsRebase { for edit in pending { dirty.add(edit) } }
      needsRebase = true
    }
    rebaseIfNeeded()
    shareStorage()
  }

  /// Throws an error if the next entries cannot be applied.
  func check(_ entries: [LogEntry]) throws(LogError) {
    var expected = position
    for entry in entries {
      expected += 1
      guard entry.number == expected else { throw .gap(entry: entry.number) }
      if LogRecord.isLaterVersion(entry.batch) { throw .laterVersion(entry: entry.number) }
    }
  }

  private mutating func apply(_ event: ReplicaEvent) {
    switch event {
    case .local(let local): apply(local)
    case .cut(let count): cutCount = min(count, pending.count)
    case .entry: break
    case .intent(let intent): self.intent = intent
    case .applied(let revision):
      applyIntent()
      self.revision = revision
    case .cancelled: intent = nil
    case .synced: (dirty, waiting) = (TouchedParts(), [])
    case .renewed(let key):
      previousMachine = machine
      (machine, batchNumber, cutCount, hasTwin) = (key, 1, 0, false)
      renewals += 1
    case .replaced(let time): replaced = time
    case .settled(let rows):
      (dirty, waiting) = (TouchedParts(), Set(rows))
      dirty.rows = waiting
    case .condensed: condense()
    case .rebuilt(let board, let time): replaceBase(by: board, time)
    case .history(let history): self.history = history
    case .moved(let move): apply(move)
    }
  }

  private mutating func applyIntent() {
    guard let intent else { return }
    self.intent = nil
    for edit in intent.edits {
      applyToShadow(edit)
      dirty.add(edit)
    }
    for (key, item) in intent.insertions { note(item, of: key) }
  }

  private mutating func apply(_ local: LocalEdits) {
    if local.wasIntentApplied { applyIntent() }
    intent = nil
    let wasSynced = isSynced
    for edit in local.edits {
      // Another machine has deleted the row, but the daemon still had it.
      if let key = edit.row, visible[key] == nil { titles.note(key, on: shadow) }
      applyToShadow(edit)
      applyToVisible(edit)
      // If the shadow and the visible board differed before, the edit may have had different
      // effects on them.
      if !wasSynced { dirty.add(edit) }
    }
    for new in local.items { note(new.item, of: new.key) }
    pending += local.edits
    if local.edits.contains(where: \.isInsertion), identify(Array(dirty.rows)) { rebase() }
    forgetOverlayIfSettled()
    revision = local.revision
  }

  private mutating func applyToShadow(_ edit: SharedEdit) {
    shadow.apply(edit)
    if case .delete(let key) = edit, let item = items.removeValue(forKey: key) { keys[item] = nil }
  }

  private mutating func note(_ item: ItemKey, of key: RowKey) {
    items[key] = item
    keys[item] = key
  }

  /// Applies an entry to the base.
  ///
  /// - Returns: the inserted rows if the visible board must be computed again; nil otherwise.
  private mutating func apply(_ entry: LogEntry, _ received: UInt64) -> [RowKey]? {
    guard entry.number > position, successor == nil else { return nil }
    position = entry.number
    if let log = LogRecord.successor(in: entry.batch) {
      // No batch of this machine comes after this entry.
      (successor, cutCount) = (log, 0)
      return nil
    }
    // Ignore a damaged entry. Every machine ignores the same entries, so the boards stay equal.
    guard let batch = try? EditBatch(bytes: entry.batch) else { return nil }
    // If an append succeeded but its answer was lost, the log may contain a second copy of the
    // batch.
    guard batch.number > lastBatches[batch.machine] ?? 0 else { return nil }
    lastBatches[batch.machine] = batch.number
    if lastCheckpoint.time == 0 { lastCheckpoint.time = received }
    if let hash = batch.checkpoint {
      lastCheckpoint = (entry.number, received)
      if hash != checkpoint { divergence = entry.number }
    }
    // Compare the edits, because another copy of this replica can have appended a batch with the
    // same number.
    let isOwn =
      batch.machine == machine && batch.number == batchNumber
      && batch.edits.elementsEqual(pending.prefix(batch.edits.count))
    if batch.machine == machine, !isOwn { hasTwin = true }
    if !isOwn, [machine, previousMachine].contains(batch.machine) { removePending(alsoIn: batch) }
    for edit in batch.edits {
      if !isOwn, !pending.isEmpty { titles.noteDeletion(by: edit, from: base) }
      if let reason = base.apply(edit), isOwn {
        let title = titles.title(of: edit, on: base)
        dropped.append(
          DroppedEdit(edit, reason, title: title, entry: entry.number, received: received))
        droppedCount += 1
      }
    }
    if dropped.count > Self.maxDropped { dropped.removeFirst(dropped.count - Self.maxDropped) }
    if isOwn {
      removeFirstPending(batch.edits.count)
      batchNumber += 1
      forgetOverlayIfSettled()
      return nil
    }
    // The entry has the number that the next batch of this machine would have had, so the log does
    // not contain that batch.
    cutCount = 0
    for edit in batch.edits { dirty.add(edit) }
    return batch.edits.compactMap { $0.isInsertion ? $0.row : nil }
  }

  /// Removes pending edits whose effect later pending edits cancel.
  ///
  /// A row that was inserted and then deleted is removed altogether, and of several contents of a row
  /// the last one remains. So an edit that the server refuses can be cancelled.
  private mutating func condense() {
    guard cutCount == 0 else { return }
    var (inserted, gone, restored): (Set<RowKey>, Set<RowKey>, Set<RowKey>) = ([], [], [])
    var contents: [RowKey: [SharedRow.Representation]] = [:]
    for edit in pending {
      dirty.add(edit)
      switch edit {
      case .insert(let key, _, _):
        if gone.remove(key) != nil || !inserted.insert(key).inserted { restored.insert(key) }
      case .delete(let key):
        if inserted.contains(key) { gone.insert(key) } else { restored.insert(key) }
      case .setContents(let key, let list): contents[key] = list
      default: break
      }
    }
    // Deletions and insertions of these rows follow each other, so all their edits remain.
    gone.subtract(restored)
    var edits: [SharedEdit] = []
    for edit in pending.reversed() {
      guard let key = edit.row, !restored.contains(key) else {
        edits.append(edit)
        continue
      }
      guard !gone.contains(key) else { continue }
      switch edit {
      case .insert(_, var row, let place):
        row.representations = contents[key] ?? row.representations
        edits.append(.insert(key, row, at: place))
      case .setContents:
        // The last contents come first here. A row that is inserted has its last contents.
        guard !inserted.contains(key), let last = contents.removeValue(forKey: key) else {
          continue
        }
        edits.append(.setContents(key, last))
      default: edits.append(edit)
      }
    }
    pending = edits.reversed()
    rebase()
    forgetOverlayIfSettled()
  }

  /// Replaces the base by another result of the same entries.
  private mutating func replaceBase(by board: SharedBoard, _ time: UInt64) {
    dirty.rows.formUnion(base.allKeys.union(board.allKeys))
    dirty.sections = true
    (base, divergence, rebuilt) = (board, nil, time)
    rebase()
  }

  /// The number of removed pending edits whose memory is retained.
  private static let spareEdits = 64

  mutating func removeFirstPending(_ count: Int) {
    pending.removeFirst(count)
    if pending.capacity > 2 * pending.count + Self.spareEdits { pending.setCapacity(pending.count) }
    cutCount = 0
  }

  /// Removes the pending edits that another copy of this replica has appended.
  ///
  /// Both copies had them, in the same order, when one was copied from the other.
  private mutating func removePending(alsoIn batch: EditBatch) {
    let common = zip(pending, batch.edits).prefix { $0 == $1 }
    for (edit, _) in common { dirty.add(edit) }
    removeFirstPending(common.count)
  }

  /// Recognises rows of the base that are also rows of pending insertions.
  ///
  /// Two rows are the same if their contents, names and times of insertion are equal. If n such rows
  /// are pending and m are in the base, the board then has the larger number of them, not n + m. So
  /// a board can be shared again, a lost replica can be made again, and a replica that is older than
  /// the daemon's board doubles no row.
  ///
  /// - Parameter candidates: rows; those that are on the daemon's board are ignored.
  /// - Returns: whether a row was recognised.
  @discardableResult
  mutating func identify(_ candidates: [RowKey]) -> Bool {
    guard !candidates.isEmpty, !pending.isEmpty else { return false }
    var known: [RowIdentity: [(path: IndexPath, key: RowKey)]] = [:]
    for key in candidates where items[key] == nil {
      guard let row = base[key], let path = base.path(of: key) else { continue }
      known[RowIdentity(row), default: []].append((path, key))
    }
    guard !known.isEmpty else { return false }
    // The first of the pending rows is the first of the equal rows of the base.
    for identity in known.keys { known[identity]?.sort { $0.path > $1.path } }
    var names: [RowKey: RowKey] = [:]
    for case .insert(let key, let row, _) in pending where base[key] == nil {
      names[key] = known[RowIdentity(row)]?.popLast()?.key
    }
    guard !names.isEmpty else { return false }
    pending.removeAll { $0.isInsertion && $0.row.map { names[$0] != nil } ?? false }
    pending = pending.map { $0.renamingRows(names) }
    if let old = intent {
      intent = Intent(edits: old.edits.map { $0.renamingRows(names) }, items: old.items)
    }
    for (old, new) in names {
      shadow.rename(old, to: new)
      dirty.rows.remove(old)
      dirty.rows.insert(new)
      if let item = items.removeValue(forKey: old) { note(item, of: new) }
    }
    return true
  }
}

/// The parts of a row that no other row has, unless it is a copy.
private struct RowIdentity: Hashable {
  let created: UInt64
  let name: String
  let representations: [SharedRow.Representation]

  init(_ row: SharedRow) {
    created = row.created
    // The bytes of the file may have crossed.
    (name, representations) = row.reference.map { ("", [$0]) } ?? (row.name, row.representations)
  }
}
