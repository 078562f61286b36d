import DragboardClient
import Files

extension Board {
  /// Writes the bytes of a row to standard output or to a file.
  ///
  /// If the output is a terminal, it writes only text, or any bytes if `isForced` is true.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - type: the type, or a pattern.
  ///   - path: the file; nil and "-" mean standard output.
  ///   - isForced: whether bytes that are not text are written to a terminal.
  ///   - name: the row's name in the error.
  ///   - remedy: the remedy in the error: the command that writes to a file.
  /// - Throws: `CommandError` if the row is not text and the output is a terminal;
  ///   `DragboardError`, `Failure`.
  func write(
    _ item: ItemID, as type: ContentType, to path: String? = nil, isForced: Bool = false,
    named name: String, remedy: String
  ) async throws {
    let file = try await file(of: item, as: type)
    let isShown = (path ?? "-") == "-" && Console.isTerminal && !isForced
    guard isShown else { return try await Self.write(file, to: path) }
    guard try TerminalWriter.write(file) else {
      let types = try await types(of: item).map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        .refused, "\(name): is not text (\(types)), and the output is a terminal", remedy: remedy)
    }
  }

  /// Writes a file to standard output or to a path.
  ///
  /// An existing file is replaced only when all bytes are on the disk.
  private static func write(_ file: ReceivedFile, to path: String?) async throws {
    guard let path, path != "-", let new = try ReplacementFile(at: path) else {
      return try await ByteSink(path).write(file)
    }
    ProgressBar.clear()
    try await file.copy(to: new.descriptor.number, isShown: true)
    try new.publish()
  }
}
