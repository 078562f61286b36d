import DragboardClient

/// The search for rows by the names that a person writes.
struct RowFinder {
  private let board: Board

  init(_ board: Board) { self.board = board }

  /// Returns the rows with the given names, in the order of the names.
  ///
  /// - Throws: `CommandError` if a row does not exist, or a name is ambiguous.
  func items(_ names: [RowName]) async throws -> [ItemID] {
    var items: [ItemID] = []
    for name in names { items.append(try await item(name)) }
    return items
  }

  /// Returns the row with a name.
  ///
  /// - Throws: `CommandError` if the row does not exist, or the name is ambiguous.
  // In a release build, Swift 6.3.1 crashes when it inlines this function into `items`.
  @inline(never)
  func item(_ name: RowName) async throws -> ItemID {
    switch name.meaning {
    case .id(let id): return id
    case .place(let place): return try await row(at: place, name.text).id
    case .prefix(let prefix): return try await item(beginning: prefix)
    }
  }

  /// Returns the row with an id.
  func row(_ item: ItemID) async throws -> Row { try await find(item, named: "\(item)").row }

  /// Returns the row with a name, and its position.
  func row(_ name: RowName) async throws -> (row: Row, position: RowPosition) {
    try await find(try await item(name), named: name.text)
  }

  private func find(
    _ item: ItemID, named name: String
  ) async throws -> (row: Row, position: RowPosition) {
    // If the board changes between the two calls, their results do not match, so both are repeated.
    for _ in 0..<3 {
      let position = try await board.position(of: item)
      let row = try await board.row(at: position)
      if row.id == item { return (row, position) }
    }
    throw CommandError(.failure, "\(name): the board changes too fast to find this row")
  }

  /// Returns the index of a position's section, and the row; if `place` is nil, the end of the
  /// first section.
  func position(of place: PositionArgument?) async throws -> (section: Int, row: Int?) {
    guard let place, place.section != nil else { return (0, place?.row) }
    let names = SectionNames(try await board.info().sections)
    return (try names.index(of: place.section), place.row)
  }

  private func row(at place: PositionArgument, _ text: String) async throws -> Row {
    let (section, row) = try await position(of: place)
    do {
      return try await board.row(at: RowPosition(section: section, row: row ?? 0))
    } catch {
      guard error.reason == .noSuchItem else { throw error }
      throw CommandError(
        .notFound, "the board has no row \(text)", remedy: SuggestedCall.listing)
    }
  }

  private func item(beginning prefix: String) async throws -> ItemID {
    let matches = try await board.snapshot().sections.flatMap(\.items).filter {
      $0.description.hasPrefix(prefix)
    }
    guard let item = matches.first else {
      throw CommandError(
        .notFound, "the board has no row whose id begins with '\(prefix)'",
        remedy: SuggestedCall.listing)
    }
    guard matches.count == 1 else {
      let some = matches.prefix(3).map(\.description).joined(separator: ", ")
      throw CommandError(
        .notFound,
        "\(prefix): \(matches.count) ids begin with these characters: \(some)\(matches.count > 3 ? ", …" : "")",
        remedy: "Use more characters of the id.")
    }
    return item
  }
}
