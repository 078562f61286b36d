/// The items and representations that a drop copies to a board, in the order of the session.
///
/// Every client can read a board. So a drop copies only representations that are visible to all
/// clients and whose types the board accepts. It skips an item without such a representation.
public struct CopyPlan: Sendable {
  /// An item to copy.
  public struct Item: Sendable {
    /// The item's index in the session.
    public let index: Int
    /// The suggested name and other facts for display.
    public let attributes: ItemAttributes
    /// The representations to copy, in order of fidelity; never empty.
    public let representations: [Representation]
  }

  /// The items, in the order of the session.
  public let items: [Item]

  /// Plans the copy of a session's items to a board that accepts `types`.
  public init(_ session: DragSession, accepting types: [TypeQuery]) {
    var items: [Item] = []
    items.reserveCapacity(session.items.count)
    for (index, item) in session.items.enumerated() {
      let representations = item.acceptable(to: types)
      guard !representations.isEmpty else { continue }
      items.append(
        Item(index: index, attributes: item.attributes, representations: representations))
    }
    self.items = items
  }
}

extension ItemProvider {
  /// Returns whether a drop copies at least one representation of the item.
  func isAcceptable(to types: [TypeQuery]) -> Bool {
    representations.contains { $0.isAcceptable(to: types) }
  }

  /// Returns the representations that a drop copies.
  fileprivate func acceptable(to types: [TypeQuery]) -> [Representation] {
    // Usually all representations are copied. In this case the existing array is returned, without
    // an allocation.
    let takesAll = representations.allSatisfy { $0.isAcceptable(to: types) }
    return takesAll ? representations : representations.filter { $0.isAcceptable(to: types) }
  }
}

extension Representation {
  fileprivate func isAcceptable(to types: [TypeQuery]) -> Bool {
    visibility == .all && types.accept(type)
  }
}
