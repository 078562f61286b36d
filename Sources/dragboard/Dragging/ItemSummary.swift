import DragboardClient

/// The names and types of a drag's items.
struct ItemSummary {
  struct Item {
    let name: String
    let types: [ContentType]

    /// A short text for the item: its name, or a word for its best type.
    var label: String { name.isEmpty ? types.first?.shortName ?? "" : name }
  }

  /// The first items of the drag.
  let items: [Item]
  private let count: Int

  /// The maximum number of items to read.
  private static let maxCount = 20
  /// The maximum number of items in `text`.
  private static let maxNamedCount = 3

  /// Reads the items of a drag.
  ///
  /// - Throws: `noSuchSession`, `sessionEnded`.
  init(of session: DragSession, count: Int) async throws(DragboardError) {
    var items: [Item] = []
    for index in 0..<min(count, Self.maxCount) {
      items.append(
        Item(
          name: try await session.attributes(ofItem: index).name,
          types: try await session.types(ofItem: index)))
    }
    self.items = items
    self.count = count
  }

  /// The names of the first items: `report.pdf, text, …`.
  var text: String {
    items.prefix(Self.maxNamedCount).map(\.label).joined(separator: ", ")
      + (count > Self.maxNamedCount ? ", …" : "")
  }

  /// The types of the items, without duplicates.
  var types: [ContentType] {
    var types: [ContentType] = []
    for type in items.flatMap(\.types) where !types.contains(type) { types.append(type) }
    return types
  }

  /// The items as JSON.
  var json: JSON {
    .array(items.map { ["name": .string($0.name), "types": JSON(texts: $0.types)] })
  }
}
