import BoardModel
import TestSupport
import Testing

@Suite("An insertion point follows the edits of others")
struct InsertionPointTests {
  private static func follow(
    _ path: IndexPath, on board: Board, _ edits: Edit...
  ) throws -> IndexPath {
    var board = board
    var point = InsertionPoint(at: path)
    for edit in edits {
      if let revision = try board.perform(edit) { point.follow(revision, on: board) }
    }
    return point.path
  }

  @Test("A row inserted at the point is before it; a row inserted after it does not shift it")
  func insertion() throws {
    let board = try Board(rows(1, 2, 3), rows(4))
    let insert = { (path: IndexPath) in Edit.insert(rows(8, 9), at: path, maxRows: .max) }
    #expect(try Self.follow(at(0, 1), on: board, insert(at(0, 0))) == at(0, 3))
    #expect(try Self.follow(at(0, 1), on: board, insert(at(0, 1))) == at(0, 3))
    #expect(try Self.follow(at(0, 1), on: board, insert(at(0, 2))) == at(0, 1))
    #expect(try Self.follow(at(0, 3), on: board, insert(at(0, 3))) == at(0, 5))
    #expect(try Self.follow(at(0, 1), on: board, insert(at(1, 0))) == at(0, 1))
  }

  @Test("Deleted rows before the point shift it, the row after it does not")
  func deletion() throws {
    let board = try Board(rows(1, 2, 3), rows(4))
    #expect(try Self.follow(at(0, 2), on: board, .delete(rows(1, 2))) == at(0, 0))
    #expect(try Self.follow(at(0, 2), on: board, .delete(rows(3, 4))) == at(0, 2))
    #expect(try Self.follow(at(0, 3), on: board, .clear) == at(0, 0))
  }

  @Test("A move counts as a deletion and then an insertion")
  func moves() throws {
    let board = try Board(rows(1, 2, 3), rows(4))
    #expect(try Self.follow(at(0, 2), on: board, .move(from: at(0, 0), to: at(0, 2))) == at(0, 1))
    #expect(try Self.follow(at(0, 2), on: board, .move(from: at(0, 0), to: at(0, 1))) == at(0, 2))
    #expect(try Self.follow(at(0, 1), on: board, .move(from: at(0, 2), to: at(0, 1))) == at(0, 2))
    #expect(try Self.follow(at(0, 1), on: board, .move(from: at(1, 0), to: at(0, 0))) == at(0, 2))
  }

  @Test("The point moves with its section")
  func sections() throws {
    let board = try Board(rows(1), rows(2), rows(3))
    let point = at(1, 1)
    #expect(
      try Self.follow(point, on: board, .insertSection("n", at: 1, maxSections: 9)) == at(2, 1))
    #expect(
      try Self.follow(point, on: board, .insertSection("n", at: 2, maxSections: 9)) == at(1, 1))
    #expect(try Self.follow(point, on: board, .deleteSection(0)) == at(0, 1))
    #expect(try Self.follow(point, on: board, .moveSection(from: 1, to: 0)) == at(0, 1))
    #expect(try Self.follow(point, on: board, .moveSection(from: 0, to: 1)) == at(0, 1))
    #expect(try Self.follow(point, on: board, .moveSection(from: 2, to: 1)) == at(2, 1))
    #expect(try Self.follow(point, on: board, .renameSection(1, to: "n")) == at(1, 1))
  }

  @Test("If its section is deleted, the point is the end of the last section")
  func sectionGone() throws {
    let board = try Board(rows(1), rows(2), rows(3, 4))
    #expect(try Self.follow(at(0, 0), on: board, .deleteSection(0)) == at(1, 2))
    #expect(try Self.follow(at(2, 0), on: board, .deleteSection(2)) == at(1, 1))
    let insert = Edit.insert(rows(8), at: at(1, 2), maxRows: .max)
    #expect(try Self.follow(at(0, 0), on: board, .deleteSection(0), insert) == at(1, 3))
  }

  @Test("After a reset the point has the same indexes, limited by the board's size")
  func reset() throws {
    let board = try Board(rows(0..<10_001), rows(20_000), rows(20_001))
    #expect(try Self.follow(at(0, 500), on: board, .clear) == at(0, 0))
    #expect(try Self.follow(at(0, 0), on: board, .deleteSection(0)) == at(0, 0))
    #expect(try Self.follow(at(2, 0), on: board, .deleteSection(0)) == at(1, 1))
    #expect(try Self.follow(at(1, 1), on: board, .deleteSection(0)) == at(1, 1))
  }

  @Test("The point has the position of a marker among the rows", arguments: 1...6 as ClosedRange)
  func random(seed: UInt64) throws {
    var edits = EditSource(seed: seed)
    var board = Board()
    var naive = NaiveBoard()
    var points: [(point: InsertionPoint, marked: MarkedBoard)] = []
    for _ in 0..<1_500 {
      let edit = edits.next(for: naive)
      guard let revision = try? board.perform(edit) else { continue }
      _ = try naive.perform(edit)
      for index in points.indices {
        for change in revision.changes { points[index].marked.apply(change) }
        points[index].marked.place()
        points[index].point.follow(revision, on: board)
        try #require(points[index].point.path == points[index].marked.path, "\(edit)")
      }
      if points.count == 8 { points.removeFirst() }
      let path = try #require(naive.gaps.randomElement(using: &edits.random))
      points.append((InsertionPoint(at: path), MarkedBoard(naive.rows, markerAt: path)))
    }
  }
}

extension NaiveBoard {
  /// Every position at which rows can be inserted.
  var gaps: [IndexPath] {
    rows.indices.flatMap { section in (0...rows[section].count).map { at(section, $0) } }
  }
}

/// Sections of rows, one of which contains a marker, nil.
private struct MarkedBoard {
  private var sections: [[RowID?]]

  init(_ rows: [[RowID]], markerAt path: IndexPath) {
    sections = rows
    sections[path.section].insert(nil, at: path.row)
  }

  var path: IndexPath? {
    for (section, elements) in sections.enumerated() {
      if let row = elements.firstIndex(of: nil) { return at(section, row) }
    }
    return nil
  }

  mutating func apply(_ change: Change) {
    switch change {
    case .insert(let row, let path): put(row, at: path)
    case .delete(let row, _): take(row)
    case .move(let row, _, let destination):
      take(row)
      put(row, at: destination)
    case .insertSection(_, let index): sections.insert([], at: index)
    case .deleteSection(_, let index): sections.remove(at: index)
    case .moveSection(_, let source, let destination):
      sections.insert(sections.remove(at: source), at: destination)
    case .reload, .renameSection, .reset: break
    }
  }

  /// Puts the marker at the end if it was deleted together with its section.
  mutating func place() {
    if path == nil { sections[sections.count - 1].append(nil) }
  }

  private mutating func take(_ row: RowID) {
    sections = sections.map { $0.filter { $0 != row } }
  }

  /// Puts a row directly after its predecessor.
  private mutating func put(_ row: RowID, at path: IndexPath) {
    let rows = sections[path.section].compactMap(\.self)
    let before = path.row == 0 ? nil : rows[path.row - 1]
    let index = before.flatMap { sections[path.section].firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    sections[path.section].insert(row, at: index)
  }
}
