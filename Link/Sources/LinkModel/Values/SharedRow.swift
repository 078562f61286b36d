public import BoardModel
import DragModel

/// A row of a shared board, without its position.
public struct SharedRow: Hashable, Sendable {
  /// Whether the row is movable, editable and pinned.
  public var flags: RowFlags
  /// The suggested name; "" for none.
  public var name: String
  /// The time at which the file was modified, in microseconds since 1970, UTC; nil if unknown.
  public var modified: UInt64?
  /// The application from which the content comes; "" if unknown.
  public var application: String
  /// The name of the stack; "" for none.
  ///
  /// Adjacent rows with the same name form a stack.
  public var stack: String
  /// The time of the insertion, in microseconds since 1970, UTC.
  public var created: UInt64
  /// The representations, best first.
  public var representations: [Representation]

  /// Creates a row.
  public init(
    flags: RowFlags = .initial, name: String = "", modified: UInt64? = nil,
    application: String = "", stack: String = "", created: UInt64 = 0,
    representations: [Representation]
  ) {
    self.flags = flags
    self.name = name
    self.modified = modified
    self.application = application
    self.stack = stack
    self.created = created
    self.representations = representations
  }

  /// One version of a row's content.
  public struct Representation: Hashable, Sendable {
    /// The type, in normal form.
    public let type: String
    /// The bytes.
    public let content: SharedContent

    /// Creates a representation.
    public init(type: String, content: SharedContent) {
      self.type = type
      self.content = content
    }

    /// Returns the normal form of a type.
    ///
    /// Returns `application/octet-stream` for an invalid type, which an earlier release may have
    /// stored.
    public static func sharedType(of type: String) -> String {
      (try? MIMEType(parsing: type))?.mime ?? "application/octet-stream"
    }
  }
}

/// The bytes of a representation.
public enum SharedContent: Hashable, Sendable {
  /// The maximum number of bytes of a content in the log.
  public static let maxInlineBytes = 1_024

  /// The bytes themselves.
  case inline([UInt8])
  /// A reference to bytes in the content store.
  case stored(ContentHash, byteCount: UInt64)

  /// Creates a content of these bytes.
  ///
  /// If there are more than `maxInlineBytes`, the caller must put them into the content store.
  public init(_ bytes: [UInt8]) {
    self =
      bytes.count <= Self.maxInlineBytes
      ? .inline(bytes) : .stored(ContentHash(of: bytes), byteCount: UInt64(bytes.count))
  }

  /// The number of bytes.
  public var byteCount: Int {
    switch self {
    case .inline(let bytes): bytes.count
    case .stored(_, let count): Int(clamping: count)
    }
  }
}
