public import BoardModel

/// An item that is dragged: its representations, in order of fidelity, the highest first.
///
/// Where a viewer is asked about, `reach` is the narrowest visibility that it sees
/// (``Visibility/reach(of:into:)-(Application,_)``); what is narrower is not there for it.
public struct ItemProvider: Sendable {
  /// The most representations that an item may have.
  public static let maximumRepresentations = 256

  /// The name that the source suggests.
  public let suggestedName: SuggestedName
  /// The row that the item is, where it was dragged out of a board.
  public let row: RowID?
  /// The representations, in order of fidelity; no type twice.
  public private(set) var representations: [Representation] = []
  /// The bytes of all representations.
  public private(set) var byteCount = 0

  /// Creates an item without a representation.
  public init(suggestedName: SuggestedName = .none, row: RowID? = nil) {
    self.suggestedName = suggestedName
    self.row = row
  }

  /// Adds the representation that is next in fidelity.
  ///
  /// - Throws: `DragError.duplicateRepresentation` where the item has the type already, `limitExceeded` where it
  ///   has ``maximumRepresentations``.
  public mutating func register(_ representation: Representation) throws(DragError) {
    try check(representation.type)
    representations.append(representation)
    byteCount += representation.content.byteCount
  }

  /// Keeps the place of a representation of that type, the next in fidelity.
  mutating func reserve(_ type: ContentType) throws(DragError) {
    try check(type)
    representations.append(Representation(reserving: type))
  }

  /// Puts a representation where its place has been kept; false where none has.
  mutating func fulfil(_ representation: Representation) -> Bool {
    guard let place = reservedPlace(of: representation.type) else { return false }
    representations[place] = representation
    byteCount += representation.content.byteCount
    return true
  }

  /// Gives up a place that was kept.
  mutating func release(_ type: ContentType) {
    guard let place = reservedPlace(of: type) else { return }
    representations.remove(at: place)
  }

  private func reservedPlace(of type: ContentType) -> Int? {
    representations.firstIndex { $0.type == type && $0.visibility == nil }
  }

  /// Refuses what `register` refuses.
  func check(_ type: ContentType) throws(DragError) {
    guard !representations.contains(where: { $0.type == type }) else {
      throw .duplicateRepresentation(type)
    }
    guard representations.count < Self.maximumRepresentations else {
      throw .limitExceeded(.representations, maximum: Self.maximumRepresentations)
    }
  }

  /// The types that a viewer sees, in order of fidelity.
  public func types(within reach: Visibility) -> [ContentType] {
    representations.lazy.filter { $0.isVisible(within: reach) }.map(\.type)
  }

  /// The first representation, in order of fidelity, that a viewer sees and that conforms.
  public func first(matching query: TypeQuery, within reach: Visibility) -> Representation? {
    representations.first { $0.isVisible(within: reach) && query.matches($0.type) }
  }
}
