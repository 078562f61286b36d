public import BoardModel

/// The rows and sections that edits have touched.
public struct TouchedParts: Hashable, Sendable {
  /// The rows that were inserted, moved, changed or deleted.
  public var rows: Set<RowKey> = []
  /// Whether a section was inserted, renamed, moved or deleted.
  public var sections = false

  /// Creates an empty set.
  public init() {}

  /// Adds the parts that an edit names.
  public mutating func add(_ edit: SharedEdit) {
    if let row = edit.row { rows.insert(row) } else { sections = true }
  }
}

extension SharedBoard {
  /// Applies an edit.
  ///
  /// The result depends only on the board and the edit, so it is the same on every machine.
  ///
  /// - Returns: nil, or the reason why the edit has no effect.
  @discardableResult
  public mutating func apply(_ edit: SharedEdit) -> DropReason? {
    switch edit {
    case .insert(let key, let row, let place):
      guard self[key] == nil else { return nil }
      guard count < Self.maxRows else { return .boardFull }
      _ = insert(key, row, at: path(of: place))
      return nil
    case .move(let key, let place):
      guard let source = path(of: key) else { return .rowGone }
      _ = move(key, to: path(of: place, without: source, key))
      return nil
    case .delete(let key):
      // If the row does not exist, the deletion has already happened.
      _ = remove(key)
      return nil
    case .setFlags(let key, let flags, let changing):
      return change(key) { row in
        row.flags = row.flags.subtracting(changing).union(flags.intersection(changing))
      } ? nil : .rowGone
    case .setName(let key, let name): return change(key) { $0.name = name } ? nil : .rowGone
    case .setStack(let key, let stack): return change(key) { $0.stack = stack } ? nil : .rowGone
    case .setContents(let key, let contents):
      return change(key) { $0.representations = contents } ? nil : .rowGone
    case .insertSection, .renameSection, .moveSection, .deleteSection:
      return applyToSections(edit)
    }
  }

  private mutating func applyToSections(_ edit: SharedEdit) -> DropReason? {
    do throws(BoardError) {
      switch edit {
      case .insertSection(let key, let name, let after):
        guard index(of: key) == nil else { return nil }
        if let present = sectionNames.firstIndex(of: name) {
          alias(key, as: sections[present])
          return nil
        }
        try insertSection(key, named: name, at: index(behind: after))
      case .renameSection(let key, let name):
        guard let index = index(of: key) else { return .sectionGone }
        try renameSection(at: index, to: name)
      case .moveSection(let key, let after):
        guard let source = index(of: key) else { return .sectionGone }
        let destination = index(behind: after)
        try moveSection(from: source, to: destination - (destination > source ? 1 : 0))
      case .deleteSection(let key):
        guard let index = index(of: key) else { return nil }
        guard rowCount(inSection: index) == 0 else { return .sectionNotEmpty }
        try deleteSection(at: index)
      default: break
      }
      return nil
    } catch {
      return switch error {
      case .lastSection: .lastSection
      case .limitExceeded: .boardFull
      default: .nameTaken
      }
    }
  }

  /// Returns the index after a section; 0 for nil, and the end if the section was deleted.
  func index(behind section: SectionKey?) -> Int {
    guard let section else { return 0 }
    return index(of: section).map { $0 + 1 } ?? sections.count
  }

  /// Returns the path of a place.
  ///
  /// If `source` is given, the result is a path of the board without the row `key`, which is at
  /// `source`.
  public func path(
    of place: SharedEdit.Place, without source: IndexPath? = nil, _ key: RowKey? = nil
  ) -> IndexPath {
    let section = index(of: place.section)
    func isInPlace(_ path: IndexPath) -> Bool { section == nil || path.section == section }
    /// Returns a path of the board without the moved row.
    func adjusted(_ path: IndexPath) -> IndexPath {
      guard let source, source.section == path.section, source.row < path.row else { return path }
      return IndexPath(section: path.section, row: path.row - 1)
    }
    if let after = place.after {
      // A row that is moved directly after itself does not move.
      if after == key, let source, isInPlace(source) { return source }
      if let path = path(of: after), isInPlace(path) {
        return adjusted(IndexPath(section: path.section, row: path.row + 1))
      }
    } else if let section {
      return IndexPath(section: section, row: 0)
    }
    if let before = place.before {
      if before == key, let source, isInPlace(source) { return source }
      if let path = path(of: before), isInPlace(path) { return adjusted(path) }
    }
    let end = IndexPath(section: section ?? 0, row: rowCount(inSection: section ?? 0))
    return adjusted(end)
  }
}
