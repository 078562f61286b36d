import DBus
import DragboardInterface

/// A copy of a board's order that follows the board.
///
/// The first update is the whole board. Each later update begins at the revision of the update
/// before it, so no change is missed. If the daemon leaves the bus, the mirror reports it. When the
/// daemon is back, the mirror continues with the changes in between. At most 10,000 edits and
/// 10,000 changes wait for a slow iteration. If there are more, they are dropped, and later read
/// from the daemon. The mirror ends when the board is deleted.
///
/// ```swift
/// for try await update in board.mirror() {
///   print(update.board.sections.map(\.items.count))
/// }
/// ```
public struct BoardMirror: AsyncSequence, Sendable {
  /// An update of the mirror.
  public typealias Element = BoardUpdate

  private let board: Board

  init(_ board: Board) { self.board = board }

  /// Returns an iterator with its own copy of the board's order.
  public func makeAsyncIterator() -> Iterator { Iterator(board: board) }

  /// An iterator over the updates.
  public struct Iterator: AsyncIteratorProtocol {
    let board: Board
    private var follower: MirrorFollower?

    init(board: Board) { self.board = board }

    /// Waits for the next update; nil when the board is deleted.
    ///
    /// - Throws: `noSuchBoard` and `noDaemon` only before the first update; `disconnected`;
    ///   `cancelled`.
    public mutating func next() async throws(DragboardError) -> BoardUpdate? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next update, as ``next()`` does.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DragboardError) -> BoardUpdate? {
      let connection = board.connection
      let follower =
        if let follower { follower } else {
          await MirrorFollower(board.objectPath, on: connection)
        }
      self.follower = follower
      return try await follower.nextUpdate(on: connection)
    }
  }
}

extension Board {
  /// Returns a copy of the board's order that follows the board.
  public func mirror() -> BoardMirror { BoardMirror(self) }
}
