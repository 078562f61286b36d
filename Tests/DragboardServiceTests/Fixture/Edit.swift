import DBus
import DragboardInterface
import TestSupport

/// An edit that a client can request.
enum Edit: Sendable {
  case insert(texts: [String], section: UInt32, row: Int32)
  case setText(item: String, text: String)
  case setEditable(item: String, Bool)
  case setMovable(item: String, Bool)
  case setPinned(item: String, Bool)
  case moveRow(fromSection: UInt32, fromRow: UInt32, toSection: UInt32, toRow: UInt32)
  case moveItems([String], section: UInt32, row: Int32)
  case deleteRow(section: UInt32, row: UInt32)
  case deleteItems([String])
  case clear
  case insertSection(name: String, section: Int32)
  case renameSection(UInt32, name: String)
  case moveSection(from: UInt32, to: UInt32)
  case deleteSection(UInt32)
  case undo
  case redo
  case applyOrder(base: UInt64, section: UInt32, [String])
  case applySnapshot(base: UInt64, [BoardInterface.Section])
  /// A drop of texts from another application.
  case dropTexts([String], section: UInt32, row: Int32)
  /// A drop of one of the board's own rows.
  case dropRow(item: String, section: UInt32, row: Int32)

  /// Returns the call of the edit; for a drop, the call that begins the drag.
  func message(to board: ObjectPath = BusClient.board) -> OutgoingMessage {
    switch self {
    case .insert(let texts, let section, let row):
      texts.count == 1
        ? call(BoardInterface.insertText, at: board, section, row, texts[0])
        : call(BoardInterface.insertTexts, at: board, section, row, texts)
    case .setText(let item, let text): call(BoardInterface.setText, at: board, item, text)
    case .setEditable(let item, let open): call(BoardInterface.setEditable, at: board, item, open)
    case .setMovable(let item, let open): call(BoardInterface.setMovable, at: board, item, open)
    case .setPinned(let item, let pinned): call(BoardInterface.setPinned, at: board, item, pinned)
    case .moveRow(let fromSection, let fromRow, let toSection, let toRow):
      call(BoardInterface.moveRow, at: board, fromSection, fromRow, toSection, toRow)
    case .moveItems(let items, let section, let row):
      call(BoardInterface.moveItems, at: board, items, section, row)
    case .deleteRow(let section, let row): call(BoardInterface.deleteRow, at: board, section, row)
    case .deleteItems(let items): call(BoardInterface.deleteItems, at: board, items)
    case .clear: call(BoardInterface.clear, at: board)
    case .insertSection(let name, let section):
      call(BoardInterface.insertSection, at: board, name, section)
    case .renameSection(let section, let name):
      call(BoardInterface.renameSection, at: board, section, name)
    case .moveSection(let from, let to): call(BoardInterface.moveSection, at: board, from, to)
    case .deleteSection(let section): call(BoardInterface.deleteSection, at: board, section)
    case .undo: call(BoardInterface.undo, at: board)
    case .redo: call(BoardInterface.redo, at: board)
    case .applyOrder(let base, let section, let items):
      call(BoardInterface.applyOrder, at: board, base, section, items)
    case .applySnapshot(let base, let sections):
      call(BoardInterface.applySnapshot, at: board, base, sections)
    case .dropTexts(let texts, _, _):
      call(ManagerInterface.beginTextDrag, at: Dragboard.root, Self.source, texts)
    case .dropRow(let item, _, _):
      call(DragSourceInterface.beginDrag, at: board, Self.source, [item])
    }
  }

  /// Returns the call that drops, once the drag has begun; nil if the edit is not a drop.
  func drop(of session: ObjectPath, on board: ObjectPath = BusClient.board) -> OutgoingMessage? {
    switch self {
    case .dropTexts(_, let section, let row):
      call(DropTargetInterface.performDrop, at: board, session, "org.example.Target", section, row)
    case .dropRow(_, let section, let row):
      call(DropTargetInterface.performDrop, at: board, session, Self.source, section, row)
    default: nil
    }
  }

  private static let source = "org.example.Source"
}

/// A source of random edits, most of which succeed.
struct RandomEdits {
  private var numbers: SplitMix64
  /// A prefix that makes every text and name unique.
  private let prefix: String
  /// Whether undo, redo and arrangements are among the edits.
  private let arranges: Bool
  private var count = 0

  /// Creates the source for a seed; two different prefixes never make the same text.
  init(seed: UInt64, prefix: String, arranges: Bool = false) {
    numbers = SplitMix64(seed: seed)
    self.prefix = prefix
    self.arranges = arranges
  }

  /// Returns the next edit of a board.
  ///
  /// - Parameters:
  ///   - items: ids that rows have or had.
  ///   - board: a recent state of the board, for edits that arrange it.
  /// - Returns: an edit that the board may refuse.
  mutating func next(items: [String], board: Replica? = nil) -> Edit {
    if arranges, let board, Int.random(in: 0..<4, using: &numbers) == 0 { return arranging(board) }
    guard let item = items.randomElement(using: &numbers) else { return insert(1) }
    switch Int.random(in: 0..<100, using: &numbers) {
    case 0..<18: return insert(1)
    case 18..<24: return insert(Int.random(in: 2...4, using: &numbers))
    case 24..<36: return .setText(item: item, text: unique())
    case 36..<40: return .setEditable(item: item, Int.random(in: 0..<4, using: &numbers) != 0)
    case 40..<43: return .setMovable(item: item, Int.random(in: 0..<4, using: &numbers) != 0)
    case 43: return .setPinned(item: item, Int.random(in: 0..<4, using: &numbers) == 0)
    case 44..<58:
      return .moveRow(
        fromSection: section(), fromRow: row(), toSection: section(), toRow: row())
    case 58..<64: return .moveItems(several(items), section: section(), row: place())
    case 64..<72: return .deleteRow(section: section(), row: row())
    case 72..<76: return .deleteItems(several(items))
    case 76: return .clear
    case 77..<80: return .insertSection(name: unique(), section: Int32(section()))
    case 80..<82: return .renameSection(section(), name: unique())
    case 82..<84: return .moveSection(from: section(), to: section())
    case 84..<86: return .deleteSection(section())
    case 86..<93: return .dropTexts([unique(), unique()], section: section(), row: place())
    default: return .dropRow(item: item, section: section(), row: place())
    }
  }

  private mutating func arranging(_ board: Replica) -> Edit {
    let base = Int.random(in: 0..<3, using: &numbers) == 0 ? board.revision : 0
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<4: return .undo
    case 4..<7: return .redo
    case 7..<9:
      let section = Int.random(in: board.sections.indices, using: &numbers)
      return .applyOrder(
        base: base, section: UInt32(section), stirred(board.sections[section].rows))
    default: return .applySnapshot(base: base, arranged(board))
    }
  }

  /// Returns the rows with some of them at other positions.
  private mutating func stirred(_ rows: [String]) -> [String] {
    var rows = rows
    for _ in 0..<Int.random(in: 1...3, using: &numbers) where !rows.isEmpty {
      let row = rows.remove(at: Int.random(in: rows.indices, using: &numbers))
      rows.insert(row, at: Int.random(in: 0...rows.count, using: &numbers))
    }
    return rows
  }

  /// Returns the board with new, deleted and moved sections, and with many rows moved or deleted.
  mutating func mixed(_ board: Replica) -> Replica {
    var board = board
    var sections = board.sections
    if sections.count > 3 { sections.remove(at: .random(in: sections.indices, using: &numbers)) }
    sections.append(Replica.Section(name: unique(), rows: []))
    sections.shuffle(using: &numbers)
    var loose = stirred(board.rows.filter { row in !sections.contains { $0.rows.contains(row) } })
    for index in sections.indices {
      sections[index].rows = stirred(sections[index].rows)
      loose += sections[index].rows.suffix(2)
      sections[index].rows = sections[index].rows.dropLast(2)
    }
    for row in loose.dropLast(3) {
      let index = Int.random(in: sections.indices, using: &numbers)
      sections[index].rows.insert(
        row, at: .random(in: 0...sections[index].rows.count, using: &numbers))
    }
    board.arrange(sections)
    return board
  }

  /// Returns the board with sections that are new, deleted or moved, and with rows moved or
  /// deleted.
  private mutating func arranged(_ board: Replica) -> [BoardInterface.Section] {
    var sections = board.sections
    if sections.count > 1, Int.random(in: 0..<4, using: &numbers) == 0 {
      sections.shuffle(using: &numbers)
    }
    if Int.random(in: 0..<6, using: &numbers) == 0 {
      sections.append(Replica.Section(name: unique(), rows: []))
    }
    var rows = stirred(sections.flatMap(\.rows))
    if Int.random(in: 0..<3, using: &numbers) == 0 { _ = rows.popLast() }
    for index in sections.indices.dropLast() {
      let count = min(rows.count, sections[index].rows.count)
      sections[index].rows = Array(rows.prefix(count))
      rows.removeFirst(count)
    }
    sections[sections.count - 1].rows = rows
    return sections.map { BoardInterface.Section($0.name, $0.rows) }
  }

  private mutating func insert(_ count: Int) -> Edit {
    .insert(texts: (0..<count).map { _ in unique() }, section: section(), row: place())
  }

  private mutating func unique() -> String {
    count += 1
    return "\(prefix)-\(count)"
  }

  private mutating func section() -> UInt32 {
    Int.random(in: 0..<3, using: &numbers) == 0 ? UInt32.random(in: 0..<3, using: &numbers) : 0
  }

  private mutating func row() -> UInt32 { UInt32.random(in: 0..<12, using: &numbers) }

  private mutating func place() -> Int32 { Int32.random(in: -1..<10, using: &numbers) }

  private mutating func several(_ items: [String]) -> [String] {
    let count = min(items.count, Int.random(in: 1...4, using: &numbers))
    return Array(items.shuffled(using: &numbers).prefix(count))
  }
}
