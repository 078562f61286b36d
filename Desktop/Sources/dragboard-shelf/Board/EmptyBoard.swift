import DragboardClient
import ShelfModel

/// The kind of a board without rows, which decides the message in place of its list.
enum EmptyBoard: Equatable {
  /// A board for anything.
  case ordinary
  /// A board that accepts only some types, with their readable names.
  case accepting(String)
  /// The board of the clipboard bridge.
  case clipboard(isRecording: Bool)
  /// A board that other machines have, too.
  case shared

  /// Reads the kind of a board.
  init(_ board: Board) async {
    guard let info = try? await board.info() else {
      self = .ordinary
      return
    }
    if info.name == ClipboardBridge.boardName {
      self = .clipboard(isRecording: (try? await board.connection.clipboard.info()) != nil)
    } else if await Self.isShared(info.name) {
      self = .shared
    } else if !info.acceptedTypes.contains(.any) {
      self = .accepting(ContentType.names(of: info.acceptedTypes))
    } else {
      self = .ordinary
    }
  }

  /// Returns whether the link shares a board with other machines.
  private static func isShared(_ name: String) async -> Bool {
    guard let link = Programs.find("dragboard-link") else { return false }
    // If the server is not reachable, the command fails, but it prints the boards.
    let lines = await Programs.run(link, ["status"]).output.split(separator: "\n")
    let board = lines.first { $0.hasPrefix("board    \(name): ") }
    return board.map { !$0.contains("dragboard link accept") } ?? false
  }
}
