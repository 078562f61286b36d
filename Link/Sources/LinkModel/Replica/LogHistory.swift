/// The rows and the contents that a log has had.
///
/// With it, a row of an earlier copy of the daemon's board can be distinguished from a new row. It consists
/// of the first 64 bits of hashes. A snapshot has the latest of those that its board no longer has.
struct LogHistory {
  /// The minimum of the maximum number of hashes in a snapshot.
  private static let minKept = 500

  private var prints: Set<UInt64> = [Self.print(ofSection: "main")]
  /// The hashes in the order in which they were added; a hash can come twice.
  private var order: [UInt64] = []

  mutating func add(_ edits: [SharedEdit]) {
    for edit in edits {
      switch edit {
      case .insert(let key, let row, _):
        add(Self.print(of: row))
        add(Self.print(of: row.representations, key))
      case .setContents(let key, let contents): add(Self.print(of: contents, key))
      case .insertSection(_, let name, _), .renameSection(_, let name):
        add(Self.print(ofSection: name))
      default: break
      }
    }
  }

  mutating func add(_ snapshot: LogSnapshot) {
    for print in snapshot.history { add(print) }
    prints.formUnion(Self.prints(of: snapshot.board))
  }

  private mutating func add(_ print: UInt64) {
    prints.insert(print)
    order.append(print)
  }

  /// Returns the latest hashes of rows, contents and names that a board does not have, the latest last.
  ///
  /// At most as many as the board has rows, so that the history is no larger than the board.
  func prints(without board: SharedBoard) -> [UInt64] {
    var known = Self.prints(of: board)
    var latest: [UInt64] = []
    for print in order.reversed() where latest.count < max(Self.minKept, board.count) {
      if known.insert(print).inserted { latest.append(print) }
    }
    return latest.reversed()
  }

  /// Whether the log has had a row with the time of insertion of this row.
  func hasRow(like row: SharedRow) -> Bool { prints.contains(Self.print(of: row)) }

  /// Whether a row has had these contents.
  func hasContents(_ contents: [SharedRow.Representation], of row: RowKey) -> Bool {
    prints.contains(Self.print(of: contents, row))
  }

  /// Whether a section has had this name.
  func hasSection(named name: String) -> Bool { prints.contains(Self.print(ofSection: name)) }

  // MARK: Hashes

  private static func prints(of board: SharedBoard) -> Set<UInt64> {
    var prints = Set(board.sectionNames.map(print(ofSection:)))
    for key in board.allKeys {
      guard let row = board[key] else { continue }
      prints.insert(print(of: row))
      prints.insert(print(of: row.representations, key))
    }
    return prints
  }

  private static func print(of row: SharedRow) -> UInt64 { print(0) { $0.write(row.created) } }

  private static func print(of contents: [SharedRow.Representation], _ row: RowKey) -> UInt64 {
    print(1) { $0.write(SharedEdit.setContents(row, contents)) }
  }

  private static func print(ofSection name: String) -> UInt64 { print(2) { $0.write(name) } }

  private static func print(_ kind: UInt8, _ write: (inout ByteWriter) -> Void) -> UInt64 {
    var writer = ByteWriter()
    writer.write(byte: kind)
    write(&writer)
    return ContentHash(of: writer.bytes).prefix
  }
}
