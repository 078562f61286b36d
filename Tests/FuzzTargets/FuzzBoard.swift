internal import BoardModel

/// Plays any series of edits, undos and selections.
///
/// Every revision can be replayed, the stored board equals the board, and undoing everything
/// restores the first board.
func fuzzBoard(_ bytes: UnsafeRawBufferPointer) {
  var events = Events(bytes)
  var player = BoardPlayer()
  while !events.isAtEnd { player.play(&events) }
  player.undoEverything()
}

/// A board that receives the events, and the values that must agree with it.
private struct BoardPlayer {
  private var board = Board()
  private var view = ViewState()
  private var replica = Board().snapshot()
  private var blocks: [BlockID: StoredBlock] = [:]
  private var sections: [StoredSection] = []
  private var steps: [UndoStep] = []
  private var lastRow: UInt64 = 0

  init() { save() }

  mutating func play(_ events: inout Events) {
    let kind = events.next(20)
    guard kind < 15 else { return act(kind, &events) }
    guard let revision = try? edit(kind, &events) else { return }
    conclude(revision)
    if let step = board.takeUndoStep() { steps.append(step) }
    check()
  }

  /// The edit returns nil or throws only if nothing has changed.
  private mutating func edit(_ kind: Int, _ events: inout Events) throws -> Revision? {
    switch kind {
    case 0...3: try board.insert(newRows(&events), at: path(&events), maxRows: 300)
    case 4...5: try board.move(from: path(&events), to: path(&events))
    case 6: try board.move(rows(&events), toSection: events.next(4), row: events.next(9) - 1)
    case 7: try board.delete(at: path(&events))
    case 8: try board.delete(rows(&events))
    case 9:
      try board.setFlags(
        RowFlags(rawValue: 1 << UInt8(events.next(3))), to: events.next(2) == 0, of: row(&events))
    case 10:
      try board.insertSection(
        named: "\(events.next(5))", at: events.next(5) - 1, maxSections: 5)
    case 11: try board.deleteSection(events.next(4))
    case 12: try board.moveSection(from: events.next(4), to: events.next(4))
    case 13: try board.renameSection(events.next(4), to: "\(events.next(5))")
    default: try arrange(&events)
    }
  }

  private mutating func arrange(_ events: inout Events) throws -> Revision? {
    var sections = board.snapshot().sections
    let (one, other) = (events.next(sections.count), events.next(sections.count))
    switch events.next(4) {
    case 0: sections.swapAt(one, other)
    case 1: sections[one].rows.reverse()
    case 2 where one != other:
      sections[other].rows += sections[one].rows
      sections.remove(at: one)
    default: sections[one].rows = sections[one].rows.filter { $0.rawValue % 3 > 0 }
    }
    return try board.apply(Arrangement(sections), maxSections: 5)
  }

  /// Performs an action on a view.
  private mutating func act(_ kind: Int, _ events: inout Events) {
    switch kind {
    case 15: view.setEditing(events.next(2) == 0)
    case 16: try? view.select(rows(&events), on: board)
    case 17: _ = view.setReselect(on: board)
    case 18: _ = try? view.commit(on: board)
    default: view.setAllowsMultipleSelection(events.next(2) == 0, on: board)
    }
    checkView()
  }

  mutating func undoEverything() {
    while let step = steps.popLast() {
      guard let revision = try? board.apply(step) else { fatalError("a step does not fit") }
      conclude(revision)
      _ = board.takeUndoStep()
      check()
    }
    precondition(board.count == 0 && board.sectionNames == ["main"], "undone is not as at first")
  }

  // MARK: Arguments

  private mutating func newRows(_ events: inout Events) -> [RowID] {
    (0..<events.next(5)).map { _ in
      lastRow += 1
      return RowID(lastRow)
    }
  }

  private func row(_ events: inout Events) -> RowID { RowID(UInt64(events.next(32))) }

  private func rows(_ events: inout Events) -> [RowID] {
    (0..<events.next(4)).map { _ in row(&events) }
  }

  private func path(_ events: inout Events) -> IndexPath {
    IndexPath(section: events.next(4), row: events.next(9) - 1)
  }

  // MARK: Invariants

  private mutating func conclude(_ revision: Revision) {
    view.follow(revision, on: board)
    do { try replica.apply(revision) } catch { fatalError("\(revision) does not replay: \(error)") }
    guard let read = try? [Revision](encoding: [revision].encoding) else {
      fatalError("\(revision) cannot be read again")
    }
    precondition(read == [revision], "\(revision) is read as another one")
    save()
  }

  private mutating func save() {
    let changes = board.takeUnsavedChanges()
    for id in changes.removedBlocks { blocks[id] = nil }
    for block in changes.blocks { blocks[block.id] = block }
    sections = changes.sections ?? sections
  }

  private func check() {
    precondition(replica == board.snapshot(), "the replica is another one")
    do {
      let stored = try Board(
        revision: board.revision, sections: sections, blocks: Array(blocks.values))
      precondition(stored.snapshot() == board.snapshot(), "what is stored is another board")
    } catch { fatalError("the stored data is not a board: \(error)") }
    checkView()
  }

  private func checkView() {
    precondition(view.selection.allSatisfy(board.contains), "a row is selected that is not there")
    precondition(view.allowsMultipleSelection || view.selection.count <= 1)
    precondition(!view.isEditing || view.selection.isEmpty)
    precondition(view.pending(on: board).map(board.contains) ?? true)
  }
}
