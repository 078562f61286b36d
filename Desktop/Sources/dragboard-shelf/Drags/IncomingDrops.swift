import DragboardClient
import ShelfModel

/// All drops on a board, by any client, that still wait for promised content.
final class IncomingDrops {
  private let board: Board
  private let transfers: Transfers
  private var waiting: [SessionID: Transfer] = [:]
  private var following: Task<Void, Never>?

  /// Creates the object for the drops on `board`; `follow` starts to handle them.
  init(on board: Board, _ transfers: Transfers) {
    self.board = board
    self.transfers = transfers
  }

  /// Follows the board.
  func follow() {
    following = Task { [weak self, board] in
      do {
        for try await event in await board.dropTarget.events() { self?.take(event) }
      } catch {}
    }
  }

  /// Stops following the board.
  func close() {
    following?.cancel()
    endAll()
  }

  /// Ends all transfers after the daemon, which performed them, has left the bus.
  func endAll() {
    for transfer in waiting.values { transfers.end(transfer) }
    waiting = [:]
  }

  private func take(_ event: DropEvent) {
    switch event {
    case .pending(let session, 0, _, _), .performed(let session, _, _):
      if let transfer = waiting.removeValue(forKey: session) { transfers.end(transfer) }
    case .pending(let session, let count, _, let progress):
      let transfer = waiting[session] ?? begin(session, count)
      transfers.report(transfer, progress)
    // The signal of an end may have been lost.
    case .missed: endAll()
    }
  }

  private func begin(_ session: SessionID, _ count: Int) -> Transfer {
    let title = counted("Receiving one row", "Receiving %1 rows", count)
    let transfer = transfers.begin(title) { [connection = board.connection] in
      Task { try? await DragSession(session, on: connection).cancel() }
    }
    waiting[session] = transfer
    return transfer
  }
}
