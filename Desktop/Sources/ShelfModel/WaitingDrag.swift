public import DragboardClient

/// A drag that was begun on the bus and is not yet carried by a pointer.
public struct WaitingDrag: Hashable, Sendable, Identifiable {
  /// A dragged item.
  public struct Item: HeldOut, Hashable {
    /// The types in order of fidelity.
    public let types: [ContentType]
    /// The suggested file name; "" without a suggestion.
    public let suggestedName: String

    /// Creates an item.
    public init(types: [ContentType], suggestedName: String = "") {
      self.types = types
      self.suggestedName = suggestedName
    }
  }

  /// The session.
  public let id: SessionID
  /// The application that drags.
  public let application: String
  /// The number of items.
  public let itemCount: Int
  /// The first items, at most `maxItems`.
  public let items: [Item]

  /// The maximum number of items that are read before the drop.
  public static let maxItems = 32

  /// Creates the drag of a session.
  public init(id: SessionID, application: String, itemCount: Int, items: [Item]) {
    self.id = id
    self.application = application
    self.itemCount = itemCount
    self.items = items
  }

  /// The readable title: the name or kind of a single item, or the number of items.
  public var title: String {
    guard itemCount == 1, let item = items.first else {
      return counted("One item", "%1 items", itemCount)
    }
    return item.suggestedName.isEmpty ? item.kindName ?? localized("Item") : item.suggestedName
  }

  /// The readable origin: an application's id, without a connection's number.
  public var origin: String {
    application.hasPrefix(":") ? localized("from a program") : localized("from %1", application)
  }

  /// The kind of all items; `other` if they differ.
  public var kind: RowKind {
    let kinds = Set(items.map(\.kind))
    return kinds.count == 1 ? kinds.first ?? .other : .other
  }
}
