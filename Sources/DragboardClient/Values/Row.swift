/// A row of a board without its bytes.
public struct Row: Hashable, Sendable, Identifiable {
  /// The item's id.
  public let id: ItemID
  /// The first non-blank line of the plain text, at most 200 Unicode scalars; "" for none.
  public let preview: String
  /// The types of the row, in order of fidelity.
  public let types: [ContentType]
  /// Whether the row can be changed and deleted.
  public let isEditable: Bool
  /// Whether the row can be moved.
  public let isMovable: Bool
  /// Whether the row stays when the board is cleared.
  public let isPinned: Bool
  /// The time of the insertion, as time since the beginning of 1970, UTC.
  public let created: Duration
  /// The application that dropped the row, or the sandbox that inserted it;
  /// ``ClipboardBridge/rowSource`` if the content came from the clipboard; "" if a client without a
  /// sandbox inserted it.
  public let source: String
  /// The name, the modification time, the application and the stack.
  public let attributes: ItemAttributes
  /// The number of bytes of all representations together.
  public let byteCount: Int

  /// Whether the content came from the clipboard, which any program can own.
  public var isFromClipboard: Bool { source == ClipboardBridge.rowSource }

  /// The suggested name of a file; "" for none.
  public var suggestedName: String { attributes.name }
}

/// Consecutive rows of one section, read at one revision.
public struct RowPage: Hashable, Sendable {
  /// The board's revision when the rows were read.
  public let revision: UInt64
  /// The rows in order.
  ///
  /// There are fewer rows than requested at the end of the section, or if they do not fit into one
  /// reply.
  public let rows: [Row]

  /// Creates a page.
  public init(revision: UInt64, rows: [Row]) {
    self.revision = revision
    self.rows = rows
  }
}

/// The properties of a board.
public struct BoardInfo: Hashable, Sendable {
  /// The board's name.
  public let name: String
  /// The revision.
  ///
  /// A new board has revision 1, and every edit adds 1.
  public let revision: UInt64
  /// The number of rows in all sections.
  public let count: Int
  /// The names of the sections in order.
  public let sections: [String]
  /// The types and patterns that the board accepts in a drop.
  public let acceptedTypes: [ContentType]
  /// The maximum number of rows; 0 for the limit of the daemon.
  public let maxRows: Int
  /// Whether a drag of several rows within the board may move them.
  public let movesMultipleRows: Bool
  /// The number of rows that the board retains; 0 is all.
  public let retainedRows: Int
  /// The time for which the board retains a row; zero for no limit.
  public let retainedTime: Duration
  /// Whether the insertion of a content that is already on the board moves the row with this
  /// content instead.
  public let movesDuplicates: Bool
  /// Whether rows of the board are being dragged.
  public let hasActiveDrag: Bool
}
