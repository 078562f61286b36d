/// The items of a drag session and the number of their bytes, within the limits of the session.
struct SessionContents: Sendable {
  let limits: SessionLimits
  private(set) var items: [ItemProvider] = []
  /// The number of items that were added.
  private(set) var itemCount = 0
  /// The number of bytes of all representations.
  private(set) var byteCount = 0
  /// The approximate memory that the items need, in bytes.
  private(set) var memoryByteCount = 0

  init(limits: SessionLimits) { self.limits = limits }

  /// Throws if the item does not exist.
  func require(_ item: Int) throws(DragError) {
    guard items.indices.contains(item) else { throw .noSuchItem(item, count: items.count) }
  }

  /// Appends all items or, if a limit would be exceeded, none; returns their indexes.
  mutating func add(_ newItems: [ItemProvider]) throws(DragError) -> Range<Int> {
    guard newItems.count <= limits.maxItems - items.count else {
      throw .limitExceeded(.items, maximum: limits.maxItems)
    }
    var total = byteCount
    for representation in newItems.lazy.flatMap(\.representations) {
      total = try self.total(total, adding: representation)
    }
    items.append(contentsOf: newItems)
    byteCount = total
    memoryByteCount = newItems.reduce(memoryByteCount) { $0 + $1.memoryByteCount }
    itemCount = items.count
    return itemCount - newItems.count..<itemCount
  }

  /// Appends a representation to an existing item.
  mutating func register(_ representation: Representation, item: Int) throws(DragError) {
    try items[item].check(representation.type)
    byteCount = try total(byteCount, adding: representation)
    try items[item].register(representation)
    memoryByteCount += representation.memoryByteCount
  }

  /// Changes the attributes of an existing item.
  mutating func setAttributes(_ attributes: ItemAttributes, ofItem item: Int) {
    memoryByteCount += attributes.textByteCount - items[item].attributes.textByteCount
    items[item].attributes = attributes
  }

  /// Reserves the next position of an existing item.
  mutating func reserve(_ type: MIMEType, item: Int) throws(DragError) {
    try changeMemory(of: item) { item throws(DragError) in try item.reserve(type) }
  }

  /// Stores a representation at its reserved position.
  ///
  /// - Throws: `sessionEnded` if the reservation is missing, because the call that created it was
  ///   rolled back.
  mutating func fulfil(_ representation: Representation, item: Int) throws(DragError) {
    try require(item)
    let total = try total(byteCount, adding: representation)
    try changeMemory(of: item) { item throws(DragError) in
      guard item.fulfil(representation) else { throw .sessionEnded }
    }
    byteCount = total
  }

  /// Removes a reserved position, if it exists.
  mutating func release(_ type: MIMEType, item: Int) {
    guard items.indices.contains(item) else { return }
    changeMemory(of: item) { $0.release(type) }
  }

  private mutating func changeMemory<Failure: Error>(
    of item: Int, _ change: (inout ItemProvider) throws(Failure) -> Void
  ) throws(Failure) {
    let before = items[item].memoryByteCount
    try change(&items[item])
    memoryByteCount += items[item].memoryByteCount - before
  }

  /// Adds bytes, which are not yet a representation; a negative number removes bytes.
  mutating func count(_ bytes: Int, memory: Int) throws(DragError) {
    guard bytes <= limits.maxSessionBytes - byteCount else {
      throw .limitExceeded(.sessionBytes, maximum: limits.maxSessionBytes)
    }
    byteCount += bytes
    memoryByteCount += memory
  }

  /// Removes the items and their bytes; the number of items stays.
  mutating func removeAll() {
    items = []
    (byteCount, memoryByteCount) = (0, 0)
  }

  private func total(
    _ total: Int, adding representation: Representation
  ) throws(DragError) -> Int {
    let added = representation.content.byteCount
    guard added <= limits.maxRepresentationBytes else {
      throw .limitExceeded(.representationBytes, maximum: limits.maxRepresentationBytes)
    }
    guard added <= limits.maxSessionBytes - total else {
      throw .limitExceeded(.sessionBytes, maximum: limits.maxSessionBytes)
    }
    return total + added
  }
}
