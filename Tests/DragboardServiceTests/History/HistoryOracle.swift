import BoardModel

/// A board with its retention and its undo history, as plain arrays.
///
/// The specification leaves some results of an undo open, if other machines have edited the board since
/// the edit. The oracle accepts each permitted result of the daemon, and then continues with this result.
struct HistoryOracle {
  /// The reason why the daemon breaks a rule.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The board as the daemon must show it.
  private(set) var board: BoardState
  /// The limits of retention as the daemon must report them.
  private(set) var retention = RetentionLimits()
  /// The numbers of undo steps that are possible by now.
  ///
  /// There is more than one only if an undo has changed nothing, and may or may not have removed a step.
  private var pasts: [[OracleStep]] = [[]]
  private var future: [(sections: [BoardState.Section], step: OracleStep)] = []
  /// The order of ages; a missing row has the age 0.
  private var ages: [String: Int] = [:]
  private var lastAge = 0
  /// The rows of other machines, which were created in 1970.
  private var ancient: Set<String> = []
  /// The rows that retention has deleted; no undo restores them.
  private var evicted: Set<String> = []
  /// Whether the daemon may have discarded the history, because of the list of sections.
  private(set) var isHistoryOpen = false

  /// The number of edits that the daemon must be able to undo.
  static let sureSteps = 100

  init(_ board: BoardState) { self.board = board }

  // MARK: Edits of this machine

  /// Makes an edit other than an undo or redo; `ids` has the ids of new rows by their texts.
  mutating func make(_ edit: Edit, ids: [String: String]) {
    var after = board
    let moved = edit.movedRows(of: board)
    switch edit {
    case .insert(let texts, _, _), .dropTexts(let texts, _, _):
      guard board.rows.count + texts.count <= board.maxRows,
        after.make(edit, newID: { ids[$0] ?? $0 })
      else { return }
      let doomed = excess(adding: texts.count)
      evict(doomed)
      after.remove { doomed.contains($0.id) }
      for text in texts { age(ids[text] ?? text) }
    default: guard after.make(edit, newID: { $0 }) else { return }
    }
    record(OracleStep(from: board.sections, to: after.sections, moving: moved), after)
  }

  /// Deletes all rows that `Clear` deletes, and the history.
  mutating func erase() {
    let before = board.rows.count
    board.remove { $0.isEditable && !$0.isPinned }
    if board.rows.count != before { board.revision += 1 }
    (pasts, future, isHistoryOpen) = ([[]], [], false)
  }

  private mutating func record(_ step: OracleStep, _ after: BoardState) {
    board = after
    for index in pasts.indices { pasts[index].append(step) }
    future = []
  }

  private mutating func age(_ row: String) {
    lastAge += 1
    ages[row] = lastAge
  }

  // MARK: Retention

  /// Returns the oldest rows beyond `RetainRows`.
  private func excess(adding count: Int) -> Set<String> {
    let excess = board.rows.count + count - Int(retention.rows)
    guard retention.rows > 0, excess > 0 else { return [] }
    let oldest = board.rows.filter(\.isClearable).map(\.id).sorted {
      ages[$0, default: 0] < ages[$1, default: 0]
    }
    return Set(oldest.prefix(excess))
  }

  private mutating func evict(_ rows: Set<String>) {
    board.remove { rows.contains($0.id) }
    evicted.formUnion(rows)
  }

  /// Returns the rows whose age a change of the limits has found to be over.
  ///
  /// The rows of other machines are older than every limit of this test. But behind a younger row, they may
  /// stay.
  private func expired(by limits: RetentionLimits, reaching actual: BoardState) -> Set<String> {
    guard limits.seconds > 0 else { return [] }
    let rows = board.rows.filter(\.isClearable).map(\.id)
    let first = rows.filter { !ancient.contains($0) }.map { ages[$0, default: 0] }.min()
    return Set(
      rows.filter {
        ancient.contains($0)
          && (actual.row($0) == nil || ages[$0, default: 0] < first ?? .max)
      })
  }

  /// Sets the limits, with the result that the daemon has reached.
  ///
  /// - Parameters:
  ///   - limits: the new limits.
  ///   - actual: the board after the change.
  ///   - expired: the rows of this machine that have reached the age.
  mutating func retain(
    _ limits: RetentionLimits, reaching actual: BoardState, expired: Set<String> = []
  ) {
    let old = retention
    retention = limits
    let doomed = excess(adding: 0).union(expired).union(
      self.expired(by: limits, reaching: actual))
    guard !doomed.isEmpty else { return }
    var after = board
    after.remove { doomed.contains($0.id) }
    after.revision += 1
    record(
      OracleStep(
        from: board.sections, to: after.sections,
        retaining: RetentionChange(from: old, to: limits)), after)
  }

  /// Deletes rows that have reached the age.
  mutating func expire(_ rows: Set<String>) {
    evict(rows)
    board.revision += 1
    future = []
  }

  mutating func setMaxRows(_ count: UInt32) { board.maxRows = count }

  // MARK: Edits of other machines

  /// Makes edits of another machine, or none of them; returns whether they are permitted.
  mutating func apply(_ edits: [RemoteEdit]) -> Bool {
    var after = board
    guard after.apply(edits) else { return false }
    for case .insert(let item, _, _, _, _) in edits {
      age(item)
      ancient.insert(item)
    }
    guard after.sections != board.sections else { return true }
    after.revision += 1
    var sets = OthersEffect()
    for edit in edits { sets.note(edit) }
    if after.sections.map(\.name) != board.sections.map(\.name) { isHistoryOpen = true }
    for past in pasts.indices {
      for step in pasts[past].indices { pasts[past][step].others.add(sets) }
    }
    (board, future) = (after, [])
    return true
  }
}

// MARK: Undo and redo

extension HistoryOracle {
  /// Redoes the edit that was undone last; returns false if there is none.
  mutating func redo() -> Bool {
    guard let (sections, undone) = future.popLast() else { return false }
    var step = undone
    step.start(from: board.sections, to: sections)
    board.sections = sections
    board.revision += 1
    if let change = step.retaining { retention = change.to }
    for index in pasts.indices { pasts[index].append(step) }
    return true
  }

  /// Undoes an edit, with the result that the daemon has reached.
  ///
  /// - Parameters:
  ///   - actual: the board after the undo.
  ///   - isRefused: whether the reply was NothingToUndo.
  /// - Throws: `Fault` if no rule permits the result.
  mutating func undo(reaching actual: BoardState, isRefused: Bool) throws {
    var results: [(past: [OracleStep], undone: OracleStep?)] = []
    var reasons: [String] = []
    for past in pasts {
      var rest = past
      search: while true {
        guard let step = rest.popLast() else {
          if isRefused, actual == board { results.append(([], nil)) }
          break
        }
        let isSure = past.count - rest.count <= Self.sureSteps
        if !isSure, isRefused, actual == board { results.append(([], nil)) }
        if step.isBlocked(on: board) {
          // The section that the edit has inserted has rows of another machine.
          isHistoryOpen = true
          results.append((rest, nil))
          break
        }
        if actual.revision == board.revision + 1 {
          let fault = step.fault(in: actual, undoing: board, without: evicted)
          if let fault { reasons.append(fault) } else { results.append((rest, step)) }
        }
        let skip = step.skip(on: board, without: evicted)
        if skip.isConsumed, !isRefused, actual == board { results.append((rest, nil)) }
        if !skip.isSkipped { break }
      }
    }
    guard let first = results.first else {
      throw Fault(
        description: """
          undo of \(pasts): \(isRefused ? "refused" : "\(actual)"), before: \(board), evicted: \
          \(evicted), because \(reasons)
          """)
    }
    if let step = first.undone {
      if let change = step.retaining { retention = retention.union(change.from) }
      future.append((board.sections, step))
    }
    pasts = results.map(\.past)
    board = actual
  }

  /// Whether an undo certainly undoes the latest edit, with one possible result.
  var undoesLatest: Bool {
    guard pasts.count == 1, let step = pasts[0].last else { return false }
    let skip = step.skip(on: board, without: evicted)
    return !skip.isConsumed && !skip.isSkipped
  }
}

extension BoardState.Row {
  /// Whether retention may delete the row.
  var isClearable: Bool { isEditable && !isPinned }
}

extension Edit {
  /// The rows that the edit moves; nil if the edit does not name them.
  fileprivate func movedRows(of board: BoardState) -> [String]? {
    switch self {
    case .moveItems(let items, _, _): items
    case .dropRow(let item, _, _): [item]
    case .moveRow(let section, let row, _, _): board.id(Int(section), Int(row)).map { [$0] } ?? []
    case .applyOrder, .applySnapshot: nil
    default: []
    }
  }
}
