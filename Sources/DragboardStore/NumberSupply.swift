/// A supply of numbers that are never issued twice, even after a crash or a rollback.
///
/// The database reserves about a thousand numbers at once, before the first of them is issued.
struct NumberSupply {
  /// How many numbers are reserved at once, in addition to the needed ones.
  static let chunk: UInt64 = 1024

  let counter: CounterTable.Counter
  private(set) var next: UInt64
  private var end: UInt64
  /// Whether an open transaction reserves the numbers before `end`.
  private var isTentative = false

  /// Makes a supply of all numbers from `next` on, none of them reserved yet.
  init(_ counter: CounterTable.Counter, next: UInt64) {
    self.counter = counter
    self.next = next
    end = next
  }

  /// Whether that many numbers can have been issued.
  var isPlausible: Bool { next < Bounds.numbers.upperBound }

  /// Takes consecutive numbers; nil if they must be reserved first.
  mutating func take(_ count: UInt64) -> Range<UInt64>? {
    guard end - next >= count else { return nil }
    defer { next += count }
    return next..<next + count
  }

  /// Takes numbers before `end`, which the open transaction reserves in the database.
  mutating func take(_ count: UInt64, havingReservedUpTo end: UInt64) -> Range<UInt64> {
    self.end = end
    isTentative = true
    defer { next += count }
    return next..<next + count
  }

  mutating func didCommit() { isTentative = false }

  /// Discards the reserved numbers: none is issued again, even if its reservation was rolled back.
  mutating func didRollBack() {
    if isTentative { end = next }
    isTentative = false
  }
}
