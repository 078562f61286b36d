/// Numbers that are never given twice, whatever is killed and rolled back.
///
/// They are reserved in the database by the thousand, before the first of them is given.
struct NumberSupply {
  /// How many are reserved at once, for rows beyond those that are needed.
  static let chunk: UInt64 = 1024

  let counter: CounterTable.Counter
  private(set) var next: UInt64
  private var end: UInt64
  /// Whether the numbers before `end` are reserved by a transaction that is still open.
  private var isTentative = false

  /// All numbers from `next` on, none of them reserved yet.
  init(_ counter: CounterTable.Counter, next: UInt64) {
    self.counter = counter
    self.next = next
    end = next
  }

  /// Whether so many numbers can have been given.
  var isPlausible: Bool { next < Bounds.numbers.upperBound }

  /// Gives consecutive numbers; nil if they have to be reserved first.
  mutating func take(_ count: UInt64) -> Range<UInt64>? {
    guard end - next >= count else { return nil }
    defer { next += count }
    return next..<next + count
  }

  /// Gives numbers out of those before `end`, which the open transaction reserves in the database.
  mutating func take(_ count: UInt64, havingReservedUpTo end: UInt64) -> Range<UInt64> {
    self.end = end
    isTentative = true
    defer { next += count }
    return next..<next + count
  }

  mutating func didCommit() { isTentative = false }

  /// No number is given again, even if the database has forgotten that it was reserved.
  mutating func didRollBack() {
    if isTentative { end = next }
    isTentative = false
  }
}
