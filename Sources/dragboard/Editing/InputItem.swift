import DragboardClient

/// A row that `dragboard add` creates from a text, from standard input or from a file.
struct InputItem {
  /// The name of the input in messages.
  let name: String
  /// The content and the attributes of the new row.
  let item: DragItem

  /// Creates a row from a text.
  static func text(_ text: String) -> InputItem { InputItem(name: "text", item: .text(text)) }

  /// Creates a row from a reference to a file.
  ///
  /// - Throws: `CommandError` if the file does not exist.
  static func link(to path: String) throws(CommandError) -> InputItem {
    InputItem(name: path, item: try FileReference(path).item())
  }

  /// Creates a row from the bytes of a file, or of standard input if `path` is nil.
  ///
  /// - Parameters:
  ///   - input: the bytes.
  ///   - path: the path of the file.
  ///   - name: the name of the row; nil for the name of the file.
  ///   - type: the type; nil to find it.
  /// - Returns: the row.
  /// - Throws: `DragboardError` if the file cannot be read.
  static func input(
    _ input: Input, path: String?, named name: String?, as type: ContentType?
  ) throws -> InputItem {
    var attributes = path.map { ItemAttributes(ofFileAt: $0) } ?? ItemAttributes()
    if let name { attributes.name = name }
    let content = try InputContent(input.content, of: input, name: attributes.name, as: type)
    return InputItem(
      name: path ?? "standard input",
      item: DragItem(attributes: attributes, content.representations))
  }
}

extension Board {
  /// Inserts all rows in one edit, or none.
  ///
  /// One call can insert only one row with attributes. So several rows become the items of a drag.
  ///
  /// - Parameters:
  ///   - items: the rows.
  ///   - section: the index of the section.
  ///   - row: the index of the first new row; nil for the end of the section.
  /// - Returns: the ids of the rows.
  /// - Throws: `CommandError` if the board does not accept a row, or a row is too large;
  ///   `DragboardError`.
  func insert(_ items: [InputItem], inSection section: Int, at row: Int?) async throws -> [ItemID] {
    if items.count == 1 { return [try await insert(items[0], inSection: section, at: row)] }
    return try await drop(items, inSection: section, at: row)
  }

  /// Inserts the items of a drag, which only this client can drop.
  ///
  /// The rows belong to this connection. So the source of the rows gives no client rights.
  func drop(_ items: [InputItem], inSection section: Int, at row: Int?) async throws -> [ItemID] {
    let drag = try await connection.beginDrag()
    do {
      try await drag.session.setRestrictedToApplication(true)
      for item in items {
        _ = try await InputItem.naming(item) { try await drag.session.add([item.item]) }
      }
      try await checkAcceptance(of: items, in: drag.session)
      let result = try await dropTarget.perform(drag.session.id, inSection: section, at: row)
      guard result.operation.transfers else {
        throw CommandError.noRoom(items.count, try await info())
      }
      return result.items
    } catch {
      await uncancelled { try? await drag.session.cancel() }
      throw error
    }
  }

  private func insert(
    _ item: InputItem, inSection section: Int, at row: Int?
  ) async throws -> ItemID {
    let representations = try item.item.representations.map { representation in
      guard let bytes = RowBytes(representation.content) else {
        throw CommandError(.failure, "\(item.name): is a promise (expected bytes or a file)")
      }
      return (representation.type, bytes)
    }
    return try await InputItem.naming(item) {
      try await insert(
        representations, attributes: item.item.attributes, inSection: section, at: row)
    }
  }

  /// Checks that the board accepts all rows, because a drop would leave out rows that the board
  /// does not accept.
  private func checkAcceptance(of items: [InputItem], in session: DragSession) async throws {
    let info = try await info()
    for (index, item) in items.enumerated() {
      let types = try await session.types(ofItem: index)
      guard !types.contains(where: { $0.conforms(toOneOf: info.acceptedTypes) }) else { continue }
      throw CommandError.notAccepted(item.name, types, by: info)
    }
  }
}

extension CommandError {
  /// The error if a board has no room for new rows.
  fileprivate static func noRoom(_ count: Int, _ board: BoardInfo) -> CommandError {
    CommandError(
      .refused,
      "the board '\(board.name)' has no room for \(Amounts.count(count, "more row"))"
        + (board.maxRows > 0 ? " (at most \(board.maxRows))" : ""),
      remedy:
        "To allow more rows: \(SuggestedCall.boardSetting(board.name, "--max-rows", "COUNT"))")
  }
}

extension InputItem {
  /// Runs `body`, and adds the name and the size of the row to an error about the row.
  fileprivate static func naming<Result>(
    _ item: InputItem, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as DragboardError {
      guard error.reason == .limitsExceeded || error.reason == .invalidArguments else {
        throw error
      }
      let size = item.byteCount.map { " (\(Amounts.bytes($0)))" } ?? ""
      throw CommandError(
        error.reason == .limitsExceeded ? .refused : .usage,
        "\(item.name)\(size): \(DaemonWords.translated(error.message))",
        remedy: error.reason == .limitsExceeded
          ? "To add a reference: \(SuggestedCall("add", [], [.init("--file", item.name), "--link"]))"
          : nil)
    }
  }

  private var byteCount: Int? {
    switch item.representations.first?.content {
    case .data(let bytes)?: bytes.count
    case .file(let file)?: try? file.byteCount
    case .promise?, nil: nil
    }
  }
}
