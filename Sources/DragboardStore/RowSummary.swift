public import DragModel

/// A row's content without its bytes.
public struct RowSummary: Hashable, Sendable {
  /// A type and the number of its bytes.
  public struct Representation: Hashable, Sendable {
    /// The type of the bytes.
    public let type: MIMEType
    /// The number of bytes.
    public let byteCount: Int
  }

  /// The origin and the age of the row.
  public let origin: RowOrigin
  /// The suggested name and other attributes for display.
  public let attributes: ItemAttributes
  /// The first line of the plain text; empty if there is none.
  public let preview: String
  /// The representations, in order of fidelity.
  public internal(set) var types: [Representation]

  /// The summary of a row that the database has lost.
  public static let missing = RowSummary(
    origin: RowOrigin(created: 0, source: ""), attributes: .none, preview: "", types: [])

  /// The time at which the row was created or renewed, in microseconds since 1970, UTC.
  public var created: UInt64 { origin.created }

  /// The application that dropped the row; empty if the row was inserted without a drop.
  public var source: String { origin.source }
}
