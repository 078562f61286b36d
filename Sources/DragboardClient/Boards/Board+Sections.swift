import DBus
import DragboardInterface

extension Board {
  /// Inserts an empty section.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 Unicode scalars without controls, and no other section's.
  ///   - index: where it shall stand; nil is the end.
  /// - Returns: the revision.
  /// - Throws: `invalidArguments`, `limitsExceeded`.
  @discardableResult
  public func insertSection(
    named name: String, at index: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.insertSection, name, Int32(destination: index))
  }

  /// Gives a section another name; gives the revision.
  ///
  /// - Throws: `invalidArguments`.
  @discardableResult
  public func renameSection(
    at index: Int, to name: String
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.renameSection, UInt32(index: index), name)
  }

  /// Takes a section out, with its rows, and puts it back, so that it stands at `destination` then; gives the revision.
  ///
  /// - Throws: `invalidArguments`.
  @discardableResult
  public func moveSection(
    from source: Int, to destination: Int
  ) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.moveSection, UInt32(index: source), UInt32(index: destination))
  }

  /// Deletes a section with its rows; gives the revision.
  ///
  /// - Throws: `notEditable` where one of its rows is not; `invalidArguments` for the last section.
  @discardableResult
  public func deleteSection(at index: Int) async throws(DragboardError) -> UInt64 {
    try await call(BoardInterface.deleteSection, UInt32(index: index))
  }

  // MARK: Settings

  /// Says what a drop may bring: types and patterns.
  ///
  /// - Throws: `invalidArguments`, `limitsExceeded`.
  public func setAcceptedTypes(_ types: [ContentType]) async throws(DragboardError) {
    try await call(BoardInterface.setAcceptedTypes, types.map(\.rawValue))
  }

  /// Says how many rows there may be; 0 is the daemon's own limit.
  public func setMaxRows(_ count: Int) async throws(DragboardError) {
    guard let count = UInt32(exactly: count) else {
      throw DragboardError(
        .invalidArguments, "the most rows are \(count); valid is 0 to \(UInt32.max)")
    }
    try await connection.set(BoardInterface.maxRows, to: count, at: id.objectPath)
  }

  /// Says whether a local drag may move several rows.
  public func setMovesMultipleRows(_ movesMultipleRows: Bool) async throws(DragboardError) {
    try await connection.set(
      BoardInterface.movesMultipleRows, to: movesMultipleRows, at: id.objectPath)
  }
}
