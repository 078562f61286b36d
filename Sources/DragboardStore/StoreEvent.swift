/// Something that the store found or did and that a log should say.
public enum StoreEvent: Hashable, Sendable {
  /// Others could read or write a file or directory; now the user alone can.
  case narrowed(path: String, from: UInt32, to: UInt32)

  /// A content is missing, or its bytes are not what was written.
  case lostContent(String)

  /// The index of contents did not agree with the database, and was rebuilt.
  case rebuiltIndex
}

extension StoreEvent: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .narrowed(let path, let old, let new):
      "\(path): mode 0\(String(old, radix: 8)) was too wide; it is 0\(String(new, radix: 8)) now"
    case .lostContent(let words): words
    case .rebuiltIndex:
      "the index of contents was wrong, and was rebuilt; no content was removed"
    }
  }
}
