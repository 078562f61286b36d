public import DragboardClient

/// A drag that was begun on the bus and that no pointer carries yet: it waits for somebody to pick it up.
public struct WaitingDrag: Hashable, Sendable, Identifiable {
  /// One of the things that are dragged.
  public struct Item: HeldOut, Hashable {
    /// Its types in order of fidelity.
    public let types: [ContentType]
    /// What a file of it would be called; "" where nobody has said.
    public let suggestedName: String

    /// An item of those types.
    public init(types: [ContentType], suggestedName: String = "") {
      self.types = types
      self.suggestedName = suggestedName
    }
  }

  /// The session.
  public let id: SessionID
  /// Who drags.
  public let application: String
  /// How many items there are.
  public let itemCount: Int
  /// The first of them, as many as `mostItems`.
  public let items: [Item]

  /// So many items are looked at before somebody takes them.
  public static let mostItems = 32

  /// The drag of that session.
  public init(id: SessionID, application: String, itemCount: Int, items: [Item]) {
    self.id = id
    self.application = application
    self.itemCount = itemCount
    self.items = items
  }

  /// What is dragged, for people: the one item's name or kind, or how many there are.
  public var title: String {
    guard itemCount == 1, let item = items.first else { return "\(itemCount) items" }
    return item.suggestedName.isEmpty ? item.kindName ?? "Item" : item.suggestedName
  }

  /// Who drags, for people: an application's id, and nothing of a connection's number.
  public var origin: String {
    application.hasPrefix(":") ? "from a program" : "from \(application)"
  }

  /// The kind of all items; `other` where they differ.
  public var kind: RowKind {
    let kinds = Set(items.map(\.kind))
    return kinds.count == 1 ? kinds.first ?? .other : .other
  }
}
