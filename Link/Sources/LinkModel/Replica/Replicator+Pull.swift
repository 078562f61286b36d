import BoardModel

extension Replicator {
  /// Reads the edits of local clients.
  public func pull() async throws {
    let since = replica.revision
    let known = try await localHistory()
    let changes = known.changes
    if isVerified, let changes, changes.revision == since {
      if replica.intent != nil { try await record([.cancelled]) }
      let news = news(RevisionHistory(changes.history))
      if !news.isEmpty { try await record(news) }
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
      var isOther = changes != nil || snapshot.revision < since ?? 0
      if case .other = known { isOther = true }
      if isOther {
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
    let rows = try await read(&reading)
    // Changes that were made in the meantime can have another history.
    let latest = changes.flatMap { $0.revision == reading.revision ? $0.history : nil }
    let history =
      if let latest { RevisionHistory(latest) } else { try await history(of: reading.revision) }
    try await record([.local(edits(from: reading, outcome))] + news(history))
    noteContents(of: rows.values)
    if !isChecked { isVerified = false }
  }

  /// Returns the changes since the revision of the replica, if the daemon's board is still the same board.
  private func localHistory() async throws -> LocalHistory {
    guard let since = replica.revision else { return .tooLong }
    let (history, later) = (replica.history.text, replica.history.later)
    guard later > since else { return try await local.changes(since: since, of: history) }
    let known = try await local.changes(since: since, of: "")
    if case .other = try await local.changes(since: later, of: history) { return .other }
    return known
  }

  /// Reads the history of a revision, or of a later one.
  func history(of revision: UInt64) async throws -> RevisionHistory {
    guard case .changes(let changes) = try await local.changes(since: revision, of: "") else {
      return RevisionHistory()
    }
    let isLater = !changes.history.isEmpty && changes.revision > revision
    return RevisionHistory(changes.history, later: isLater ? changes.revision : 0)
  }

  /// The event that records a history; none if it is known.
  func news(_ history: RevisionHistory) -> [ReplicaEvent] {
    history == replica.history ? [] : [.history(history)]
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
    let history = try await logHistory()
    if replica.intent != nil { try await record([.cancelled]) }
    let shadow = replica.shadow
    var reading = newReading()
    guard reading.apply(snapshot, old: shadow, using: &generator) else {
      throw ReplicatorError.invalidSnapshot
    }
    // An earlier copy of the daemon's data gives ids to new rows that other rows had before.
    let rows = try await read(&reading)
    for (item, row) in rows {
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
    let revisionHistory = try await self.history(of: reading.revision)
    try await record([
      .intent(Intent(edits: changes, items: items)), .applied(revision: reading.revision),
      .history(revisionHistory), .replaced(time()),
      .local(
        LocalEdits(
          revision: reading.revision,
          items: reading.insertedItems.filter { !items.contains($0.item) }, edits: edits)),
    ])
    noteContents(of: rows.values)
  }

  /// Reads the log up to the position of the replica, and adds the pending edits.
  private func logHistory() async throws -> LogHistory {
    var fold = LogFold()
    // If the server is absent, this fails at once.
    if replica.position > 0 { _ = try await log.lastNumber() }
    try await fold.read(log, upTo: replica.position)
    var history = fold.history
    history.add(replica.pending)
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
      let rows = try await local.rows(at: reading.unreadPaths, spool: spool)
      found.merge(rows) { $1 }
      reading.note(rows, old: replica.shadow)
      guard !reading.unreadPaths.isEmpty else { return found }
      guard
        case .changes(let changes) = try await local.changes(since: reading.revision, of: ""),
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
