import BoardModel

extension DropProposal {
  /// Decides what a drop of the session on the board would do, were it made now.
  ///
  /// Asks nothing of the session's state: whoever proposes asks first (``DragSession/requireActive()``).
  ///
  /// - Parameters:
  ///   - session: What is dragged.
  ///   - application: Who drags it over the board.
  ///   - board: Where it would be dropped.
  ///   - section: The section it would go to.
  ///   - row: Where the first item would stand afterwards: 0 to the number of rows, for a move less those that are
  ///     taken out of the section. Nil: the last of these.
  /// - Returns: What would be done, and where.
  /// - Throws: `DropPlaceError` where there is no such section or row.
  /// - Complexity: O(*n*) in the number of items and their representations.
  public static func decide(
    _ session: DragSession, application: Application, board: some DropDestination, section: Int,
    row: Int?
  ) throws(DropPlaceError) -> DropProposal {
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

  /// The first rule that fits.
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
    // Where there is room for all of them, nobody has to count.
    let fits =
      session.items.count <= room || session.items.count { $0.isAcceptable(to: types) } <= room
    return fits ? .copy : .forbidden
  }
}

extension DragSession {
  /// Whether a drop on the board could be anything but forbidden for its types: it has rows of the board, or an item
  /// with a representation that everybody sees and the board accepts.
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
  /// How many of the items are rows that stand in the section.
  fileprivate func rows(of board: some DropDestination, in section: Int) -> Int {
    count { item in item.row.flatMap(board.indexPath)?.section == section }
  }
}
