// Prints the board "default" after every change, and the other events of Dragboard, until it is
// interrupted.
//
//   watch

import DragboardClient
// stdout and stderr are variables in C.
@preconcurrency import Glibc

@main
enum Program {
  static func main() async {
    do {
      let dragboard = try await DragboardConnection.connect()
      let board = try await dragboard.board(named: DragboardConnection.defaultBoard)
      // No event from here on is missed.
      let events = await dragboard.events()
      async let following: Void = show(events)
      try await show(board)
      try await following
    } catch {
      fputs("watch: \(error)\n", stderr)
      exit(1)
    }
  }

  /// Follows a copy of the board, which also survives the daemon's absence.
  static func show(_ board: Board) async throws {
    for try await update in board.mirror() {
      let counts = update.board.sections.map { "\($0.name): \($0.items.count)" }
      say("revision \(update.board.revision), \(counts.joined(separator: ", "))")
    }
    say("the board is gone")
  }

  static func show(_ events: Events<DragboardEvent>) async throws {
    for try await event in events {
      switch event {
      case .dragBegan(let session, let application): say("drag \(session) of \(application)")
      case .dragEnded(let session, _, let operation): say("drag \(session) has ended: \(operation)")
      default: say("\(event)")
      }
    }
  }

  /// Prints a line without buffering.
  static func say(_ line: String) {
    print(line)
    fflush(stdout)
  }
}
