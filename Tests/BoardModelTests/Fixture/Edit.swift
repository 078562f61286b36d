import BoardModel
import TestSupport

/// An edit as a value, so that a test can make the same edit on two boards.
enum Edit {
  case insert([RowID], at: IndexPath, maxRows: Int)
  case move(from: IndexPath, to: IndexPath)
  case moveItems([RowID], section: Int, row: Int?)
  case delete([RowID])
  case deleteAt(IndexPath)
  case clear
  case reload(RowID)
  case setFlags(RowFlags, to: Bool, of: RowID)
  case insertSection(String, at: Int?, maxSections: Int)
  case renameSection(Int, to: String)
  case moveSection(from: Int, to: Int)
  case deleteSection(Int)
  case arrange([SnapshotSection])
  case arrangeSection(Int, [RowID])

  /// Whether the edit names one row, so that it may change only few blocks.
  var isSmall: Bool {
    switch self {
    case .insert(let rows, _, _), .delete(let rows), .moveItems(let rows, _, _): rows.count == 1
    case .clear, .deleteSection, .arrange, .arrangeSection: false
    default: true
    }
  }
}

extension Board {
  /// Performs the edit.
  mutating func perform(_ edit: Edit) throws -> Revision? {
    switch edit {
    case .insert(let rows, let path, let maxRows): try insert(rows, at: path, maxRows: maxRows)
    case .move(let source, let destination): try move(from: source, to: destination)
    case .moveItems(let rows, let section, let row): try move(rows, toSection: section, row: row)
    case .delete(let rows): try delete(rows)
    case .deleteAt(let path): try delete(at: path)
    case .clear: clear()
    case .reload(let row): try reload(row)
    case .setFlags(let flags, let isSet, let row): try setFlags(flags, to: isSet, of: row)
    case .insertSection(let name, let index, let most):
      try insertSection(named: name, at: index, maxSections: most)
    case .renameSection(let section, let name): try renameSection(section, to: name)
    case .moveSection(let source, let destination):
      try moveSection(from: source, to: destination)
    case .deleteSection(let section): try deleteSection(section)
    case .arrange(let sections): try apply(Arrangement(sections), maxSections: 6)
    case .arrangeSection(let section, let rows):
      try apply(Arrangement(ofSection: section, rows: rows), maxSections: 6)
    }
  }
}

/// A source of random edits of a board; some of them are invalid.
struct EditSource {
  var random: SplitMix64
  private var lastRow: UInt64 = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next(for board: NaiveBoard) -> Edit {
    let isLarge = board.all.count > 120
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<(isLarge ? 14 : 26):
      return .insert(newRows(), at: path(board, isInsertion: true), maxRows: 200)
    case 0..<45:
      return .move(from: path(board), to: path(board, isInsertion: Bool.random(using: &random)))
    case 45..<60:
      return .moveItems(rows(board), section: section(board), row: index(board.all.count / 2))
    case 60..<72: return .deleteAt(path(board))
    case 72..<80: return .delete(rows(board))
    case 80..<82: return .reload(row(board))
    case 82..<86:
      let flags = RowFlags(rawValue: .random(in: 0...RowFlags.all.rawValue, using: &random))
      return .setFlags(flags, to: Int.random(in: 0..<3, using: &random) > 0, of: row(board))
    case 86..<90:
      return .insertSection(name(), at: index(board.names.count + 1), maxSections: 6)
    case 90..<93: return .renameSection(section(board), to: name())
    case 93..<96: return .moveSection(from: section(board), to: section(board))
    case 96..<99: return .deleteSection(section(board))
    default: return .clear
    }
  }

  /// Returns a random edit, which may also rearrange the whole board.
  mutating func nextWithArrangements(for board: NaiveBoard) -> Edit {
    guard Int.random(in: 0..<8, using: &random) == 0 else { return next(for: board) }
    let index = Int.random(in: 0..<board.rows.count, using: &random)
    if Bool.random(using: &random) {
      return .arrangeSection(index, board.rows[index].shuffled(using: &random))
    }
    var sections = board.snapshot.sections
    let other = Int.random(in: 0..<sections.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: sections.swapAt(index, other)
    case 1 where index != other:
      sections[other].rows += sections[index].rows
      sections.remove(at: index)
    case 2: sections[index].name = name()
    default: sections[index].rows = sections[index].rows.filter { $0.rawValue % 3 > 0 }.reversed()
    }
    return .arrange(sections)
  }

  private mutating func newRows() -> [RowID] {
    let count = Bool.random(using: &random) ? 1 : Int.random(in: 0..<12, using: &random)
    return (0..<count).map { _ in
      lastRow += Int.random(in: 0..<20, using: &random) == 0 ? 100 : 1
      return RowID(lastRow)
    }
  }

  private mutating func row(_ board: NaiveBoard) -> RowID {
    board.all.randomElement(using: &random) ?? RowID(1_000_000)
  }

  /// Returns few or many rows, in the order of the board or in random order.
  private mutating func rows(_ board: NaiveBoard) -> [RowID] {
    var rows: [RowID]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: rows = [row(board)]
    case 1:
      let list = board.rows.randomElement(using: &random) ?? []
      let start = max(index(list.count) ?? 0, 0)
      rows = Array(list.dropFirst(start).prefix(5))
    case 2: rows = board.all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    default:
      rows = (0..<Int.random(in: 0..<6, using: &random)).map { _ in row(board) }
      rows = Array(Set(rows)).sorted().shuffled(using: &random)
    }
    if Int.random(in: 0..<40, using: &random) == 0 { rows.append(RowID(2_000_000)) }
    if Int.random(in: 0..<40, using: &random) == 0 { rows += rows.prefix(1) }
    if Bool.random(using: &random) { rows.shuffle(using: &random) }
    return rows
  }

  /// Returns an index below the count, sometimes an index out of range, or nil.
  private mutating func index(_ count: Int) -> Int? {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: nil
    case 1: [-1, count, count + 1].randomElement(using: &random)
    default: Int.random(in: 0..<max(count, 1), using: &random)
    }
  }

  private mutating func section(_ board: NaiveBoard) -> Int {
    index(board.names.count) ?? 0
  }

  private mutating func path(_ board: NaiveBoard, isInsertion: Bool = false) -> IndexPath {
    let section = section(board)
    let count = board.rows.indices ~= section ? board.rows[section].count : 0
    if isInsertion, Int.random(in: 0..<4, using: &random) == 0 {
      return IndexPath(section: section, row: count)
    }
    return IndexPath(section: section, row: index(count + (isInsertion ? 1 : 0)) ?? 0)
  }

  private mutating func name() -> String {
    ["main", "a", "b", "c", "d", "e", "f", "g", "h"].randomElement(using: &random) ?? "main"
  }
}
