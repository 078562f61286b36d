import DragboardStore

/// The deleted boards, divided into restorable and expired ones by the limits of number, age and
/// bytes.
///
/// The limit of bytes does not apply to the latest deleted board: the user can restore it even if
/// it is large. The undo history has the same exception for the latest edit.
struct DeletedBoards {
  static let maxCount = 16
  static let maxAge = Duration.seconds(30 * 24 * 3_600)

  /// The boards that can be restored, the latest first.
  private(set) var restorable: [DeletedBoard] = []
  /// The boards that exceed a limit.
  private(set) var expired: [DeletedBoard] = []

  /// Divides the deleted boards into restorable and expired ones.
  ///
  /// - Parameters:
  ///   - boards: the deleted boards, the latest first.
  ///   - maxBytes: the maximum size of all boards that can be restored.
  ///   - now: the time, in microseconds since 1970, UTC.
  init(_ boards: [DeletedBoard], maxBytes: Int, at now: UInt64) {
    let (oldest, isEarly) = now.subtractingReportingOverflow(Self.maxAge.microseconds)
    func isOld(_ time: UInt64) -> Bool { !isEarly && time <= oldest }
    var bytes = 0
    for board in boards {
      bytes += board.byteCount
      let isWithinBytes = bytes <= maxBytes || restorable.isEmpty
      if isWithinBytes, restorable.count < Self.maxCount, !isOld(board.time) {
        restorable.append(board)
      } else {
        expired.append(board)
      }
    }
  }
}

extension Duration {
  /// The duration in whole microseconds.
  fileprivate var microseconds: UInt64 {
    UInt64(components.seconds) * 1_000_000 + UInt64(components.attoseconds) / 1_000_000_000_000
  }
}
