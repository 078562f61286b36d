import DragboardClient

/// What the daemon is asked so that a command line can be completed.
struct CompletionQuestions {
  private let dragboard: DragboardConnection
  private let line: ShellLine

  init(_ dragboard: DragboardConnection, _ line: ShellLine) {
    self.dragboard = dragboard
    self.line = line
  }

  private var board: Board {
    get async throws(DragboardError) {
      let name = line.value(of: "--board", "-b") ?? DragboardConnection.defaultBoard
      return try await dragboard.board(named: name)
    }
  }

  func boards() async throws -> [Candidate] {
    try await dragboard.boards().map {
      Candidate($0.info.name, Amounts.count($0.info.count, "row"))
    }
  }

  func sections() async throws -> [Candidate] {
    try await board.info().sections.map { Candidate($0) }
  }

  func rows() async throws -> [Candidate] {
    try await RowCandidates(of: board).candidates(for: line.current)
  }

  func rowsOfView() async throws -> [Candidate] {
    guard let number = line.positionals.dropFirst(2).first.flatMap({ UInt64($0) }) else {
      return []
    }
    let board = try await BoardView(ViewID(number), on: dragboard).info().board
    return try await RowCandidates(of: Board(board, on: dragboard)).candidates(for: line.current)
  }

  func places() async throws -> [Candidate] {
    let ends = try await sections().map { Candidate($0.word + ":", "the end of the section") }
    return try await rows() + ends
  }

  func sessions() async throws -> [Candidate] {
    try await dragboard.sessions().map { session, info in
      let items = Amounts.count(info.itemCount, "item")
      return Candidate("\(session.id)", "\(items) of \(info.application), \(info.state.rawValue)")
    }
  }

  func views() async throws -> [Candidate] {
    try await dragboard.views().map { view, info in
      Candidate("\(view.id)", "of \(info.application)")
    }
  }

  func typesOfRow() async throws -> [Candidate] {
    guard let name = line.positionals.dropFirst().first.flatMap({ RowName(argument: $0) }) else {
      return []
    }
    let board = try await board
    let item = try await RowFinder(board).item(name)
    return try await board.types(of: item).map { Candidate($0.rawValue) }
  }

  func typesOfDrag() async throws -> [Candidate] {
    let number = line.positionals.dropFirst().first.flatMap { UInt64($0) }
    let session = try await SessionArgument.find(number, on: dragboard)
    var types: [ContentType] = []
    for item in 0..<min(try await session.info().itemCount, Self.maxItemCount) {
      for type in try await session.types(ofItem: item) where !types.contains(type) {
        types.append(type)
      }
    }
    return types.map { Candidate($0.rawValue) }
  }

  /// Maximum number of items whose types are read.
  private static let maxItemCount = 20
}
