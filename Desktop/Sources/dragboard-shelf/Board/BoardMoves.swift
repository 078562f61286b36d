import DragboardClient

/// The moves of rows between boards that this shelf has made.
///
/// A move is an edit of two boards: an insertion on the target, and a deletion on the source. The
/// daemon undoes only edits of one board, so undo and redo here find the other part of a move, and
/// do the same with it. A part is recognized by its effect on the rows, so edits before and after
/// the move can be undone in the usual order.
enum BoardMoves {
  /// A move of rows.
  private final class Move {
    let source: Board
    let items: Set<ItemID>
    let target: Board
    let arrived: Set<ItemID>
    var isUndone = false

    init(_ source: Board, _ items: Set<ItemID>, _ target: Board, _ arrived: Set<ItemID>) {
      (self.source, self.items, self.target, self.arrived) = (source, items, target, arrived)
    }

    /// Returns whether an effect on a board undoes or redoes the part of the move on the board.
    func matches(_ step: Direction, of board: BoardID, _ effect: Effect) -> Bool {
      let isSource = board == source.id
      let rows = isSource ? items : arrived
      // Undo inserts the rows of the source, and deletes the rows of the target.
      return !rows.isDisjoint(
        with: isSource == (step == .undo) ? effect.inserted : effect.deleted)
    }
  }

  /// The rows that a step has inserted and deleted.
  private struct Effect {
    var inserted: Set<ItemID> = []
    var deleted: Set<ItemID> = []
  }

  /// A step through the history of a board.
  enum Direction {
    case undo
    case redo

    fileprivate var opposite: Direction { self == .undo ? .redo : .undo }
  }

  /// The other board has changed since a move.
  struct HasChanged: Error {
    /// The other board.
    let board: BoardID
  }

  /// The latest moves, the latest first.
  private static var moves: [Move] = []
  /// The daemon can undo at least 100 edits.
  private static let maxMoves = 100

  /// Records a move.
  ///
  /// - Parameters:
  ///   - items: the rows that were deleted on the source.
  ///   - source: the board from which the rows were moved.
  ///   - target: the other board.
  ///   - arrived: the rows that were inserted on the target.
  static func record(
    _ items: [ItemID], from source: Board, to target: Board, arrived: [ItemID]
  ) {
    moves = [Move(source, Set(items), target, Set(arrived))] + moves.prefix(maxMoves - 1)
  }

  /// Undoes or redoes the latest edit of a board; of a move, both parts.
  ///
  /// - Throws: `HasChanged` if another edit would have to be undone or redone on the other board
  ///   first; then both boards are unchanged. Also the errors of the daemon.
  static func perform(_ step: Direction, on board: Board) async throws {
    let effect = try await effect(of: step, on: board)
    let move = moves.first {
      ($0.source.id == board.id || $0.target.id == board.id) && $0.isUndone == (step == .redo)
        && $0.matches(step, of: board.id, effect)
    }
    guard let move else { return }
    let other = board.id == move.source.id ? move.target : move.source
    do {
      guard try await performOther(step, of: move, on: other) else {
        throw HasChanged(board: other.id)
      }
    } catch {
      _ = try await self.effect(of: step.opposite, on: board)
      throw error
    }
    move.isUndone = step == .undo
  }

  /// Performs a step on the other board if the step is a part of the move.
  ///
  /// - Returns: whether it is a part of the move.
  private static func performOther(
    _ step: Direction, of move: Move, on board: Board
  ) async throws -> Bool {
    do {
      if move.matches(step, of: board.id, try await effect(of: step, on: board)) { return true }
    } catch let error as DragboardError
      where [.nothingToUndo, .nothingToRedo].contains(error.reason)
    {
      return false
    }
    _ = try await effect(of: step.opposite, on: board)
    return false
  }

  /// Performs a step on one board, and returns its effect; without moves, no effect.
  private static func effect(of step: Direction, on board: Board) async throws -> Effect {
    let isWatched = moves.contains { [$0.source.id, $0.target.id].contains(board.id) }
    let before = isWatched ? try await rows(of: board) : []
    switch step {
    case .undo: try await board.history.undo()
    case .redo: try await board.history.redo()
    }
    guard isWatched else { return Effect() }
    let after = try await rows(of: board)
    return Effect(inserted: after.subtracting(before), deleted: before.subtracting(after))
  }

  private static func rows(of board: Board) async throws -> Set<ItemID> {
    Set(try await board.snapshot().sections.flatMap(\.items))
  }
}
