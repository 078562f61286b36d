internal import BoardModel
internal import DragModel
internal import DragboardRecovery
internal import DragboardStore

/// Opens a store with a damaged database.
///
/// The store opens the database, or moves it away and recovers the readable rows. In both cases the
/// result is sound and can be edited, and the next opening finds the same data.
func fuzzStore(_ bytes: UnsafeRawBufferPointer) {
  var events = Events(bytes)
  let folder = DamagedDirectory()
  folder.damage(&events)
  guard let found = read(folder) else { return }
  // Sound data is unchanged, and recovered data is sound.
  let after = editAgain(folder, found.isSound ? found.boards : nil)
  guard !folder.hasNote else { return }
  withStore(folder) { store in
    precondition(store.recovery == nil, "an edit has damaged it")
    precondition(inventory(of: store) == after, "the edit is not there")
  }
}

/// Returns the content of the directory and whether it is sound; nil if the store refuses it as a
/// foreign file, or as a file of a later release.
private func read(
  _ folder: borrowing DamagedDirectory
) -> (boards: [[StoredText]], isSound: Bool)? {
  var found: (boards: [[StoredText]], isSound: Bool)?
  let isOurs = tryWithStore(folder) { store in
    let boards = inventory(of: store)
    readEverything(store)
    found = (boards, store.recovery == nil)
    store.conclude()
  }
  guard isOurs, let found else { return nil }
  return (found.boards, found.isSound && !folder.hasNote)
}

private func editAgain(
  _ folder: borrowing DamagedDirectory, _ before: [[StoredText]]?
) -> [[StoredText]] {
  var after: [[StoredText]] = []
  withStore(folder) { store in
    if let before {
      precondition(store.recovery == nil, "nothing has been damaged since")
      precondition(inventory(of: store) == before, "it is not as it was")
    }
    edit(store)
    after = inventory(of: store)
    store.conclude()
  }
  return after
}

private func withStore(_ folder: borrowing DamagedDirectory, _ body: (BoardStore) -> Void) {
  precondition(tryWithStore(folder, body), "it is somebody else's now")
}

/// Opens the store while `body` runs; returns false if the database is foreign or of another
/// release.
private func tryWithStore(
  _ folder: borrowing DamagedDirectory, _ body: (BoardStore) -> Void
) -> Bool {
  do throws(StoreError) {
    body(try BoardStore.open(in: folder.path))
    return true
  } catch {
    switch error {
    // A database with the version of an earlier release, but without the tables of that release, is
    // not changed.
    case .foreign, .newer, .io: return false
    default: fatalError("it cannot be opened: \(error)")
    }
  }
}

// MARK: - Reading and writing

/// A name or text of a board.
private typealias StoredText = String

private func inventory(of store: BoardStore) -> [[StoredText]] {
  guard let boards = try? store.boards() else { return [] }
  return boards.map { stored in
    [stored.header.name, stored.header.pathElement]
      + stored.board.snapshot().sections.map { "\($0.name): \($0.rows)" }
  }
}

/// Reads everything that a daemon reads; unreadable parts are refused.
private func readEverything(_ store: BoardStore) {
  for stored in (try? store.boards()) ?? [] {
    readHistory(stored, store)
    for row in stored.board.snapshot().sections.flatMap(\.rows).prefix(30) {
      guard let item = try? store.summary(of: row) else { continue }
      for place in item.types.indices {
        _ = try? store.content(of: row, at: place).read()
      }
      _ = try? store.text(of: row, limit: 100)
    }
  }
  for deleted in (try? store.deletedBoards()) ?? [] { _ = try? store.board(deleted.id) }
  _ = try? store.search("text nothing")
  _ = try? store.isIndexBehind()
}

private func readHistory(_ stored: BoardRecord, _ store: BoardStore) {
  for step in (try? store.steps(of: stored.id)) ?? [] {
    guard let (operations, kept) = try? store.operations(ofStep: step.number, of: stored.id)
    else { continue }
    _ = try? store.byteCount(of: kept)
    guard let step = try? UndoStep(bytes: operations) else { continue }
    var board = stored.board
    _ = try? board.apply(step)
  }
  let first = try? store.firstLoggedRevision(of: stored.id)
  let batches = try? store.loggedChanges(after: (first ?? nil) ?? 0, of: stored.id)
  for batch in (batches ?? nil) ?? [] { _ = try? [Revision](encoding: batch) }
}

/// Makes the edits of a daemon; damaged data may make them fail.
private func edit(_ store: BoardStore) {
  _ = try? (store.reserveSessionNumbers(), store.reserveViewNumbers())
  while (try? store.indexSome(limit: 50)) == true {}
  for stored in ((try? store.boards()) ?? []).prefix(3) {
    do throws(StoreError) { try insertRow(store, stored) } catch { store.rollback() }
  }
  do throws(StoreError) { try store.commit() } catch { store.rollback() }
  if let stored = try? store.boards().last, stored.header.pathElement.utf8.count.isMultiple(of: 2) {
    try? store.purgeBoard(stored.id)
  }
  do throws(StoreError) { try store.commit() } catch { store.rollback() }
  for _ in 0..<3 {
    _ = try? store.purgeDiscarded(limit: 50)
    do throws(StoreError) { try store.commit() } catch { store.rollback() }
  }
}

private func insertRow(_ store: BoardStore, _ stored: BoardRecord) throws(StoreError) {
  var board = stored.board
  let row = try store.reserveRows(1)[0]
  try store.put(
    RowContent(
      created: 1, source: "", preview: "new",
      representations: [RowContent.Representation(type: .plainText, data: Array("new".utf8))]),
    of: row)
  guard let revision = try? board.insert([row], at: IndexPath(section: 0, row: 0), maxRows: .max)
  else { return }
  try store.history.log(
    [revision].encoding, board.revision...board.revision, rowCount: board.count, of: stored.id)
  _ = try store.save(UnsavedBoard(taking: &board), of: stored.id)
  if let step = board.takeUndoStep() {
    try store.history.save(
      StepInfo(number: 1_000, isUndone: false, byteCount: 9), step.bytes, keeping: [],
      of: stored.id)
  }
}
