import DragboardClient

extension Board {
  /// Writes the bytes of a row to standard output or to a file; a terminal gets text only.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - type: the type, or a pattern.
  ///   - path: the file; nil and "-" are standard output.
  ///   - isForced: whether a terminal gets any bytes.
  ///   - name: the row's name for the error.
  ///   - remedy: the command that writes to no terminal.
  /// - Throws: `CommandError` if a terminal would get other bytes than text; `DragboardError`,
  ///   `Failure`.
  func write(
    _ item: ItemID, as type: ContentType, to path: String? = nil, isForced: Bool = false,
    named name: String, remedy: String
  ) async throws {
    let file = try await file(of: item, as: type)
    let isShown = (path ?? "-") == "-" && Console.isTerminal && !isForced
    guard isShown else { return try await ByteSink(path).write(file) }
    guard try TerminalWriter.write(file) else {
      let types = try await types(of: item).map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        .refused, "\(name): is not text (\(types)), and the output is a terminal", remedy: remedy)
    }
  }
}
