public import DragModel

/// A row's content without its bytes.
public struct RowSummary: Hashable, Sendable {
  /// A type and the number of its bytes.
  public struct Representation: Hashable, Sendable {
    /// The type of the bytes.
    public let type: ContentType
    /// The number of bytes.
    public let byteCount: Int
  }

  /// The time at which the row was created, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped the row; empty if the row was inserted without a drop.
  public let source: String
  /// The suggested name and other attributes for display.
  public let attributes: ItemAttributes
  /// The first line of the plain text; empty if there is none.
  public let preview: String
  /// The representations, in order of fidelity.
  public internal(set) var types: [Representation]

  /// The summary of a row that the database has lost.
  public static let missing = RowSummary(
    created: 0, source: "", attributes: .none, preview: "", types: [])
}
