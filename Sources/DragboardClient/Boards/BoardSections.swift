import DBus
import DragboardInterface

/// The sections of a board, for editing.
///
/// An edit is durable when its call returns.
public struct BoardSections: Sendable {
  let board: Board

  /// Inserts an empty section.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 Unicode scalars without controls; unique on the board.
  ///   - index: the index of the new section; nil for the end of the board.
  /// - Returns: the revision.
  /// - Throws: `invalidArguments`, `limitsExceeded`.
  @discardableResult
  public func insert(
    named name: String, at index: Int? = nil
  ) async throws(DragboardError) -> UInt64 {
    try await board.call(BoardInterface.insertSection, name, Int32(destination: index))
  }

  /// Renames a section.
  ///
  /// - Returns: the revision.
  /// - Throws: `invalidArguments`.
  @discardableResult
  public func rename(
    at index: Int, to name: String
  ) async throws(DragboardError) -> UInt64 {
    try await board.call(BoardInterface.renameSection, UInt32(index: index), name)
  }

  /// Moves a section with its rows to the index `destination` among the other sections.
  ///
  /// - Returns: the revision.
  /// - Throws: `invalidArguments`.
  @discardableResult
  public func move(
    from source: Int, to destination: Int
  ) async throws(DragboardError) -> UInt64 {
    try await board.call(
      BoardInterface.moveSection, UInt32(index: source), UInt32(index: destination))
  }

  /// Deletes a section with its rows.
  ///
  /// - Returns: the revision.
  /// - Throws: `notEditable` if one of its rows is not editable; `invalidArguments` for the last
  ///   section.
  @discardableResult
  public func delete(at index: Int) async throws(DragboardError) -> UInt64 {
    try await board.call(BoardInterface.deleteSection, UInt32(index: index))
  }
}

extension Board {
  /// The sections, for editing.
  public var sections: BoardSections { BoardSections(board: self) }
}
