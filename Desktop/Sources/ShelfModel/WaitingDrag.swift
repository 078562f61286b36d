public import DragboardClient

/// A drag that a program began on the bus, and that no pointer carries yet.
public struct WaitingDrag: Hashable, Sendable, Identifiable {
  /// A dragged item.
  public struct Item: HeldOut, Hashable {
    /// The types in order of fidelity.
    public let types: [ContentType]
    /// The suggested file name; "" without a suggestion.
    public let suggestedName: String
    /// The application from which the content comes; "" if it is unknown.
    public let application: String

    /// Creates an item.
    public init(types: [ContentType], suggestedName: String = "", application: String = "") {
      self.types = types
      self.suggestedName = suggestedName
      self.application = application
    }

    /// The suggested name without misleading characters; nil without a suggestion.
    fileprivate var shownName: String? {
      FileName(suggested: suggestedName).map { ShownText.line("\($0)") }
    }
  }

  /// The session.
  public let id: SessionID
  /// The application that began the drag.
  public let application: String
  /// The machine on which the drag began; "" for this machine.
  public let machine: String
  /// The number of items.
  public let itemCount: Int
  /// The first items, at most `maxItems`.
  public let items: [Item]

  /// The maximum number of items that are read before the drop.
  public static let maxItems = 32

  /// Creates the drag of a session.
  public init(
    id: SessionID, application: String, machine: String = "", itemCount: Int, items: [Item]
  ) {
    self.id = id
    self.application = application
    self.machine = machine
    self.itemCount = itemCount
    self.items = items
  }

  /// Returns the readable title.
  ///
  /// For a single item, the title is its name or its type. For several items, the title is their
  /// number, with the name of the first item if it has a name.
  ///
  /// - Parameter describe: returns the readable name of a type.
  /// - Returns: the title.
  public func title(describe: (ContentType) -> String) -> String {
    let name = items.first?.shownName
    guard itemCount != 1 else { return name ?? typeName(describe: describe) ?? localized("Item") }
    guard let name else { return counted("One item", "%1 items", itemCount) }
    return localized("%1 and %2", name, counted("one more", "%1 more", itemCount - 1))
  }

  /// Returns the readable line below the title: the type and the origin.
  ///
  /// The type is omitted if the title is the type.
  ///
  /// - Parameters:
  ///   - describe: returns the readable name of a type.
  ///   - nameOf: returns the readable name of an application.
  /// - Returns: the line.
  public func detail(
    describe: (ContentType) -> String, nameOf: (String) -> String
  ) -> String {
    let origin = origin(nameOf: nameOf)
    let type = typeName(describe: describe)
    guard let type, type != title(describe: describe) else { return origin }
    return localized("%1 · %2", type, origin)
  }

  /// The type of all items; nil if they differ.
  private func typeName(describe: (ContentType) -> String) -> String? {
    let names = Set(items.map { $0.typeName(describe: describe) })
    return names.count == 1 ? names.first ?? nil : nil
  }

  /// The application that began the drag.
  ///
  /// If it has no readable name, this is the application from which the content comes.
  ///
  /// For a drag of another machine, this is the machine.
  private func origin(nameOf: (String) -> String) -> String {
    // The name is made safe in the same way as a file name.
    if let machine = FileName(suggested: machine) {
      return localized("from %1", ShownText.line("\(machine)"))
    }
    let known = [application, items.first?.application ?? ""].first {
      !$0.isEmpty && !$0.hasPrefix(":")
    }
    return known.map { localized("from %1", ShownText.line(nameOf($0))) }
      ?? localized("from a program")
  }

  /// The kind of all items; `other` if they differ.
  public var kind: RowKind {
    let kinds = Set(items.map(\.kind))
    return kinds.count == 1 ? kinds.first ?? .other : .other
  }
}
