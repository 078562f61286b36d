import DragboardClient
import ShelfModel

/// A move of rows to another board.
///
/// A drop on the target copies the rows. The originals are deleted after all copies have arrived
/// completely. A board that accepts only some types gets only a part of a row; such a row is not
/// deleted.
struct BoardMove {
  private let source: BoardPage
  private let target: BoardPage
  /// The revision of the target before the drop.
  private let before: UInt64

  /// Prepares a move; must be called before the drop.
  init(from source: BoardPage, to target: BoardPage) async throws {
    (self.source, self.target) = (source, target)
    before = try await target.board.info().revision
  }

  /// Deletes the originals, except locked and pinned rows, if the target has received all rows
  /// completely.
  ///
  /// - Parameters:
  ///   - items: the originals in the order of the drop.
  ///   - arrived: the rows that the drop has inserted.
  /// - Throws: the error of the daemon; then the originals are not deleted.
  func finish(_ items: [ItemID], arrived: [ItemID]) async throws {
    let after = try await target.board.info().revision
    let originals = try await source.facts(of: items)
    guard try await areComplete(arrived, originals.ordered(by: items)) else {
      return source.report(
        localized("“%1” did not receive all content, so no row was deleted here.", target.title))
    }
    let free = originals.filter(\.leaves).map(\.id)
    guard !free.isEmpty else { return }
    let name = source.name(of: free)
    let revision = try await source.board.delete(free)
    BoardMoves.record(free, from: source.board, to: target.board, arrived: arrived)
    source.report(localized("%1 moved to “%2”", name, target.title)) { [self] in
      undo(revision, drop: after)
    }
  }

  private func areComplete(_ arrived: [ItemID], _ originals: [RowFacts]) async throws -> Bool {
    guard arrived.count == originals.count else { return false }
    let copies = try await target.facts(of: arrived, in: target.board.snapshot())
    let pairs = zip(copies.ordered(by: arrived), originals)
    return copies.count == arrived.count
      && pairs.allSatisfy { $0.types == $1.types && $0.byteCount == $1.byteCount }
  }

  /// Undoes the deletion and the drop if each is still the latest edit of its board.
  private func undo(_ deletion: UInt64, drop: UInt64) {
    source.edit { [self] in
      let now = (
        try await source.board.info().revision, try await target.board.info().revision
      )
      // If another client had edited the target during the drop, its revision would have increased
      // by more than one.
      guard now == (deletion, drop), drop == before + 1 else {
        return source.report(
          localized(
            "The move was not undone, because one of the boards has changed since. To undo the latest change of a board: Ctrl+Z."
          )
        )
      }
      try await source.perform(.undo)
    }
  }
}

extension [RowFacts] {
  /// Returns the rows in the order of `items`; omits rows that do not exist.
  fileprivate func ordered(by items: [ItemID]) -> [RowFacts] {
    let rows = Dictionary(map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return items.compactMap { rows[$0] }
  }
}
