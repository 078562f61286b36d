/// A supply of numbers that are never issued twice, even after a crash or a rollback.
///
/// The database reserves about a thousand numbers at once, before the first of them is issued.
struct NumberSupply {
  /// The number of numbers that are reserved at once, in addition to the requested ones.
  static let chunk: UInt64 = 1024

  let counter: CounterTable.Counter
  private(set) var next: UInt64
  private var end: UInt64
  /// Whether an open transaction reserves the numbers before `end`.
  private var isTentative = false

  /// Creates a supply of all numbers from `next` on.
  ///
  /// None of them is reserved yet.
  init(_ counter: CounterTable.Counter, next: UInt64) {
    self.counter = counter
    self.next = next
    end = next
  }

  /// Whether `next` is in the range of numbers.
  ///
  /// If not, the database is damaged.
  var isPlausible: Bool { next < Bounds.numbers.upperBound }

  /// Takes consecutive numbers; nil if the caller must reserve them first.
  mutating func take(_ count: UInt64) -> Range<UInt64>? {
    guard end - next >= count else { return nil }
    defer { next += count }
    return next..<next + count
  }

  /// Takes consecutive numbers after a reservation.
  ///
  /// The open transaction reserves all numbers before `end`.
  mutating func take(_ count: UInt64, havingReservedUpTo end: UInt64) -> Range<UInt64> {
    self.end = end
    isTentative = true
    defer { next += count }
    return next..<next + count
  }

  mutating func didCommit() { isTentative = false }

  /// Discards the numbers that the rolled back transaction reserved.
  ///
  /// Numbers that were issued are not issued again.
  mutating func didRollBack() {
    if isTentative { end = next }
    isTentative = false
  }
}
