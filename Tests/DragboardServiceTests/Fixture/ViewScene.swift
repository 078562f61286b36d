import DBus
import DragboardInterface
import TestSupport
import Testing

/// A board whose rows have letters as names, a client that edits it, and another client with a
/// view.
final class ViewScene {
  let daemon: Daemon
  let editor: BusClient
  let viewer: BusClient
  let view: ObjectPath
  /// The ids of all present and former rows, by letter.
  private var ids: [Character: String] = [:]

  /// Creates a board with a section for each word and a row for each letter.
  init(_ sections: [String] = ["abcde"]) throws {
    daemon = try Daemon()
    editor = try daemon.client()
    viewer = try daemon.client()
    view = try viewer.openView()
    for (index, letters) in sections.enumerated() {
      if index > 0 { try perform(.insertSection(at: index)) }
      try perform(.insert(letters, section: index, at: 0))
    }
  }

  /// Returns the ids of rows.
  func rows(_ letters: String) throws -> [String] {
    try letters.map { try #require(ids[$0], "unknown row \($0)") }
  }

  /// Returns the id of a row.
  func row(_ letter: Character) throws -> String { try rows(String(letter))[0] }

  /// Returns the letters of ids.
  func letters(_ items: [String]) -> String {
    String(items.map { item in ids.first { $0.value == item }?.key ?? "?" })
  }

  /// Returns the letter and the position of a row: `c at 0.3`; "" if `item` is empty.
  func place(of item: String) throws -> String {
    guard !item.isEmpty else { return "" }
    let (section, row) = try editor.call(BoardInterface.getIndexPath, item)
    return "\(letters([item])) at \(section).\(row)"
  }

  /// Returns the letters of the selected rows.
  func selection() throws -> String { letters(try viewer.look(at: view).selection) }

  /// Returns the letter of the pending row; "" if there is none.
  func pending() throws -> String {
    let pending = try viewer.look(at: view).pending
    return letters(pending.isEmpty ? [] : [pending])
  }

  /// Selects rows.
  func select(_ letters: String) throws { try viewer.select(try rows(letters), in: view) }
}

/// An event of a view: a call of its client, or an edit by another client.
enum ViewStep: Sendable {
  // calls of the view's client
  case select(String)
  case allowMultiple(Bool)
  case editing(Bool)
  case setReselect

  // edits of the other client
  case insert(String, section: Int = 0, at: Int)
  case delete(String)
  case deleteRow(Int, section: Int = 0)
  case move(Character, section: Int = 0, to: Int)
  case swap(Int, Int)
  case clear
  /// Arranges the rows of the first section.
  case order(String)
  /// Applies a snapshot with these rows in its sections.
  case snapshot([String])
  case insertSection(at: Int)
  case deleteSection(Int)
  case moveSection(Int, to: Int)
  case undo
  case redo
  /// Drops a row of the board, which this client drags.
  case drop(Character, section: Int = 0, at: Int)
}

extension ViewScene {
  func perform(_ step: ViewStep) throws {
    switch step {
    case .select(let letters): try select(letters)
    case .allowMultiple(let allows):
      try viewer.set(ViewInterface.allowsMultipleSelection, to: allows, at: view)
    case .editing(let isEditing): try viewer.setEditing(isEditing, in: view)
    case .setReselect: try viewer.setReselect(in: view)
    default: try edit(step)
    }
  }

  private func edit(_ step: ViewStep) throws {
    switch step {
    case .insert(let letters, let section, let row):
      let items = try editor.insert(
        letters.map(String.init), section: UInt32(section), at: Int32(row))
      for (letter, item) in zip(letters, items) { ids[letter] = item }
    case .delete(let letters):
      _ = try editor.call(BoardInterface.deleteItems, try rows(letters))
    case .deleteRow(let row, let section):
      _ = try editor.call(BoardInterface.deleteRow, UInt32(section), UInt32(row))
    case .move(let letter, let section, let row):
      _ = try editor.call(
        BoardInterface.moveItems, [try self.row(letter)], UInt32(section), Int32(row))
    case .swap(let first, let second): try swap(UInt32(first), UInt32(second))
    case .clear: _ = try editor.call(BoardInterface.clear)
    case .drop(let letter, let section, let row): try drop(letter, UInt32(section), Int32(row))
    default: try arrange(step)
    }
  }

  private func arrange(_ step: ViewStep) throws {
    switch step {
    case .order(let letters):
      _ = try editor.call(BoardInterface.applyOrder, 0, 0, try rows(letters))
    case .snapshot(let sections):
      let names = try editor.get(BoardInterface.sections)
      let wanted = try zip(names, sections).map { BoardInterface.Section($0, try rows($1)) }
      _ = try editor.call(BoardInterface.applySnapshot, 0, wanted)
    case .insertSection(let index):
      let count = try editor.get(BoardInterface.revision)
      _ = try editor.call(BoardInterface.insertSection, "section \(count)", Int32(index))
    case .deleteSection(let index):
      _ = try editor.call(BoardInterface.deleteSection, UInt32(index))
    case .moveSection(let source, let destination):
      _ = try editor.call(BoardInterface.moveSection, UInt32(source), UInt32(destination))
    case .undo: _ = try editor.call(BoardInterface.undo)
    case .redo: _ = try editor.call(BoardInterface.redo)
    default: Issue.record("\(step) is not done here")
    }
  }

  /// Swaps two rows with two moves.
  private func swap(_ first: UInt32, _ second: UInt32) throws {
    _ = try editor.call(BoardInterface.moveRow, 0, first, 0, second)
    _ = try editor.call(BoardInterface.moveRow, 0, second - 1, 0, first)
  }

  private func drop(_ letter: Character, _ section: UInt32, _ row: Int32) throws {
    let session = try editor.drag(rows: [try self.row(letter)])
    let result = try editor.drop(session, as: "org.source", section: section, row: row)
    try #require(result.operation == "move")
  }
}
