/// What has become of a database that was damaged.
public struct RecoveryReport: Hashable, Sendable {
  /// How much was found.
  struct Counts: Hashable {
    let boards: Int
    let rows: Int
    /// Rows that had a place, of which nothing else can be read.
    let lostRows: Int
    /// Rows whose place cannot be read.
    let misplacedRows: Int
  }

  /// The folder that the damaged database was moved to.
  public let folder: String

  /// What was wrong with it.
  public let damage: String

  let counts: Counts
}

extension RecoveryReport: CustomStringConvertible {
  /// One sentence for each thing that is worth knowing.
  public var description: String {
    var sentences = [
      "the database was damaged (\(damage))",
      "it is kept in \(folder)",
      "\(counts.rows) rows on \(counts.boards) \(counts.boards == 1 ? "board" : "boards") could be read and are there again, without what could be undone",
    ]
    if counts.lostRows > 0 { sentences.append("\(counts.lostRows) rows could not be read") }
    if counts.misplacedRows > 0 {
      sentences.append(
        "\(counts.misplacedRows) rows whose place could not be read are at the end of the first board, in the order in which they came"
      )
    }
    return sentences.joined(separator: "; ")
  }
}
