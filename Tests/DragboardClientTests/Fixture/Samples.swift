import TestSupport
import Testing

@testable public import DragboardClient

/// Returns a different id for each number.
func item(_ number: Int) -> ItemID {
  let digits = String(number, radix: 16)
  let text = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  return ItemID(text) ?? item(0)
}

/// Returns a board of one section.
func board(_ revision: UInt64, _ numbers: Int...) -> BoardSnapshot {
  BoardSnapshot(
    revision: revision,
    sections: [BoardSnapshot.Section(name: "main", items: numbers.map(item))])
}

extension RowPosition: ExpressibleByIntegerLiteral {
  /// The row at this index of the first section.
  public init(integerLiteral row: Int) { self.init(section: 0, row: row) }
}

/// Checks that `body` throws an error with this reason.
func expect(
  _ reason: DragboardError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: DragboardError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.reason == reason, sourceLocation: sourceLocation)
}

/// A daemon on a private bus, and a client of the daemon.
struct Stage {
  let daemon: Daemon
  let dragboard: DragboardConnection
  let board: Board

  init() async throws {
    daemon = try Daemon()
    dragboard = try await DragboardConnection.connect(to: daemon.bus.address)
    board = try await dragboard.board(named: DragboardConnection.defaultBoard)
  }

  /// Returns another client of the same daemon.
  func another() async throws -> DragboardConnection {
    try await DragboardConnection.connect(to: daemon.bus.address)
  }
}
