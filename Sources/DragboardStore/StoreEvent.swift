/// An event of the store that belongs in a log.
public enum StoreEvent: Hashable, Sendable {
  /// Other users could access a file or directory. Now only its owner can.
  case narrowed(path: String, from: UInt32, to: UInt32)

  /// A content is missing, or its bytes have changed.
  case lostContent(String)

  /// The index of contents did not agree with the database and was rebuilt.
  case rebuiltIndex
}

extension StoreEvent: CustomStringConvertible {
  /// The event in one sentence.
  public var description: String {
    switch self {
    case .narrowed(let path, let old, let new):
      "\(path): mode 0\(String(old, radix: 8)) gave access to other users and was changed to 0\(String(new, radix: 8))"
    case .lostContent(let words): words
    case .rebuiltIndex:
      "the index of contents was wrong and was rebuilt, before any content was removed"
    }
  }
}
