/// The replay of an undo step, and the resulting changes.
struct StepReplay {
  /// The changes; nil if there are too many to report.
  private(set) var changes: [Change]? = []

  /// Performs a step; throws and changes nothing if the step does not fit.
  init(
    of step: UndoStep, on storage: inout RowStorage, recording record: inout UndoRecord
  ) throws(HistoryDamage) {
    for (index, operation) in step.operations.enumerated() {
      guard operation.fits(storage) else {
        for done in record.take()?.operations ?? [] {
          perform(done, on: &storage, recording: &record)
        }
        _ = record.take()
        throw .doesNotFit(operation: index)
      }
      perform(operation, on: &storage, recording: &record)
    }
  }

  private mutating func append(_ change: Change) { append(1) { [change] } }

  /// Appends changes, which are created only if they are reported.
  private mutating func append(_ count: Int, _ make: () -> [Change]) {
    let isReported = (changes?.count ?? 0) + count <= Revision.maxChanges
    if isReported { changes?.append(contentsOf: make()) } else { changes = nil }
  }

  /// Performs an operation that fits the storage.
  private mutating func perform(
    _ operation: UndoStep.Operation, on storage: inout RowStorage,
    recording record: inout UndoRecord
  ) {
    switch operation {
    case .insert(let entries, let path):
      record.insert(entries, at: path, in: &storage)
      append(entries.count) { Self.insertions(of: entries, at: path) }
    case .put(let entries, let path):
      record.put(entries, at: path, in: &storage)
      append(entries.count) { Self.insertions(of: entries, at: path) }
    case .delete(let count, let path):
      append(count) { Self.deletions(of: count, at: path, in: storage) }
      record.remove(path.row..<path.row + count, inSection: path.section, of: &storage)
    case .lift(let count, let path):
      append(count) { Self.deletions(of: count, at: path, in: storage) }
      storage.forget(
        record.lift(path.row..<path.row + count, inSection: path.section, of: &storage))
    case .move(let source, let destination):
      let entry = record.move(from: source, to: destination, in: &storage)
      append(.move(entry.row, from: source, to: destination))
    case .setFlags(let flags, let row):
      record.setFlags(flags, of: row, in: &storage)
      appendReload(of: row, in: storage)
    case .exchangeContent(let row):
      record.noteOtherContent(of: row)
      appendReload(of: row, in: storage)
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      performOnSections(operation, on: &storage, recording: &record)
    case .changeRetention(let change): record.append(.changeRetention(change.reversed))
    case .others: break
    }
  }

  private mutating func performOnSections(
    _ operation: UndoStep.Operation, on storage: inout RowStorage,
    recording record: inout UndoRecord
  ) {
    switch operation {
    case .insertSection(let name, let index):
      record.insertSection(named: name, at: index, in: &storage)
      append(.insertSection(name, at: index))
    case .deleteSection(let index):
      append(.deleteSection(storage.sections[index].name, at: index))
      record.removeSection(at: index, in: &storage)
    case .moveSection(let source, let destination):
      append(.moveSection(storage.sections[source].name, from: source, to: destination))
      record.moveSection(from: source, to: destination, in: &storage)
    case .renameSection(let name, let index):
      record.renameSection(at: index, to: name, in: &storage)
      append(.renameSection(to: name, at: index))
    default: break
    }
  }

  private static func insertions(of entries: [RowEntry], at path: IndexPath) -> [Change] {
    entries.enumerated().map { offset, entry in
      .insert(entry.row, at: IndexPath(section: path.section, row: path.row + offset))
    }
  }

  private static func deletions(
    of count: Int, at path: IndexPath, in storage: RowStorage
  ) -> [Change] {
    let entries = storage.entries(inSection: path.section, path.row..<path.row + count)
    return [RowRun(entries, at: path)].deletions
  }

  private mutating func appendReload(of row: RowID, in storage: RowStorage) {
    if let path = storage.indexPath(of: row) { append(.reload(row, at: path)) }
  }
}

// MARK: Checks

extension UndoStep.Operation {
  /// Returns whether the operation can be performed.
  ///
  /// A stored step may be damaged, or may belong to another board.
  func fits(_ storage: RowStorage) -> Bool {
    let sections = storage.sections
    return switch self {
    case .insert(let entries, let path), .put(let entries, let path):
      (storage.rowCount(inSection: path.section) ?? -1) >= path.row && path.row >= 0
        && Self.areNew(entries, in: storage)
    case .delete(let count, let path), .lift(let count, let path):
      count > 0 && path.row >= 0
        && (storage.rowCount(inSection: path.section) ?? 0) - path.row >= count
    case .move(let source, let destination):
      Self.fitsMove(from: source, to: destination, in: storage)
    case .setFlags(_, let row), .exchangeContent(let row): storage.contains(row)
    case .insertSection(let name, let index):
      0...sections.count ~= index && !sections.contains { $0.name == name }
    case .deleteSection(let index):
      storage.rowCount(inSection: index) == 0 && sections.count > 1
    case .moveSection(let source, let destination):
      sections.indices ~= source && sections.indices ~= destination
    case .renameSection(let name, let index):
      sections.indices ~= index && !sections.contains { $0.name == name }
    case .changeRetention: true
    case .others: false
    }
  }

  private static func fitsMove(
    from source: IndexPath, to destination: IndexPath, in storage: RowStorage
  ) -> Bool {
    let isWithin = source.section == destination.section
    let room = (storage.rowCount(inSection: destination.section) ?? -1) - (isWithin ? 1 : 0)
    return storage.row(at: source) != nil && destination.row >= 0 && destination.row <= room
  }

  /// Returns whether all rows are new to the board and distinct, and there is at least one.
  private static func areNew(_ entries: [RowEntry], in storage: RowStorage) -> Bool {
    var seen = RowSet()
    return !entries.isEmpty
      && entries.allSatisfy { !storage.contains($0.row) && seen.insert($0.row) }
  }
}
