import BoardModel
import DragModel

/// A content of which tests need only the size.
struct Blob: RepresentationContent {
  var byteCount = 1
}

extension Representation {
  static func sample(
    _ type: String, _ visibility: Visibility = .all, bytes: Int = 1
  ) throws -> Representation {
    Representation(
      type: try MIMEType(parsing: type), visibility: visibility, content: Blob(byteCount: bytes))
  }
}

extension ItemProvider {
  static func text(row: UInt64? = nil, bytes: Int = 1) throws -> ItemProvider {
    var item = ItemProvider(row: row.map { RowID($0) })
    try item.register(.sample("text/plain;charset=utf-8", bytes: bytes))
    return item
  }
}

extension Application {
  static func named(_ id: String) throws -> Application {
    .id(try ApplicationID(id))
  }
}

/// A board, given as the ids of the rows in each section.
struct SampleBoard: DropDestination {
  var key = BoardKey(1)
  var sections: [[UInt64]] = [[]]
  var locked: Set<UInt64> = []
  var movesMultipleRows = false
  var acceptedTypes = [TypeQuery.plainText]
  var maxRows = 1_000

  var rowCount: Int { sections.map(\.count).reduce(0, +) }
  var sectionCount: Int { sections.count }

  func rowCount(inSection section: Int) -> Int { sections[section].count }

  func indexPath(of row: RowID) -> IndexPath? {
    for (section, rows) in sections.enumerated() {
      if let index = rows.firstIndex(of: row.rawValue) {
        return IndexPath(section: section, row: index)
      }
    }
    return nil
  }

  func isMovable(_ row: RowID) -> Bool { !locked.contains(row.rawValue) }

  /// Returns a session that drags these rows of the board.
  func drag(_ rows: [UInt64], by source: Application) throws -> DragSession {
    let origin = DragOrigin(board: key, rows: rows.map { RowID($0) })
    var session = DragSession(source: source, origin: origin, limits: SessionLimits())
    try session.add(rows.map { try ItemProvider.text(row: $0) })
    return session
  }
}
