/// The name, the settings and the size of a deleted board that can be restored.
package struct DeletedBoard: Hashable, Sendable {
  package let id: BoardNumber
  /// The header at the time of the deletion.
  ///
  /// Another board may now have the name or the path.
  package let header: BoardHeader
  /// The time of the deletion, in microseconds since 1970, UTC.
  package let time: UInt64
  package let rowCount: Int
  /// The size of all contents, including those that only the undo history needs.
  package let byteCount: Int

  package init(id: BoardNumber, header: BoardHeader, time: UInt64, rowCount: Int, byteCount: Int) {
    (self.id, self.header, self.time) = (id, header, time)
    (self.rowCount, self.byteCount) = (rowCount, byteCount)
  }
}
