/// An event of the store that belongs in a log.
public enum StoreEvent: Hashable, Sendable {
  /// A file or directory had a wider mode than the service gives it. Now it has the narrower mode.
  case narrowed(path: String, from: UInt32, to: UInt32)

  /// A content is missing, or its bytes have changed.
  case lostContent(String)

  /// The index of contents did not agree with the database and was rebuilt.
  case rebuiltIndex

  /// The process that used the directory before has released it, but cannot end.
  case hungOwner(Int32)
}

extension StoreEvent: CustomStringConvertible {
  /// The event in one sentence.
  public var description: String {
    switch self {
    case .narrowed(let path, let old, let new):
      "\(path): mode 0\(String(old, radix: 8)) was too wide and was changed to 0\(String(new, radix: 8))"
    case .lostContent(let words): words
    case .rebuiltIndex:
      "the index of contents was wrong and was rebuilt, before any content was removed"
    case .hungOwner(let process):
      "process \(process), the previous daemon, cannot end, because it hangs in a read of a client's file (it does not use the data any longer)"
    }
  }
}
