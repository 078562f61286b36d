/// A deleted board that can still be restored: its name, its settings and its size.
package struct DeletedBoard: Hashable, Sendable {
  package let id: BoardID
  /// The header at the time of the deletion; another board may have its name or path by now.
  package let header: BoardHeader
  /// The time of the deletion, in microseconds since 1970, UTC.
  package let time: UInt64
  package let rowCount: Int
  /// The size of all contents, with those that only its undo history needs.
  package let byteCount: Int

  package init(id: BoardID, header: BoardHeader, time: UInt64, rowCount: Int, byteCount: Int) {
    (self.id, self.header, self.time) = (id, header, time)
    (self.rowCount, self.byteCount) = (rowCount, byteCount)
  }
}
