/// A row of a board without its bytes.
public struct Row: Hashable, Sendable, Identifiable {
  /// The item's id.
  public let id: ItemID
  /// The first line of its plain text that is not blank, at most 200 Unicode scalars; "" for none.
  public let preview: String
  /// Its types in order of fidelity.
  public let types: [ContentType]
  /// Whether it can be changed and deleted.
  public let isEditable: Bool
  /// Whether it can be moved.
  public let isMovable: Bool
  /// Whether it stays when the board is cleared.
  public let isPinned: Bool
  /// When it came, as time since the beginning of 1970, UTC.
  public let created: Duration
  /// The application that dropped it, or the sandbox that inserted it; "" if an unsandboxed client
  /// inserted it.
  public let source: String
  /// The name, the modification time and the application that its source gave it.
  public let attributes: ItemAttributes
  /// The bytes of all its representations together.
  public let byteCount: Int

  /// The suggested name of a file; "" for none.
  public var suggestedName: String { attributes.name }
}

/// Rows of one section that follow on one another, read at one revision.
public struct RowPage: Hashable, Sendable {
  /// The board's revision at the reading.
  public let revision: UInt64
  /// The rows in order; fewer than requested at the end of the section, or if they exceed one
  /// reply.
  public let rows: [Row]

  /// Rows that were read at that revision.
  public init(revision: UInt64, rows: [Row]) {
    self.revision = revision
    self.rows = rows
  }
}

/// The properties of a board.
public struct BoardInfo: Hashable, Sendable {
  /// The board's name.
  public let name: String
  /// One more with every edit; 1 at the beginning.
  public let revision: UInt64
  /// How many rows there are in all sections.
  public let count: Int
  /// The names of the sections in order.
  public let sections: [String]
  /// The types and patterns that a drop may bring.
  public let acceptedTypes: [ContentType]
  /// How many rows there may be; 0 is the daemon's own limit.
  public let maxRows: Int
  /// Whether a local drag may move several rows.
  public let movesMultipleRows: Bool
  /// The number of rows that the board retains; 0 is all.
  public let retainedRows: Int
  /// The time for which the board retains a row; zero is for ever.
  public let retainedTime: Duration
  /// Whether the insertion of a content that a row has already moves that row.
  public let movesDuplicates: Bool
  /// Whether rows of the board are being dragged.
  public let hasActiveDrag: Bool
}
