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
public enum LogError: Error, Hashable, Sendable {
  /// A later version of the program wrote an entry.
  case laterVersion(entry: UInt64)
  /// The log skips an entry before this entry.
  case gap(entry: UInt64)
}

extension Replica {
  /// Applies events in order.
  ///
  /// Consecutive entries cause only one rebase.
  public mutating func apply(_ events: some Sequence<ReplicaEvent>) {
    var needsRebase = false
    for event in events {
      if case .entry(let entry, let received) = event {
        if apply(entry, received), !needsRebase {
          needsRebase = true
          // On the new base, the pending edits may have different effects than before.
          for edit in pending { dirty.add(edit) }
        }
        continue
      }
      if needsRebase { rebase() }
      needsRebase = false
      apply(event)
    }
    if needsRebase { rebase() }
  }

  /// Throws an error if the next entries cannot be applied.
  func check(_ entries: [LogEntry]) throws(LogError) {
    var expected = position
    for entry in entries {
      expected += 1
      guard entry.number == expected else { throw .gap(entry: entry.number) }
      if EditBatch.isLaterVersion(entry.batch) { throw .laterVersion(entry: entry.number) }
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
    case .synced: dirty = TouchedParts()
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

  /// Applies an entry to the base; returns whether the visible board must be computed again.
  private mutating func apply(_ entry: LogEntry, _ received: UInt64) -> Bool {
    guard entry.number > position else { return false }
    position = entry.number
    // Ignore a damaged entry. Every machine ignores the same entries, so the boards stay equal.
    guard let batch = try? EditBatch(bytes: entry.batch) else { return false }
    // If an append succeeded but its answer was lost, the log may contain a second copy of the
    // batch.
    guard batch.number > lastBatches[batch.machine] ?? 0 else { return false }
    lastBatches[batch.machine] = batch.number
    let isOwn = batch.machine == machine
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
    if isOwn, batch.number == batchNumber, cutCount > 0 {
      pending.removeFirst(cutCount)
      cutCount = 0
      batchNumber += 1
      forgetOverlayIfSettled()
      return false
    }
    // The batch of this machine is not pending: the replica was restored from an older backup.
    if isOwn { batchNumber = batch.number + 1 }
    for edit in batch.edits { dirty.add(edit) }
    return true
  }
}
