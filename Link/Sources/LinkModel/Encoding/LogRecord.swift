/// The kinds of entries of a board's log; the first byte of an entry is its kind.
///
/// An earlier version of the program stops at a kind that it does not know.
public enum LogRecord {
  /// The kinds 1 and 2 are the versions of `EditBatch`.
  private static let (successor, part): (UInt8, UInt8) = (3, 4)

  /// The maximum number of bytes of a part of a snapshot.
  static let maxPartBytes = 128 << 10

  /// Returns the entry that ends a log and names its successor.
  static func bytes(ofSuccessor log: LogID) -> [UInt8] { [successor] + log.bytes }

  /// Returns the log that an entry names as the successor; nil for any other entry.
  public static func successor(in entry: [UInt8]) -> LogID? {
    entry.first == successor ? LogID(bytes: Array(entry.dropFirst())) : nil
  }

  /// Returns the entries with the parts of a snapshot.
  static func parts(of snapshot: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: max(snapshot.count, 1), by: maxPartBytes).map { start in
      let end = min(start + maxPartBytes, snapshot.count)
      return [part, end == snapshot.count ? 1 : 0] + snapshot[start..<end]
    }
  }

  /// Returns a part of a snapshot, and whether it is the last one; nil for any other entry.
  static func part(in entry: [UInt8]) -> (bytes: ArraySlice<UInt8>, isLast: Bool)? {
    guard entry.count > 2, entry[0] == part else { return nil }
    return (entry[2...], entry[1] == 1)
  }

  /// Whether an entry is a batch of edits, so that the log is in use.
  public static func isBatch(_ entry: [UInt8]) -> Bool { (try? EditBatch(bytes: entry)) != nil }

  /// Whether a later version of the program wrote an entry.
  static func isLaterVersion(_ entry: [UInt8]) -> Bool { entry.first.map { $0 > part } ?? false }
}
