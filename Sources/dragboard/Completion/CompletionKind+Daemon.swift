import ArgumentParser
import DragboardClient
import Files

/// Completions that ask the daemon, or the link.
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
  static let rows = asking { dragboard, request in
    try await RowCandidates(of: request.board(on: dragboard)).candidates(for: request.current)
  }

  /// Rows of the board of the view that is the first argument.
  static let rowsOfView = asking { dragboard, request in
    guard let number = request.positionals.first.flatMap({ UInt64($0) }) else { return [] }
    let board = try await BoardView(ViewID(number), on: dragboard).info().board
    return try await RowCandidates(of: Board(board, on: dragboard)).candidates(for: request.current)
  }

  /// Rows of the board that `--board` names, and the ends of its sections.
  static let places = asking { dragboard, request in
    let board = try await request.board(on: dragboard)
    let rows = try await RowCandidates(of: board).candidates(for: request.current)
    return rows
      + (try await board.info().sections.map { Candidate($0 + ":", "the end of the section") })
  }

  /// Sections of the board that `--board` names.
  static let sections = asking { dragboard, request in
    try await request.board(on: dragboard).info().sections.map { Candidate($0) }
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

  /// Types of the row that is the first argument.
  static let typesOfRow = asking { dragboard, request in
    guard let name = request.positionals.first.flatMap({ RowName(argument: $0) }) else { return [] }
    let board = try await request.board(on: dragboard)
    return try await board.types(of: RowFinder(board).item(name)).map { Candidate($0.rawValue) }
  }

  /// Types of the drag that is the first argument, or of the latest drag.
  static let typesOfDrag = asking { dragboard, request in
    let number = request.positionals.first.flatMap { UInt64($0) }
    let session = try await SessionArgument.find(number, on: dragboard)
    var types: [ContentType] = []
    for item in 0..<min(try await session.info().itemCount, maxItemCount) {
      for type in try await session.types(ofItem: item) where !types.contains(type) {
        types.append(type)
      }
    }
    return types.map { Candidate($0.rawValue) }
  }

  /// The maximum number of a drag's items whose types are read.
  private static let maxItemCount = 20

  /// The other machines of the group.
  static let machines = listing { _ in
    guard let program = try? Program.findSibling(LinkReport.program),
      let result = try? Subprocess.output(of: program, ["status", "--json"], errors: .null),
      let report = LinkReport(result.output)
    else { return [] }
    return (report.machines ?? []).filter { $0 != report.machine }.map { Candidate($0) }
  }

  /// All types that have a file name extension.
  static let types = list(FileType.known)
  /// All types that have a file name extension, and patterns.
  static let typePatterns = list(
    ["*/*", "text/*", "image/*", "audio/*", "video/*"] + FileType.known)

  /// Reads candidates from the daemon.
  ///
  /// After an error there are no candidates and no message, because a message would disturb the
  /// user, who only pressed Tab.
  private static func asking(
    _ question:
      @escaping @Sendable (isolated DragboardConnection, CompletionRequest) async throws ->
      [Candidate]
  ) -> CompletionKind {
    listing { request in
      let candidates = try? DragboardConnection.run(to: request.values["--address"]) { dragboard in
        try await question(dragboard, request)
      }
      return candidates ?? []
    }
  }

  /// Offers those of the candidates that `find` returns which no shell evaluates.
  private static func listing(
    _ find: @escaping @Sendable (CompletionRequest) -> [Candidate]
  ) -> CompletionKind {
    custom { _, _, _ in
      let candidates = CompletionRequest.current.map(find) ?? []
      return candidates.filter { SafeWord.isSafe($0.word) }.map(\.line)
    }
  }
}

extension CompletionRequest {
  /// Returns the board that `--board` names.
  fileprivate func board(
    on dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> Board {
    let name = values["--board"] ?? BoardOptions.standard
    return try await dragboard.board(named: name)
  }
}
