public import BoardModel

/// Numbers that are never given twice, whatever is killed and rolled back.
///
/// They are reserved in the database by the thousand, before the first of them is given.
struct NumberSupply {
  /// What is counted, by the number that it has in the database.
  enum Kind: Int64 {
    case rows = 1
    case sessions = 2
    // 3 is how far the index of words is.
    case views = 4
    // 5 counts commits that were refused.
  }

  /// How many are reserved beyond those that are needed.
  static let chunk: UInt64 = 1024

  let kind: Kind
  private var next: UInt64
  private var end: UInt64
  /// Whether the numbers before `end` are reserved by a transaction that is still open.
  private var isTentative = false

  /// All numbers from `next` on, none of them reserved yet.
  init(_ kind: Kind, next: UInt64) {
    self.kind = kind
    self.next = next
    end = next
  }

  /// Whether so many numbers can have been given.
  var isPlausible: Bool { next < Bounds.numbers.upperBound }

  /// Gives consecutive numbers; nil where they have to be reserved first.
  mutating func take(_ count: UInt64) -> Range<UInt64>? {
    guard end - next >= count else { return nil }
    defer { next += count }
    return next..<next + count
  }

  /// Where the reservation has to end so that `count` numbers can be taken.
  func newEnd(for count: UInt64) -> UInt64 { next + count + Self.chunk }

  /// Gives numbers out of those before `end`, which the database has as reserved once the open transaction
  /// is committed.
  mutating func take(_ count: UInt64, havingReservedUpTo end: UInt64) -> Range<UInt64> {
    self.end = end
    isTentative = true
    defer { next += count }
    return next..<next + count
  }

  mutating func didCommit() { isTentative = false }

  /// What was given is not given again, even if the database has forgotten it.
  mutating func didRollBack() {
    if isTentative { end = next }
    isTentative = false
  }
}

extension BoardStore {
  /// Gives new rows that many consecutive numbers, none of which has been a row's before or will be another's.
  ///
  /// Once in a thousand it writes, so that they have to be committed before anybody learns of them.
  public func reserveRows(_ count: Int) throws(StoreError) -> [RowID] {
    try reserve(UInt64(max(0, count)), from: &rowNumbers).map { RowID($0) }
  }

  /// Gives a new session its number, likewise.
  public func reserveSessionNumber() throws(StoreError) -> UInt64 {
    try reserve(1, from: &sessionNumbers).lowerBound
  }

  /// Gives a new view its number, likewise.
  public func reserveViewNumber() throws(StoreError) -> UInt64 {
    try reserve(1, from: &viewNumbers).lowerBound
  }

  private func reserve(
    _ count: UInt64, from supply: inout NumberSupply
  ) throws(StoreError) -> Range<UInt64> {
    if let numbers = supply.take(count) { return numbers }
    let end = supply.newEnd(for: count)
    let kind = supply.kind
    try write { () throws(SQLiteError) in
      try statements.saveCounter.run(kind.rawValue, Int64(end))
    }
    return supply.take(count, havingReservedUpTo: end)
  }
}

extension Statements {
  /// The numbers that no process has reserved.
  func supply(_ kind: NumberSupply.Kind) throws(SQLiteError) -> NumberSupply {
    let next = try counter.first(kind.rawValue) { $0.integer(0) } ?? 1
    return NumberSupply(kind, next: UInt64(max(1, next)))
  }
}
