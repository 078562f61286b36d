import BoardModel

/// The effects of other machines on an edit that may be undone later.
struct OthersEffect {
  private(set) var exists = false
  private(set) var moved: Set<String> = []
  private(set) var deleted: Set<String> = []

  mutating func note(_ edit: RemoteEdit) {
    switch edit {
    case .insert, .setFlags, .insertSection: exists = true
    case .delete(let item): (exists, _) = (true, deleted.insert(item))
    case .move(let item, _, _): (exists, _) = (true, moved.insert(item))
    case .setText: break
    }
  }

  mutating func add(_ other: OthersEffect) {
    exists = exists || other.exists
    moved.formUnion(other.moved)
    deleted.formUnion(other.deleted)
  }
}

/// An edit of this machine: the sections before and after it.
struct OracleStep {
  private(set) var before: [BoardState.Section]
  private(set) var after: [BoardState.Section]
  /// The rows that the edit has moved; nil if they are not known.
  private let moved: Set<String>?
  /// The change of the limits by which the edit has deleted rows.
  let retaining: RetentionChange?
  var others = OthersEffect()

  init(
    from before: [BoardState.Section], to after: [BoardState.Section], moving moved: [String]? = [],
    retaining: RetentionChange? = nil
  ) {
    (self.before, self.after, self.retaining) = (before, after, retaining)
    self.moved = moved.map { Set($0) }
  }

  /// Begins again when the edit is redone.
  mutating func start(from before: [BoardState.Section], to after: [BoardState.Section]) {
    (self.before, self.after, others) = (before, after, OthersEffect())
  }

  // MARK: Undo

  /// The rows and the names of the sections after an undo, without the positions.
  private func undone(
    on board: BoardState, without evicted: Set<String>
  ) -> (rows: [String: BoardState.Row], names: [String]) {
    let (old, new) = (before.rows, after.rows)
    var rows = board.sections.rows
    for row in new.keys where old[row] == nil { rows[row] = nil }
    for (id, row) in old {
      guard let changed = new[id] else {
        rows[id] = row
        continue
      }
      guard var present = rows[id] else { continue }
      if changed.text != row.text { present.text = row.text }
      if changed.isEditable != row.isEditable { present.isEditable = row.isEditable }
      if changed.isMovable != row.isMovable { present.isMovable = row.isMovable }
      if changed.isPinned != row.isPinned { present.isPinned = row.isPinned }
      rows[id] = present
    }
    let names = before.map(\.name)
    return (rows, names == after.map(\.name) ? board.sections.map(\.name) : names)
  }

  /// Whether the undo would delete a section that has rows of other machines.
  func isBlocked(on board: BoardState) -> Bool {
    let new = Set(after.map(\.name)).subtracting(before.map(\.name))
    let inserted = Set(after.rows.keys).subtracting(before.rows.keys)
    return others.exists
      && board.sections.contains { section in
        new.contains(section.name)
          && section.rows.contains { !inserted.contains($0.id) }
      }
  }

  /// Returns the reason why a board is not the result of undoing this edit; nil if it is.
  func fault(in actual: BoardState, undoing board: BoardState, without evicted: Set<String>)
    -> String?
  {
    let (rows, names) = undone(on: board, without: evicted)
    guard actual.sections.rows == rows else { return "rows: expected \(rows)" }
    guard actual.sections.map(\.name) == names else { return "sections: expected \(names)" }
    guard others.exists else {
      let order = before.order { !evicted.contains($0) }
      return actual.sections.order() == order ? nil : "order: expected \(order)"
    }
    // Without the rows of other machines, the order is the former one.
    let known = { (row: String) in
      before.rows[row] != nil && rows[row] != nil && !others.moved.contains(row)
    }
    guard actual.sections.order(known) == before.order(known) else {
      return "order: expected \(before.order(known))"
    }
    // The other rows stay in their order.
    guard let moved, before.map(\.name) == after.map(\.name) else { return nil }
    let untouched = { (row: String) in
      !moved.contains(row) && rows[row] != nil && board.row(row) != nil
    }
    guard actual.sections.order(untouched) == board.sections.order(untouched) else {
      return "order of other rows: expected \(board.sections.order(untouched))"
    }
    return nil
  }

  /// Returns whether an undo may remove this edit without a change: as the undone edit, or on the way to an
  /// earlier edit.
  func skip(on board: BoardState, without evicted: Set<String>) -> (
    isConsumed: Bool, isSkipped: Bool
  ) {
    let (rows, names) = undone(on: board, without: evicted)
    guard rows == board.sections.rows, names == board.sections.map(\.name) else {
      return (false, false)
    }
    let mayMove =
      others.exists
      ? board.sections.order(isKnown) != before.order { isKnown($0) && board.row($0) != nil }
      : board.sections.order() != before.order { !evicted.contains($0) }
    guard !mayMove else { return (false, false) }
    guard others.exists else { return (false, true) }
    guard let moved else { return (true, true) }
    let missing = concerned(moved).filter { board.row($0) == nil }
    // If other machines have reversed the edit, or deleted its rows, the undo ends. If the rows were
    // evicted, it may go on.
    let isDeleted = missing.contains { others.deleted.contains($0) }
    let isEvicted = missing.contains { evicted.contains($0) }
    return (isDeleted || isEvicted || missing.isEmpty, isEvicted || !isDeleted)
  }

  private func isKnown(_ row: String) -> Bool {
    before.rows[row] != nil && !others.moved.contains(row)
  }

  private func concerned(_ moved: Set<String>) -> Set<String> {
    let (old, new) = (before.rows, after.rows)
    return moved.union(new.keys.filter { old[$0] == nil }).union(
      old.keys.filter { old[$0] != new[$0] })
  }
}

extension [BoardState.Section] {
  /// The rows by their ids.
  fileprivate var rows: [String: BoardState.Row] {
    Dictionary(flatMap(\.rows).map { ($0.id, $0) }) { first, _ in first }
  }

  /// Returns the ids of those rows of each section that `isIncluded` names.
  fileprivate func order(_ isIncluded: (String) -> Bool = { _ in true }) -> [[String]] {
    map { $0.rows.map(\.id).filter(isIncluded) }
  }
}
