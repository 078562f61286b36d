import BoardModel

extension DropProposal {
  /// Decides the outcome of a drop of the session on the board in its present state.
  ///
  /// Does not check the state of the session. A caller that stores the proposal must call
  /// ``DragSession/requireActive()`` first.
  ///
  /// - Parameters:
  ///   - session: The session to drop.
  ///   - application: The application that drags the session over the board.
  ///   - board: The destination.
  ///   - section: The index of the destination section.
  ///   - row: The index of the first item after the drop, from 0 to the number of rows. For a move,
  ///     the rows that leave the section are not counted. Nil means the largest valid index.
  /// - Returns: The operation and the position.
  /// - Throws: `DropPositionError` if the section or the row does not exist.
  /// - Complexity: O(*n*) in the number of items and their representations.
  public static func decide(
    _ session: DragSession, application: Application, board: some DropDestination, section: Int,
    row: Int?
  ) throws(DropPositionError) -> DropProposal {
    guard (0..<board.sectionCount).contains(section) else {
      throw .noSuchSection(section, count: board.sectionCount)
    }
    let operation = operation(session, application: application, board: board)
    let taken = operation == .move ? session.items.rows(of: board, in: section) : 0
    let end = max(0, board.rowCount(inSection: section) - taken)
    let row = row ?? end
    guard (0...end).contains(row) else {
      throw .noSuchRow(row, section: section, operation: operation, end: end)
    }
    return DropProposal(
      operation: operation, destination: IndexPath(section: section, row: row))
  }

  /// Returns the operation of the first rule that matches.
  private static func operation(
    _ session: DragSession, application: Application, board: some DropDestination
  ) -> DropOperation {
    if session.isRestrictedToApplication && application != session.source { return .forbidden }
    if application == session.source && session.hasRows(of: board) {
      if session.items.count > 1 && !board.movesMultipleRows { return .cancel }
      if !session.allowsMove { return .cancel }
      return session.items.allSatisfy { $0.canMove(within: board) } ? .move : .forbidden
    }
    let (types, room) = (board.acceptedTypes, board.maxRows - board.rowCount)
    guard session.items.contains(where: { $0.isAcceptable(to: types) }) else { return .forbidden }
    // If the board has room for all items, the acceptable items need not be counted.
    let fits =
      session.items.count <= room || session.items.count { $0.isAcceptable(to: types) } <= room
    return fits ? .copy : .forbidden
  }
}

extension DragSession {
  /// Returns whether the board can handle the session's items.
  ///
  /// It can if the session has rows of the board, or a representation that is visible to all
  /// clients and has an accepted type.
  public func canBeHandled(by board: some DropDestination) -> Bool {
    hasRows(of: board) || items.contains { $0.isAcceptable(to: board.acceptedTypes) }
  }

  fileprivate func hasRows(of board: some DropDestination) -> Bool {
    origin?.board == board.key
  }
}

extension ItemProvider {
  fileprivate func canMove(within board: some DropDestination) -> Bool {
    guard let row, board.indexPath(of: row) != nil else { return false }
    return board.isMovable(row)
  }
}

extension [ItemProvider] {
  /// Returns the number of items that are rows in the section.
  fileprivate func rows(of board: some DropDestination, in section: Int) -> Int {
    count { item in item.row.flatMap(board.indexPath)?.section == section }
  }
}
