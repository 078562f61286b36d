import BoardModel

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
  /// The contents that the content store did not have at the last attempt.
  private var missing: Set<ContentHash> = []
  /// The missing contents for which other machines have not been asked yet.
  private var unrequested: Set<ContentHash> = []
  /// The contents for which other machines have been asked.
  private var requested: Set<ContentHash> = []
  /// The contents for which other machines ask.
  private var wanted: Set<ContentHash> = []
  /// The maximum number of edits of the next batch, because the server has refused a larger one; nil
  /// if it has refused none.
  private var maxCut: Int?
  /// Whether this machine has computed its base again, and another machine's board still differs.
  private var disagrees = false

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
    if isLong, replica.isSettled { try await journal.compact(to: replica) }
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
    for entry in new {
      guard let batch = try? EditBatch(bytes: entry.batch), batch.machine != replica.machine else {
        continue
      }
      wanted.formUnion(batch.requests)
    }
  }

  /// Computes the base again from the log if it differs from that of another machine.
  public func heal() async throws {
    guard let number = replica.divergence else { return }
    _ = try await log.lastNumber()
    var fresh = Replica(machine: replica.machine)
    var checkpoint: (own: ContentHash, other: ContentHash?)?
    for try await entry in log.entries(after: 0) {
      if entry.number == number {
        checkpoint = (fresh.checkpoint, (try? EditBatch(bytes: entry.batch))?.checkpoint)
      }
      fresh.apply([.entry(entry, received: 0)])
      if entry.number >= replica.position { break }
    }
    guard fresh.position == replica.position else { return }
    // If this machine still disagrees, the other machine is wrong, and must learn about it.
    if let checkpoint, checkpoint.own != checkpoint.other { disagrees = true }
    try await record([.rebuilt(fresh.base, time: time())])
  }

  /// Stores contents that other machines need, if this machine's daemon has them.
  public func answerRequests() async throws {
    guard !wanted.isEmpty, replica.isSettled else { return }
    var paths: [IndexPath: ItemKey] = [:]
    for key in replica.shadow.allKeys {
      guard let row = replica.shadow[key],
        !wanted.isDisjoint(with: row.representations.storedContents),
        let item = replica.items[key], let path = replica.shadow.path(of: key)
      else { continue }
      paths[path] = item
    }
    let (hashes, store) = (wanted, store)
    wanted = []
    guard !paths.isEmpty else { return }
    _ = try await local.rows(at: paths) { hash, bytes in
      if hashes.contains(hash) { _ = try await store.put(bytes) }
    }
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
      if changes != nil || snapshot.revision < since ?? 0 {
        try await replaceBoard(snapshot)
        if !isChecked { isVerified = false }
        return
      }
      reading = newReading()
      guard reading.apply(snapshot, old: replica.shadow, using: &generator) else {
        throw ReplicatorError.invalidSnapshot
      }
      if let items = replica.intent?.items, !items.isEmpty {
        let present = Set(snapshot.sections.flatMap(\.items))
        outcome = present.isDisjoint(with: items) ? .notMade : .made
      }
    }
    _ = try await read(&reading)
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

  /// Reads a board of the daemon that is not a successor of the shadow: another board, or an earlier
  /// copy.
  ///
  /// No client has deleted the rows that the board does not have, or restored the rows and contents
  /// that the shadow does not have. So `push` makes the board equal to the log again. Rows and
  /// contents that the log has never had are edits of clients.
  private func replaceBoard(_ snapshot: LocalSnapshot) async throws {
    let history = try await history()
    if replica.intent != nil { try await record([.cancelled]) }
    let shadow = replica.shadow
    var reading = newReading()
    guard reading.apply(snapshot, old: shadow, using: &generator) else {
      throw ReplicatorError.invalidSnapshot
    }
    // An earlier copy of the daemon's data gives ids to new rows that other rows had before.
    for (item, row) in try await read(&reading) {
      guard let key = reading.key(of: item), let old = shadow[key], old.created != row.created
      else { continue }
      reading.separate(item, row, using: &generator)
    }
    var copy = reading.board
    var edited = TouchedParts()
    for key in reading.board.allKeys {
      guard let row = reading.board[key] else { continue }
      if let old = shadow[key] {
        guard old.representations != row.representations,
          !history.hasContents(row.representations, of: key)
        else { continue }
        _ = copy.change(key) { $0.representations = old.representations }
      } else {
        guard !history.hasRow(like: row) else { continue }
        _ = copy.remove(key)
      }
      edited.rows.insert(key)
    }
    for (key, name) in zip(copy.sections, copy.sectionNames) {
      guard !history.hasSection(named: name), let index = copy.index(of: key),
        copy.rowCount(inSection: index) == 0, (try? copy.deleteSection(at: index)) != nil
      else { continue }
      edited.sections = true
    }
    var all = TouchedParts()
    all.rows = shadow.allKeys.union(copy.allKeys)
    all.sections = true
    var board = shadow
    let changes = board.transform(into: copy, touched: all)
    let items = changes.compactMap { edit in
      edit.isInsertion ? edit.row.flatMap(reading.item(of:)) : nil
    }
    let edits = copy.transform(
      into: reading.board, touched: edited, usesTemporaryNames: false)
    try await record([
      .intent(Intent(edits: changes, items: items)), .applied(revision: reading.revision),
      .replaced(time()),
      .local(
        LocalEdits(
          revision: reading.revision,
          items: reading.insertedItems.filter { !items.contains($0.item) }, edits: edits)),
    ])
  }

  /// Reads the log up to the position of the replica, and adds the pending edits.
  private func history() async throws -> LogHistory {
    var history = LogHistory()
    history.add(replica.pending)
    guard replica.position > 0 else { return history }
    // If the server is absent, this fails at once.
    _ = try await log.lastNumber()
    for try await entry in log.entries(after: 0) {
      if let batch = try? EditBatch(bytes: entry.batch) { history.add(batch.edits) }
      if entry.number >= replica.position { break }
    }
    return history
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
  ///
  /// - Returns: the rows as the daemon has them.
  private func read(_ reading: inout LocalReading) async throws -> [ItemKey: SharedRow] {
    var found: [ItemKey: SharedRow] = [:]
    while !reading.unreadPaths.isEmpty {
      let rows = try await local.rows(at: reading.unreadPaths) { [spool] in
        try await spool.put($0, $1)
      }
      found.merge(rows) { $1 }
      reading.note(rows, old: replica.shadow)
      guard !reading.unreadPaths.isEmpty else { return found }
      guard let changes = try await local.changes(since: reading.revision),
        reading.apply(changes, using: &generator)
      else { throw ReplicatorError.invalidSnapshot }
    }
    return found
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
    guard !replica.isSynced, !replica.isSettled || missing.isEmpty else { return true }
    var board = replica.shadow
    let (visible, waiting) = arrived()
    let edits = board.transform(into: visible, touched: replica.dirty)
    board = SharedBoard()
    let end = waiting.isEmpty ? ReplicaEvent.synced : .settled(waiting: waiting.sorted())
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
      } catch ReplicatorError.missingContent(let hash) {
        // Without the row, everything else can be pushed.
        missing.insert(hash)
        if requested.insert(hash).inserted { unrequested.insert(hash) }
        return try await push()
      }
      rest = rest.dropFirst(part.count)
      try await record([.applied(revision: revision)] + (rest.isEmpty ? [end] : []))
    }
    if edits.isEmpty, end == .synced || !replica.isSettled { try await record([end]) }
    return true
  }

  /// Makes the next `push` try to get the missing contents again.
  public func retryContents() {
    missing = []
  }

  /// Returns the visible board without the contents that are missing, and the rows that wait for
  /// them.
  private func arrived() -> (SharedBoard, waiting: Set<RowKey>) {
    var board = replica.visible
    guard !missing.isEmpty else { return (board, []) }
    var waiting: Set<RowKey> = []
    for key in replica.dirty.rows {
      guard let row = board[key], !missing.isDisjoint(with: row.representations.storedContents),
        row.representations != replica.shadow[key]?.representations
      else { continue }
      waiting.insert(key)
      if let old = replica.shadow[key] {
        _ = board.change(key) { $0.representations = old.representations }
      } else {
        _ = board.remove(key)
      }
    }
    return (board, waiting)
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
    noteSuccess(of: batch)
    try await receive([entry])
    return true
  }

  /// Returns the batch to append next; nil if there are no pending edits.
  ///
  /// Records that the batch no longer changes.
  public func nextBatch() async throws -> OutgoingBatch? {
    if replica.hasTwin { try await record([.renewed(.random(using: &generator))]) }
    guard !replica.pending.isEmpty else { return await notice() }
    if replica.cutCount == 0 {
      if maxCut != nil { try await record([.condensed]) }
      let count = min(Self.cut(replica.pending), maxCut ?? .max)
      if count > 0 { try await record([.cut(count)]) }
    }
    return replica.nextBatch.map { OutgoingBatch(batch: $0, last: replica.position) }
  }

  /// The number of entries, and the time, after which a machine appends a checkpoint.
  static let (checkpointEntries, checkpointTime): (UInt64, UInt64) = (1_000, 86_400_000_000)

  /// Returns a batch without edits that asks for missing contents, or has a checkpoint; nil if
  /// neither is necessary.
  private func notice() async -> OutgoingBatch? {
    let (entry, start) = replica.lastCheckpoint
    let isDue =
      disagrees || replica.position >= entry + Self.checkpointEntries
      || replica.position > entry && start > 0 && time() > start + Self.checkpointTime
    guard isDue && replica.divergence == nil || !unrequested.isEmpty else { return nil }
    let batch = EditBatch(
      machine: replica.machine, number: replica.batchNumber, edits: [],
      requests: unrequested.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) },
      checkpoint: isDue && replica.divergence == nil ? replica.checkpoint : nil)
    return OutgoingBatch(batch: batch, last: replica.position)
  }

  /// Records that the log contains a batch of this machine.
  public func noteSuccess(of outgoing: OutgoingBatch) {
    maxCut = maxCut.flatMap { $0 < EditBatch.maxEdits ? $0 * 2 : nil }
    unrequested.subtract(outgoing.batch.requests)
    if outgoing.batch.checkpoint != nil { disagrees = false }
  }

  /// Records that the server has refused a batch and does not have it.
  ///
  /// - Returns: whether another attempt is useful at once, because the next batch is smaller.
  public func noteRefusal(of outgoing: OutgoingBatch) async throws -> Bool {
    guard outgoing.last == replica.position, replica.cutCount > 0 else { return true }
    let (count, pending) = (replica.cutCount, replica.pending.count)
    maxCut = max(1, count / 2)
    try await record([.cut(0), .condensed])
    return count > 1 || replica.pending.count < pending
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
      "content: the server does not have content \(hash)"
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
