/// What a drop on a board copies: each item that the board accepts, in the order of the session.
///
/// Everybody reads a board, so of an item only those representations are taken that everybody sees, and of these all that
/// the board accepts. An item without any is left out.
public struct CopyPlan: Sendable {
  /// An item that is copied.
  public struct Item: Sendable {
    /// The item's index in the session.
    public let index: Int
    /// The name that the source suggests.
    public let suggestedName: SuggestedName
    /// What is taken of it, in order of fidelity; never empty.
    public let representations: [Representation]
  }

  /// The items, in the order of the session.
  public let items: [Item]

  /// Plans the copy of the session's items to a board that accepts these types.
  public init(_ session: DragSession, accepting types: [TypeQuery]) {
    var items: [Item] = []
    items.reserveCapacity(session.items.count)
    for (index, item) in session.items.enumerated() {
      let representations = item.acceptable(to: types)
      guard !representations.isEmpty else { continue }
      items.append(
        Item(index: index, suggestedName: item.suggestedName, representations: representations))
    }
    self.items = items
  }
}

extension ItemProvider {
  /// Whether a copy takes something of the item.
  func isAcceptable(to types: [TypeQuery]) -> Bool {
    representations.contains { $0.isAcceptable(to: types) }
  }

  /// What a copy takes of the item.
  fileprivate func acceptable(to types: [TypeQuery]) -> [Representation] {
    // Mostly it is all, and no list is made of that.
    let takesAll = representations.allSatisfy { $0.isAcceptable(to: types) }
    return takesAll ? representations : representations.filter { $0.isAcceptable(to: types) }
  }
}

extension Representation {
  fileprivate func isAcceptable(to types: [TypeQuery]) -> Bool {
    visibility == .all && types.accept(type)
  }
}
