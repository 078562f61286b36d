extension Array {
  /// Gives the array memory for this number of elements and no more.
  ///
  /// An array that grows by itself has up to twice the memory that it needs, and retains the memory of
  /// removed elements.
  mutating func setCapacity(_ capacity: Int) {
    let old = self
    self = []
    reserveCapacity(capacity)
    self += old
  }
}
