import DBus
import DragboardInterface

/// A client's copy of a board, built from signals: sections and the ids of their rows.
struct Replica: Equatable {
  /// A section and the ids of its rows.
  struct Section: Equatable {
    var name: String
    var rows: [String]
  }

  /// The reason why a signal does not fit the copy.
  struct Misfit: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var revision: UInt64
  private(set) var sections: [Section]

  /// Creates a copy from the reply of GetSnapshot.
  init(_ snapshot: (revision: UInt64, sections: [BoardInterface.Section])) {
    revision = snapshot.revision
    sections = snapshot.sections.map { Section(name: $0.members.0, rows: $0.members.1) }
  }

  /// The copy as the argument of ApplySnapshot.
  var wire: [BoardInterface.Section] {
    sections.map { BoardInterface.Section($0.name, $0.rows) }
  }

  /// The ids of all rows.
  var rows: [String] { sections.flatMap(\.rows) }

  /// Creates a copy of the order of a board.
  init(_ state: BoardState) {
    revision = state.revision
    sections = state.sections.map { Section(name: $0.name, rows: $0.rows.map(\.id)) }
  }

  /// Replaces the sections by the wanted arrangement.
  mutating func arrange(_ sections: [Section]) { self.sections = sections }

  /// Applies a Changed signal.
  mutating func apply(_ from: UInt64, _ to: UInt64, _ changes: [WireChange]) throws {
    guard from == revision, to == from + 1 else {
      throw Misfit(description: "Changed from \(from) to \(to) came at \(revision)")
    }
    guard !changes.isEmpty else { throw Misfit(description: "revision \(to) has no changes") }
    for change in changes { try apply(change) }
    revision = to
  }

  /// Applies the reply of GetChanges.
  mutating func apply(_ told: (revision: UInt64, changes: [WireChange])) throws {
    guard told.revision >= revision else {
      throw Misfit(description: "GetChanges goes back from \(revision) to \(told.revision)")
    }
    for change in told.changes { try apply(change) }
    revision = told.revision
  }

  private mutating func apply(_ change: WireChange) throws {
    let (kind, id, fromSection, fromRow, toSection, toRow) = change.members
    let (from, to) = ((Int(fromSection), Int(fromRow)), (Int(toSection), Int(toRow)))
    switch kind {
    case "insert": try put(id, at: to)
    case "delete": try take(id, at: from)
    case "move":
      try take(id, at: from)
      try put(id, at: to)
    case "reload":
      guard from == to else { throw Misfit(description: "a reload moves \(id)") }
      try take(id, at: from)
      try put(id, at: to)
    case "insert-section":
      try check(0...sections.count ~= to.0, change)
      sections.insert(Section(name: id, rows: []), at: to.0)
    case "delete-section":
      try check(
        sections.indices ~= from.0 && sections[from.0] == Section(name: id, rows: []), change)
      sections.remove(at: from.0)
    case "move-section":
      try check(
        sections.indices ~= from.0 && sections.indices ~= to.0 && sections[from.0].name == id,
        change)
      sections.insert(sections.remove(at: from.0), at: to.0)
    case "rename-section":
      try check(sections.indices ~= from.0, change)
      sections[from.0].name = id
    default: throw Misfit(description: "unknown kind \(kind)")
    }
  }

  private func check(_ fits: Bool, _ change: WireChange) throws {
    guard fits else { throw Misfit(description: "\(change.members) does not fit") }
  }

  private mutating func put(_ id: String, at place: (section: Int, row: Int)) throws {
    guard sections.indices ~= place.section, 0...sections[place.section].rows.count ~= place.row
    else { throw Misfit(description: "\(id) cannot be at \(place)") }
    sections[place.section].rows.insert(id, at: place.row)
  }

  private mutating func take(_ id: String, at place: (section: Int, row: Int)) throws {
    guard sections.indices ~= place.section, sections[place.section].rows.indices ~= place.row,
      sections[place.section].rows[place.row] == id
    else { throw Misfit(description: "\(id) is not at \(place)") }
    sections[place.section].rows.remove(at: place.row)
  }
}
