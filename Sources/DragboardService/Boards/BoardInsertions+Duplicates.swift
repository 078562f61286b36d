import BoardModel
import DBus
import DragboardInterface
import DragboardStore

extension BoardInsertions {
  /// Moves the row that has this content already, if the board moves duplicates.
  ///
  /// The row of a sandboxed client, or of the clipboard, must have the source of the new content. The
  /// user does not get a row of a sandbox. Otherwise a client would have more rights on the row than on
  /// a new one, and the row would use another share.
  ///
  /// - Returns: the row; nil if there is none. A row that is not movable stays in its position.
  func moveDuplicate(
    of content: RowContent, to path: IndexPath, on board: BoardEntity, by inserter: Inserter,
    in step: Step
  ) throws(DBusError) -> RowID? {
    let duplicate = try self.duplicate(of: content, on: board, by: inserter, in: step) {
      content.hasSameRepresentations(as: $0)
    }
    guard let row = duplicate, let position = board.indexPath(of: row) else { return nil }
    try renew(row, on: board, in: step)
    guard board.isMovable(row) else { return row }
    let isBefore = position.section == path.section && position.row < path.row
    try board.edit(in: step, by: inserter.sandboxOfRows) { model throws(BoardError) in
      try model.move(
        from: position,
        to: IndexPath(section: path.section, row: path.row - (isBefore ? 1 : 0)))
    }
    return row
  }

  /// The maximum number of rows with which a content is compared.
  ///
  /// Only contents that a client has made for this purpose have the same digest and different bytes.
  private static let maxCompared = 8

  /// Returns the newest row that has the digest of a content, that may be moved for the inserter, and
  /// whose content satisfies `isSame`; nil if there is none.
  private func duplicate(
    of content: RowContent, on board: BoardEntity, by inserter: Inserter, in step: Step,
    where isSame: (RowContent) -> Bool
  ) throws(DBusError) -> RowID? {
    guard board.header.movesDuplicates, let digest = content.digest else { return nil }
    let isFromClipboard = content.origin.source == ClipboardInterface.rowSource
    let source = inserter.source ?? (isFromClipboard ? content.origin.source : nil)
    var compared = 0
    do throws(StoreError) {
      for row in try step.store.rows(withDigest: digest) where board.board.contains(row) {
        guard compared < Self.maxCompared, let origin = try step.store.summary(of: row)?.origin,
          inserter.source != nil || origin.sandbox == nil,
          source == nil || source == origin.source
        else { continue }
        compared += 1
        if let other = try step.store.rowContent(of: row), isSame(other) { return row }
      }
    } catch { throw error.answer }
    return nil
  }

  /// Gives a content the files of the row that it duplicates, so that ``moveDuplicate`` finds this
  /// row without reading files.
  ///
  /// The files are compared on another thread, before the client's next work. If no row may have the
  /// content of a single row, `then` is called at once.
  func shareFiles(
    of prepared: Result<[RowContent], DBusError>, on board: BoardEntity, for command: Command,
    in step: Step, then: @escaping (Step, Result<[RowContent], DBusError>) -> Void
  ) {
    guard case .success(let contents) = prepared, contents.count == 1,
      contents[0].representations.contains(where: { $0.bytes.inMemory == nil })
    else { return then(step, prepared) }
    let content = contents[0]
    var others: [RowContent] = []
    do throws(DBusError) {
      try board.checkExists(in: step)
      _ = try duplicate(of: content, on: board, by: command.access.inserter, in: step) {
        others.append($0)
        return false
      }
    } catch { return then(step, .failure(error)) }
    guard !others.isEmpty else { return then(step, prepared) }
    work.runNext(for: command) { [others] in
      others.lazy.compactMap { content.sharingFiles(of: $0) }.first ?? content
    } then: { step, content in
      then(step, .success([content]))
    }
  }

  /// Gives a row the age of a new row, so that the board retains it as long as a new row.
  private func renew(
    _ row: RowID, on board: BoardEntity, in step: Step
  ) throws(DBusError) {
    let number = try step.write { store throws(StoreError) in
      let number = try store.reserveRows(1)[0]
      try store.setAge(of: row, created: now(), renewal: number.rawValue)
      return number
    }
    step.onRollback { board.retention = BoardRetention() }
    board.retention.renew(row, as: number)
  }
}

extension IncomingRow {
  /// Returns the content of the row if it can be stored without waiting.
  ///
  /// If the board moves duplicates, the content has its digest.
  func ready(digesting: Bool) -> RowContent? { digesting ? ready?.digested : ready }
}
