/// The result of the recovery of a damaged database.
public struct RecoveryReport: Hashable, Sendable {
  /// The numbers of recovered and lost rows.
  package struct Counts: Hashable {
    package let boards: Int
    package let rows: Int
    /// The number of rows that are on a board, but whose contents cannot be read.
    package let lostRows: Int
    /// The number of recovered rows whose position cannot be read.
    package let misplacedRows: Int

    package init(boards: Int, rows: Int, lostRows: Int, misplacedRows: Int) {
      self.boards = boards
      self.rows = rows
      self.lostRows = lostRows
      self.misplacedRows = misplacedRows
    }
  }

  /// The directory that the damaged database was moved to.
  public let folder: String

  /// A description of the damage.
  public let damage: String

  package let counts: Counts

  package init(folder: String, damage: String, counts: Counts) {
    self.folder = folder
    self.damage = damage
    self.counts = counts
  }
}

extension RecoveryReport: CustomStringConvertible {
  /// The damage, the new location of the files, and the counts that are not 0, as a sentence.
  public var description: String {
    var sentences = [
      "the database was damaged (\(damage))",
      "the damaged files are in \(folder)",
      "\(counts.rows) rows on \(counts.boards) \(counts.boards == 1 ? "board" : "boards") were recovered, without the undo history",
    ]
    if counts.lostRows > 0 { sentences.append("\(counts.lostRows) rows could not be read") }
    if counts.misplacedRows > 0 {
      sentences.append(
        "\(counts.misplacedRows) rows of unknown position are at the end of the first board, in the order of creation"
      )
    }
    return sentences.joined(separator: "; ")
  }
}
