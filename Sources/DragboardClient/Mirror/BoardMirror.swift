import DBus
import DragboardInterface

/// A copy of a board's order that follows the board: the board as it is, then everything that happens to it.
///
/// The first update is the whole board, and each of the others follows on the one before it. It listens before it asks, so that nothing is
/// missed. The daemon's leaving is told; when it has come back, what happened meanwhile is. At most 10,000 edits or changes wait for whoever
/// iterates; where that is too slow they are dropped, and the daemon is asked for them later. It ends when the board is deleted.
///
/// ```swift
/// for try await update in board.mirror() {
///   print(update.board.sections.map(\.items.count))
/// }
/// ```
public struct BoardMirror: AsyncSequence, Sendable {
  /// What the mirror has to tell.
  public typealias Element = BoardUpdate

  private let board: Board

  init(_ board: Board) { self.board = board }

  /// A copy of its own for each iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(board: board) }

  /// Gives the updates, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let board: Board
    private var follower: MirrorFollower?

    init(board: Board) { self.board = board }

    /// Waits for the next update; nil when the board is gone.
    ///
    /// - Throws: `noSuchBoard`, `noDaemon` at the first; `disconnected`, `cancelled` at any.
    public mutating func next() async throws(DragboardError) -> BoardUpdate? {
      let follower =
        if let follower { follower } else { await board.connection.follow(board.id.objectPath) }
      self.follower = follower
      return try await board.connection.nextUpdate(of: follower)
    }

    /// Waits for the next update; nil when the board is gone.
    ///
    /// - Throws: `noSuchBoard`, `noDaemon` at the first; `disconnected`, `cancelled` at any.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DragboardError) -> BoardUpdate? {
      try await next()
    }
  }
}

extension Board {
  /// A copy of the board's order that follows the board.
  public func mirror() -> BoardMirror { BoardMirror(self) }
}
