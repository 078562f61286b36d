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
    // 6 says whether words of deleted rows may be in the index.
  }

  /// How many are reserved at once, for rows beyond those that are needed.
  static let chunk: UInt64 = 1024

  let kind: Kind
  private(set) var next: UInt64
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
    try reserve(UInt64(max(0, count)), spare: NumberSupply.chunk, from: &rowNumbers).map {
      RowID($0)
    }
  }

  /// Gives numbers for the next thousand sessions, which can be used once they are committed.
  public func reserveSessionNumbers() throws(StoreError) -> Range<UInt64> {
    try reserve(NumberSupply.chunk, from: &sessionNumbers)
  }

  /// Gives numbers for the next thousand views, likewise.
  public func reserveViewNumbers() throws(StoreError) -> Range<UInt64> {
    try reserve(NumberSupply.chunk, from: &viewNumbers)
  }

  private func reserve(
    _ count: UInt64, spare: UInt64 = 0, from supply: inout NumberSupply
  ) throws(StoreError) -> Range<UInt64> {
    if let numbers = supply.take(count) { return numbers }
    let end = supply.next + count + spare
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
