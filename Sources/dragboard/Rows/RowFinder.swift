import DragboardClient

/// Finds rows by the names that people give them.
struct RowFinder {
  private let board: Board

  init(_ board: Board) { self.board = board }

  /// The rows of those names, in the order of the names.
  ///
  /// - Throws: `CommandError` if a row does not exist, or is ambiguous.
  func items(_ names: [RowName]) async throws -> [ItemID] {
    var items: [ItemID] = []
    for name in names { items.append(try await item(name)) }
    return items
  }

  /// The row of that name.
  ///
  /// - Throws: `CommandError` if it does not exist, or is ambiguous.
  func item(_ name: RowName) async throws -> ItemID {
    switch name.meaning {
    case .id(let id): return id
    case .place(let place): return try await row(at: place, name.text).id
    case .prefix(let prefix): return try await item(beginning: prefix)
    }
  }

  /// The row of that name and its position.
  func row(_ name: RowName) async throws -> (row: Row, position: RowPosition) {
    let item = try await item(name)
    // The board may change between the two questions; a second try is as good as any.
    for _ in 0..<3 {
      let position = try await board.position(of: item)
      let row = try await board.row(at: position)
      if row.id == item { return (row, position) }
    }
    throw CommandError(.failure, "the board changes too fast to find row \(name.text)")
  }

  /// The index of a place's section, and the row; without a place, the end of the first section.
  func position(of place: Place?) async throws -> (section: Int, row: Int?) {
    guard let place, place.section != nil else { return (0, place?.row) }
    let names = SectionNames(try await board.info().sections)
    return (try names.index(of: place.section), place.row)
  }

  private func row(at place: Place, _ text: String) async throws -> Row {
    let (section, row) = try await position(of: place)
    do {
      return try await board.row(at: RowPosition(section: section, row: row ?? 0))
    } catch {
      guard error.reason == .noSuchItem else { throw error }
      throw CommandError(
        .notFound, "there is no row \(text)", remedy: "'dragboard list' shows the rows.")
    }
  }

  private func item(beginning prefix: String) async throws -> ItemID {
    let matches = try await board.snapshot().sections.flatMap(\.items).filter {
      $0.description.hasPrefix(prefix)
    }
    guard let item = matches.first else {
      throw CommandError(
        .notFound, "no row's id begins with '\(prefix)'",
        remedy: "'dragboard list' shows the rows.")
    }
    guard matches.count == 1 else {
      let some = matches.prefix(3).map(\.description).joined(separator: ", ")
      throw CommandError(
        .notFound,
        "'\(prefix)' is the beginning of \(matches.count) ids: \(some)\(matches.count > 3 ? ", …" : "")",
        remedy: "Give more characters.")
    }
    return item
  }
}
