/// Exchanges edits between the board of a daemon and a log.
///
/// Each step first stores its events, so a new replicator can continue after a crash between any
/// two steps. After an error, create a new replicator from the journal.
public actor Replicator {
  /// The limits of one edit of the daemon's board: the numbers of edits, contents, bytes and large
  /// contents.
  static let (maxEdits, maxContents, maxBytes, maxFiles) = (1_000, 4_000, 2 << 20, 16)

  private let journal: any ReplicaJournal
  private let local: any LocalBoard
  private let spool: any ContentSpool
  private let log: any EditLog
  private let store: any ContentStore
  private var generator: any RandomNumberGenerator & Sendable
  private let time: @Sendable () -> UInt64
  /// The machine's copy of the board.
  public private(set) var replica: Replica
  /// Whether the daemon's board is the board of the replica.
  private var isVerified = false

  /// Creates a replicator for a replica, which must equal the journal's.
  ///
  /// `time` returns the current time in microseconds since 1970, UTC.
  public init(
    _ replica: Replica, journal: any ReplicaJournal, local: any LocalBoard,
    spool: any ContentSpool, log: any EditLog, store: any ContentStore,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    time: @escaping @Sendable () -> UInt64
  ) {
    self.replica = replica
    self.journal = journal
    self.local = local
    self.spool = spool
    self.log = log
    self.store = store
    self.generator = generator
    self.time = time
  }

  private func record(_ events: [ReplicaEvent]) async throws {
    let isLong = try await journal.append(events)
    replica.apply(events)
    if isLong, replica.isSynced { try await journal.compact(to: replica) }
  }

  // MARK: From the log

  /// Applies entries of the log.
  public func receive(_ entries: [LogEntry]) async throws {
    var new: [LogEntry] = []
    for entry in entries where entry.number > new.last?.number ?? replica.position {
      new.append(entry)
    }
    try replica.check(new)
    guard !new.isEmpty else { return }
    let received = time()
    try await record(new.map { ReplicaEvent.entry($0, received: received) })
  }

  // MARK: From the daemon

  /// Reads the edits of local clients.
  public func pull() async throws {
    let since = replica.revision
    let changes =
      if let since { try await local.changes(since: since) } else { nil as LocalChanges? }
    if isVerified, let changes, changes.revision == since {
      if replica.intent != nil { try await record([.cancelled]) }
      return
    }
    // A call of `verifyBoard` during this pull concerns the next pull.
    let mustCheck = !isVerified
    isVerified = true
    var reading = newReading()
    var outcome = Outcome.unknown
    let fits = changes.map { reading.apply($0, using: &generator) } ?? false
    let snapshot = fits && !mustCheck ? nil : try await local.snapshot()
    // If a client has edited the board after the call for the changes, the next pull checks it.
    let isChecked = changes.map { $0.revision == snapshot?.revision ?? $0.revision } ?? true
    if fits, let changes, !isChecked || snapshot.map(reading.hasRows) ?? true {
      outcome = wasMade(changes)
      if outcome == .made { reading.forgetContents(of: replica.intent?.contents ?? []) }
    } else if let snapshot {
      if changes != nil || snapshot.revision < since ?? 0 { try await noteLoss(snapshot) }
      reading = newReading()
      guard reading.apply(snapshot, old: replica.shadow, using: &generator) else {
        throw ReplicatorError.invalidSnapshot
      }
      if let items = replica.intent?.items, !items.isEmpty {
        let present = Set(snapshot.sections.flatMap(\.items))
        outcome = present.isDisjoint(with: items) ? .notMade : .made
      }
    }
    try await read(&reading)
    try await record([.local(edits(from: reading, outcome))])
    if !isChecked { isVerified = false }
  }

  private func newReading() -> LocalReading {
    var reading = LocalReading(replica)
    for edit in replica.intent?.edits ?? [] { reading.touch(edit) }
    return reading
  }

  /// Makes the next `pull` check that the daemon's board is still the board of the replica.
  ///
  /// A client may have deleted the board and created another board with the same id, or the daemon
  /// may have started with an earlier copy of its data.
  public func verifyBoard() { isVerified = false }

  /// Records that the daemon has lost rows and sections, so that `push` inserts them again.
  ///
  /// The daemon's board is another board than before, or an earlier copy. So no client has deleted
  /// the rows that it does not have.
  private func noteLoss(_ snapshot: LocalSnapshot) async throws {
    let items = Set(snapshot.sections.flatMap(\.items))
    let names = Set(snapshot.sections.map(\.name))
    let shadow = replica.shadow
    let rows = shadow.allKeys.filter { key in !(replica.items[key].map(items.contains) ?? false) }
    let sections = zip(shadow.sections, shadow.sectionNames).filter { !names.contains($1) }
    let edits = rows.map { SharedEdit.delete($0) } + sections.map { .deleteSection($0.0) }
    let intent = Intent(edits: edits, items: [])
    try await record([.intent(intent), .applied(revision: snapshot.revision)])
  }

  /// Whether the daemon made the edit of the intent.
  private enum Outcome {
    case made, notMade
    /// The daemon no longer has the changes since the intent.
    case unknown
  }

  /// Returns whether the edit of the intent is among the changes.
  ///
  /// The ids of inserted rows are reserved, so no other edit inserts rows with these ids. An edit
  /// without insertions is recognised by its changes: if another client has made exactly the same
  /// changes, the result is the same.
  private func wasMade(_ changes: LocalChanges) -> Outcome {
    guard let intent = replica.intent else { return .notMade }
    if let item = intent.items.first {
      let isInserted = changes.changes.contains { change in
        if case .insert(item, _) = change { true } else { false }
      }
      return isInserted ? .made : .notMade
    }
    var board = replica.shadow
    let expected = intent.edits.flatMap { edit in
      defer { board.apply(edit) }
      return board.localChanges(of: edit, items: replica.items)
    }
    return changes.changes.starts(with: expected) ? .made : .notMade
  }

  /// Reads the rows whose contents are unknown.
  ///
  /// Changes that clients make in the meantime are applied.
  private func read(_ reading: inout LocalReading) async throws {
    while !reading.unreadPaths.isEmpty {
      let rows = try await local.rows(at: reading.unreadPaths) { [spool] in
        try await spool.put($0, $1)
      }
      reading.note(rows, old: replica.shadow)
      guard !reading.unreadPaths.isEmpty else { return }
      guard let changes = try await local.changes(since: reading.revision),
        reading.apply(changes, using: &generator)
      else { throw ReplicatorError.invalidSnapshot }
    }
  }

  private func edits(from reading: LocalReading, _ outcome: Outcome) -> LocalEdits {
    func edits(afterIntent: Bool) -> LocalEdits {
      var old = replica.shadow
      if afterIntent { for edit in replica.intent?.edits ?? [] { old.apply(edit) } }
      return LocalEdits(
        revision: reading.revision, wasIntentApplied: afterIntent, items: reading.insertedItems,
        edits: old.transform(
          into: reading.board, touched: reading.touched,
          usesTemporaryNames: false))
    }
    switch outcome {
    case .made: return edits(afterIntent: true)
    case .notMade: return edits(afterIntent: false)
    case .unknown:
      let unmade = edits(afterIntent: false)
      guard replica.intent != nil else { return unmade }
      // Assume the outcome that requires fewer edits.
      let made = edits(afterIntent: true)
      return made.edits.count <= unmade.edits.count ? made : unmade
    }
  }

  // MARK: To the daemon

  /// Edits the daemon's board until it equals the visible board.
  ///
  /// - Returns: false if a local client has edited the board in the meantime.
  public func push() async throws -> Bool {
    guard replica.intent == nil, let start = replica.revision else { return false }
    guard !replica.isSynced else { return true }
    var board = replica.shadow
    let edits = board.transform(into: replica.visible, touched: replica.dirty)
    board = SharedBoard()
    var rest = edits[...]
    var (revision, limit) = (start, Self.maxEdits)
    while !rest.isEmpty {
      let part = Self.firstPart(of: rest, maxEdits: limit)
      do {
        guard let next = try await push(Array(part), base: revision) else {
          try await record([.cancelled])
          return false
        }
        revision = next
      } catch let error as ExcessiveEdits {
        // The limit can be exceeded, because the daemon also counts the bytes of rows that get a
        // new name, and these bytes are not known here.
        try await record([.cancelled])
        guard part.count > 1 else { throw error }
        limit = part.count / 2
        continue
      }
      rest = rest.dropFirst(part.count)
      try await record([.applied(revision: revision)] + (rest.isEmpty ? [.synced] : []))
    }
    if edits.isEmpty { try await record([.synced]) }
    return true
  }

  /// Makes one edit of the daemon's board.
  private func push(_ edits: [SharedEdit], base: UInt64) async throws -> UInt64? {
    let contents = try await contents(of: edits)
    let count = edits.count(where: \.isInsertion)
    let items = count > 0 ? try await local.reserve(count) : []
    let intent = Intent(edits: edits, items: items)
    var known = replica.items
    for (key, item) in intent.insertions { known[key] = item }
    var board = replica.shadow
    let parts = edits.compactMap { edit in
      defer { board.apply(edit) }
      return board.localEdit(of: edit, items: known)
    }
    try await record([.intent(intent)])
    return try await local.apply(parts, contents: contents, base: base)
  }

  private func contents(of edits: [SharedEdit]) async throws -> [ContentHash: [UInt8]] {
    var contents: [ContentHash: [UInt8]] = [:]
    for hash in edits.flatMap(\.storedContents) where contents[hash] == nil {
      if let bytes = try await spool.get(hash) {
        contents[hash] = bytes
      } else if let bytes = try await store.get(hash) {
        contents[hash] = bytes
      } else {
        throw ReplicatorError.missingContent(hash)
      }
    }
    return contents
  }

  /// Returns the first edits that fit into one edit of the daemon's board.
  private static func firstPart(
    of edits: ArraySlice<SharedEdit>, maxEdits: Int
  ) -> ArraySlice<SharedEdit> {
    var (contents, bytes, files) = (0, 0, 0)
    let end = edits.indices.first { index in
      let edit = edits[index]
      contents += edit.representations.count
      bytes += edit.byteCount
      files += edit.storedContents.count
      let isFull =
        index - edits.startIndex >= maxEdits || contents > maxContents || bytes > maxBytes
        || files > maxFiles
      return isFull && index > edits.startIndex
    }
    return edits[..<(end ?? edits.endIndex)]
  }

  // MARK: To the log

  /// Appends the next batch of pending edits.
  ///
  /// - Returns: false if there are no pending edits, or if another entry came first.
  public func publish() async throws -> Bool {
    guard let batch = try await nextBatch(), let entry = try await send(batch) else { return false }
    try await receive([entry])
    return true
  }

  /// Returns the batch to append next; nil if there are no pending edits.
  ///
  /// Records that the batch no longer changes.
  public func nextBatch() async throws -> OutgoingBatch? {
    guard !replica.pending.isEmpty else { return nil }
    if replica.hasTwin { try await record([.renewed(.random(using: &generator))]) }
    if replica.cutCount == 0 {
      try await record([.cut(Self.cut(replica.pending))])
    }
    return replica.nextBatch.map { OutgoingBatch(batch: $0, last: replica.position) }
  }

  /// Appends a batch; waits only for the servers.
  ///
  /// - Returns: the entry of the batch, which must be passed to `receive`; nil if another entry
  ///   came first.
  public nonisolated func send(_ outgoing: OutgoingBatch) async throws -> LogEntry? {
    for hash in Set(outgoing.batch.edits.flatMap(\.storedContents)) {
      guard let bytes = try await spool.get(hash) else { continue }
      guard try await store.put(bytes) == hash else { throw ReplicatorError.missingContent(hash) }
    }
    let bytes = outgoing.batch.bytes
    return try await log.append(bytes, after: outgoing.last)
      .map { LogEntry(number: $0, batch: bytes) }
  }

  // MARK: Contents

  /// The time between storing a content and confirming it.
  ///
  /// By then, the server has synced the content to its disk, or has lost it.
  public static let confirmationDelay = Duration.seconds(300)

  /// Confirms contents of this machine: stores them in the content store again, and then removes
  /// them from the spool.
  ///
  /// The server may have lost them in a power cut, or another machine may have removed them because
  /// no row had them yet.
  ///
  /// - Returns: whether contents remain that cannot be confirmed yet.
  public func confirmContents(after delay: Duration = confirmationDelay) async throws -> Bool {
    guard replica.pending.isEmpty else { return false }
    let old = try await spool.contents(olderThan: delay)
    let used = old.isEmpty ? [] : replica.storedContents
    for hash in old {
      if used.contains(hash), let bytes = try await spool.get(hash) {
        guard try await store.put(bytes) == hash else {
          throw ReplicatorError.missingContent(hash)
        }
      }
      guard replica.pending.isEmpty else { return true }
      try await spool.remove(hash, olderThan: delay)
    }
    return try await !spool.isEmpty
  }

  private static func cut(_ edits: [SharedEdit]) -> Int {
    var bytes = 0
    for (index, edit) in edits.prefix(EditBatch.maxEdits).enumerated() {
      bytes += edit.byteCount
      if bytes > EditBatch.maxBytes, index > 0 { return index }
    }
    return min(edits.count, EditBatch.maxEdits)
  }
}

/// A batch that is about to be appended to the log.
public struct OutgoingBatch: Sendable {
  let batch: EditBatch
  /// The number that the last entry of the log must have.
  public let last: UInt64
}

/// The reason why a replicator cannot continue.
public enum ReplicatorError: Error, Hashable, Sendable {
  /// Neither the spool nor the content store has a content.
  case missingContent(ContentHash)
  /// The order of the daemon's board changed while the link was reading it.
  case invalidSnapshot
}

extension ReplicatorError: CustomStringConvertible {
  /// One sentence in lower case, without a full stop.
  public var description: String {
    switch self {
    case .missingContent(let hash):
      "content: the server does not have content \(hash); the board waits for it"
    case .invalidSnapshot: "board: the order of its rows changed while it was read"
    }
  }
}

extension Intent {
  /// The rows that the edits insert, or whose flags, names, stacks or contents they set.
  fileprivate var contents: [RowKey] {
    edits.compactMap { edit in
      switch edit {
      case .insert(let key, _, _), .setFlags(let key, _, _), .setName(let key, _),
        .setStack(let key, _), .setContents(let key, _):
        key
      default: nil
      }
    }
  }
}
