import DragboardClient

/// The items of a drag: their names and types.
struct SessionContents {
  struct Item {
    let name: String
    let types: [ContentType]

    /// The item in a word: its name, or the kind of its best type.
    var label: String { name.isEmpty ? types.first?.shortName ?? "" : name }
  }

  /// The first items.
  let items: [Item]
  private let count: Int

  /// Maximum number of items that are read.
  private static let maxCount = 20
  /// Maximum number of items that are named.
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

  /// The types of the items, each once.
  var types: [ContentType] {
    var types: [ContentType] = []
    for type in items.flatMap(\.types) where !types.contains(type) { types.append(type) }
    return types
  }

  /// The items as a program reads them.
  var json: JSON {
    .array(items.map { ["name": .string($0.name), "types": JSON(texts: $0.types)] })
  }
}
