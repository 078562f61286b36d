public import BoardModel

/// A dragged item: its representations in order of fidelity, the highest first.
///
/// The parameter `reach` of its functions is the narrowest visibility that a viewer sees
/// (``Visibility/reach(of:into:)-(Application,_)``). The viewer does not see representations with a
/// narrower visibility.
public struct ItemProvider: Sendable {
  /// The maximum number of representations of an item.
  public static let maxRepresentations = 256

  /// The memory that is charged for an item in addition to its representations and attributes.
  private static let overhead = 256

  /// The suggested name and other facts for display.
  public internal(set) var attributes: ItemAttributes
  /// The row that is dragged; nil if the item does not come from a board.
  public let row: RowID?
  /// The representations, in order of fidelity; each type occurs once.
  public private(set) var representations: [Representation] = []
  /// The size of all representations in bytes.
  public private(set) var byteCount = 0

  /// The approximate memory that the item needs, in bytes.
  ///
  /// O(representations).
  public var memoryByteCount: Int {
    representations.reduce(Self.overhead + attributes.textByteCount) { $0 + $1.memoryByteCount }
  }

  /// Creates an item without a representation.
  public init(attributes: ItemAttributes = .none, row: RowID? = nil) {
    self.attributes = attributes
    self.row = row
  }

  /// Appends a representation, which becomes the last in order of fidelity.
  ///
  /// - Throws: `DragError.duplicateRepresentation` if the item already has the type;
  ///   `limitExceeded` if it has ``maxRepresentations``.
  public mutating func register(_ representation: Representation) throws(DragError) {
    try check(representation.type)
    representations.append(representation)
    byteCount += representation.content.byteCount
  }

  /// Reserves the next position for a representation of this type.
  mutating func reserve(_ type: MIMEType) throws(DragError) {
    try check(type)
    representations.append(Representation(reserving: type))
  }

  /// Stores a representation at its reserved position; returns false if none is reserved.
  mutating func fulfil(_ representation: Representation) -> Bool {
    guard let place = reservedIndex(of: representation.type) else { return false }
    representations[place] = representation
    byteCount += representation.content.byteCount
    return true
  }

  /// Removes a reserved position.
  mutating func release(_ type: MIMEType) {
    guard let place = reservedIndex(of: type) else { return }
    representations.remove(at: place)
  }

  private func reservedIndex(of type: MIMEType) -> Int? {
    representations.firstIndex { $0.type == type && $0.visibility == nil }
  }

  /// Throws the errors of `register` if a representation of this type cannot be added.
  func check(_ type: MIMEType) throws(DragError) {
    guard !representations.contains(where: { $0.type == type }) else {
      throw .duplicateRepresentation(type)
    }
    guard representations.count < Self.maxRepresentations else {
      throw .limitExceeded(.representations, maximum: Self.maxRepresentations)
    }
  }

  /// Returns the types that a viewer sees, in order of fidelity.
  public func types(within reach: Visibility) -> [MIMEType] {
    representations(within: reach).map(\.type)
  }

  /// Returns the representations that a viewer sees, in order of fidelity.
  public func representations(within reach: Visibility) -> [Representation] {
    representations.filter { $0.isVisible(within: reach) }
  }

  /// Returns the first representation, in order of fidelity, that a viewer sees and that matches.
  public func first(matching query: TypeQuery, within reach: Visibility) -> Representation? {
    representations.first { $0.isVisible(within: reach) && query.matches($0.type) }
  }
}
