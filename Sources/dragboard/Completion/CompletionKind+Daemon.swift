import ArgumentParser
import DragboardClient

/// Completions that ask the daemon.
extension CompletionKind {
  static let boards = asking { dragboard, _ in
    try await dragboard.boards().map {
      Candidate($0.info.name, Amounts.count($0.info.count, "row"))
    }
  }

  /// The deleted boards that can be restored.
  static let deletedBoards = asking { dragboard, _ in
    try await dragboard.deletedBoards().map {
      Candidate($0.name, Amounts.count($0.count, "row"))
    }
  }

  /// Rows of the board that `--board` names.
  static let rows = asking { dragboard, line in
    try await RowCandidates(of: line.board(on: dragboard)).candidates(for: line.current)
  }

  /// Rows of the board of the view that comes first.
  static let rowsOfView = asking { dragboard, line in
    guard let number = line.positional(2).flatMap({ UInt64($0) }) else { return [] }
    let board = try await BoardView(ViewID(number), on: dragboard).info().board
    return try await RowCandidates(of: Board(board, on: dragboard)).candidates(for: line.current)
  }

  /// Rows of that board, and the ends of its sections.
  static let places = asking { dragboard, line in
    let board = try await line.board(on: dragboard)
    let rows = try await RowCandidates(of: board).candidates(for: line.current)
    return rows
      + (try await board.info().sections.map { Candidate($0 + ":", "the end of the section") })
  }

  /// Sections of that board.
  static let sections = asking { dragboard, line in
    try await line.board(on: dragboard).info().sections.map { Candidate($0) }
  }

  /// Drags that have not ended.
  static let sessions = asking { dragboard, _ in
    try await dragboard.sessions().map { session, info in
      let items = Amounts.count(info.itemCount, "item")
      return Candidate("\(session.id)", "\(items) of \(info.application), \(info.state.rawValue)")
    }
  }

  static let views = asking { dragboard, _ in
    try await dragboard.views().map { Candidate("\($0.view.id)", "of \($0.info.application)") }
  }

  /// Types of the row that comes first.
  static let typesOfRow = asking { dragboard, line in
    guard let name = line.positional(1).flatMap({ RowName(argument: $0) }) else { return [] }
    let board = try await line.board(on: dragboard)
    return try await board.types(of: RowFinder(board).item(name)).map { Candidate($0.rawValue) }
  }

  /// Types of the drag that comes first, or of the latest.
  static let typesOfDrag = asking { dragboard, line in
    let number = line.positional(1).flatMap { UInt64($0) }
    let session = try await SessionArgument.find(number, on: dragboard)
    var types: [ContentType] = []
    for item in 0..<min(try await session.info().itemCount, maxItemCount) {
      for type in try await session.types(ofItem: item) where !types.contains(type) {
        types.append(type)
      }
    }
    return types.map { Candidate($0.rawValue) }
  }

  /// Maximum number of items of a drag whose types are read.
  private static let maxItemCount = 20

  /// The types of file name extensions.
  static let types = list(FileType.known)
  /// The same, and patterns.
  static let typePatterns = list(
    ["*/*", "text/*", "image/*", "audio/*", "video/*"] + FileType.known)

  /// Asks the daemon; an error gives no candidates, because nobody who presses Tab wants to read it.
  private static func asking(
    _ question:
      @escaping @Sendable (isolated DragboardConnection, ShellLine) async throws -> [Candidate]
  ) -> CompletionKind {
    custom { words, index, _ in
      let shell = CompletionShell.requesting.flatMap {
        CompletionCommand.Shell(rawValue: $0.rawValue)
      }
      let line = ShellLine(words, completing: index, isBash: shell == .bash)
      let candidates = TimeLimit.run {
        try? DragboardConnection.run(to: line.value(of: "--address")) { dragboard in
          try await question(dragboard, line)
        }
      }
      return (candidates ?? []).compactMap { $0.line(for: shell, behind: line.kept) }
    }
  }
}

extension ShellLine {
  /// The word after the subcommand and `number - 1` others; nil if there is none.
  fileprivate func positional(_ number: Int) -> String? { positionals.dropFirst(number).first }

  /// The board that `--board` names.
  fileprivate func board(
    on dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> Board {
    let name = value(of: "--board", "-b") ?? DragboardConnection.defaultBoard
    return try await dragboard.board(named: name)
  }
}
