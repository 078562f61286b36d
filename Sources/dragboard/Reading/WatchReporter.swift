import DragboardClient

struct WatchReporter: Sendable {
  private let board: String
  private let isJSON: Bool
  /// Whether each line begins with the time at which it is printed.
  private let hasTimes: Bool
  private let ink = Ink.standard

  init(board: String, isJSON: Bool, hasTimes: Bool = false) {
    self.board = board
    self.isJSON = isJSON
    self.hasTimes = hasTimes
  }

  /// Reports an event of a drag, a board or the daemon.
  func report(_ event: DragboardEvent) throws(Failure) {
    switch event {
    case .dragBegan(let session, let application):
      try line(
        "drag-began", ["session": JSON(session.number), "application": .string(application)],
        "drag \(session) began", "by \(application)")
    case .dragEnded(let session, let application, let operation):
      try line(
        "drag-ended",
        [
          "session": JSON(session.number), "application": .string(application),
          "operation": .string(operation.rawValue),
        ], "drag \(session) ended", operation.transfers ? Self.verb(operation) : "cancelled")
    case .boardAdded(let board):
      try line("board-added", ["path": .string(board.path)], "board added", Self.name(of: board))
    case .boardRemoved(let board):
      try line(
        "board-removed", ["path": .string(board.path)], "board removed", Self.name(of: board))
    case .boardRenamed(let board, let name):
      try line(
        "board-renamed", ["path": .string(board.path), "name": .string(name)], "board renamed",
        "\(Self.name(of: board)) is now '\(name)'")
    case .daemonCame: try line("daemon-came", [:], "the daemon is on the bus")
    case .daemonLeft: break
    case .missed: try line("missed", [:], "some events were missed")
    }
  }

  private static func verb(_ operation: DropOperation) -> String {
    operation == .move ? "moved" : "copied"
  }

  /// Returns the last part of the path of a board, which resembles its name.
  private static func name(of board: BoardID) -> String {
    board.path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Reports a drop on the board: rows that are loading, and rows that have arrived.
  func report(_ event: DropEvent) throws(Failure) {
    switch event {
    case .pending(let session, let count, let place, let progress):
      try line(
        "drop-pending",
        [
          "board": .string(board), "session": JSON(session.number), "rows": JSON(count),
          "to": .string("\(place)"), "progress": .fraction(progress),
        ], "drag \(session)",
        count > 0
          ? "\(Amounts.count(count, "row")) loading to \(place), \(Int(progress * 100)) %"
          : "nothing is loading any longer")
    case .performed(let session, let operation, let items):
      try line(
        "drop-performed",
        [
          "board": .string(board), "session": JSON(session.number),
          "operation": .string(operation.rawValue), "ids": JSON(texts: items),
        ], "drag \(session)", "\(Self.verb(operation)) \(Amounts.count(items.count, "row"))")
    case .missed: try line("missed", [:], "some events were missed")
    }
  }

  /// Reports the board, or its changes.
  ///
  /// - Throws: `DragboardError` if the texts cannot be read; `Failure` if the output cannot be
  ///   written.
  func report(_ update: BoardUpdate, _ texts: inout RowTexts) async throws {
    switch update {
    case .snapshot(let board):
      try report(
        "board", of: board, "board '\(self.board)'",
        "\(Amounts.count(board.count, "row")), revision \(board.revision)")
      try await read { () throws(DragboardError) in try await texts.load() }
    case .lost(let board): try report("daemon-left", of: board, "the daemon has left the bus")
    case .changes(let changes, let board):
      try await read { () throws(DragboardError) in try await texts.follow(changes) }
      for change in changes { try report(change, texts, at: board.revision) }
    }
  }

  /// Reads texts.
  ///
  /// If the daemon has left or the board was deleted, the error is ignored and the texts stay
  /// unknown, because the mirror reports this.
  private func read(_ body: () async throws(DragboardError) -> Void) async throws(DragboardError) {
    do throws(DragboardError) { try await body() } catch {
      guard [.noDaemon, .noReply, .noSuchBoard].contains(error.reason) else { throw error }
    }
  }

  private func report(
    _ event: String, of board: BoardSnapshot, _ words: String, _ details: String = ""
  ) throws(Failure) {
    try line(
      event,
      [
        "board": .string(self.board), "revision": JSON(board.revision), "rows": JSON(board.count),
      ], words, details)
  }

  /// Reports a change, with the revision and the row's text if they are known.
  func report(_ change: BoardChange, _ texts: RowTexts, at revision: UInt64?) throws(Failure) {
    let (kind, members): (String, JSON) =
      switch change {
      case .insert(let item, let to): ("insert", ["id": JSON(text: item), "to": JSON(text: to)])
      case .delete(let item, let from):
        ("delete", ["id": JSON(text: item), "from": JSON(text: from)])
      case .move(let item, let from, let to):
        ("move", ["id": JSON(text: item), "from": JSON(text: from), "to": JSON(text: to)])
      case .reload(let item, let at): ("reload", ["id": JSON(text: item), "at": JSON(text: at)])
      case .insertSection(let name, let to):
        ("insert-section", ["name": .string(name), "to": JSON(to)])
      case .deleteSection(let name, let from):
        ("delete-section", ["name": .string(name), "from": JSON(from)])
      case .moveSection(let name, let from, let to):
        ("move-section", ["name": .string(name), "from": JSON(from), "to": JSON(to)])
      case .renameSection(let name, let at):
        ("rename-section", ["name": .string(name), "at": JSON(at)])
      }
    let start: JSON = ["board": .string(board)]
    let text = change.item.flatMap { texts[$0] }
    try line(
      kind,
      start + (revision.map { ["revision": JSON($0)] } ?? [:]) + members
        + (text.map { ["text": .string($0)] } ?? [:]),
      Self.words(for: change), text ?? change.item.map { "row \($0)" } ?? "")
  }

  private static func words(for change: BoardChange) -> String {
    switch change {
    case .insert(_, let to): "inserted at \(to)"
    case .delete(_, let from): "deleted from \(from)"
    case .move(_, let from, let to): "moved from \(from) to \(to)"
    case .reload(_, let at): "changed at \(at)"
    case .insertSection(let name, let to): "inserted section '\(name)' at \(to)"
    case .deleteSection(let name, _): "deleted section '\(name)'"
    case .moveSection(let name, let from, let to):
      "moved section '\(name)' from \(from) to \(to)"
    case .renameSection(let name, let at): "renamed section \(at) to '\(name)'"
    }
  }

  /// Prints an event: as JSON, or the words and the details.
  private func line(
    _ event: String, _ members: JSON, _ words: String, _ details: String = ""
  ) throws(Failure) {
    if isJSON { return try Console.writeLine(["event": .string(event)] + members) }
    let time = hasTimes ? ink.dim(Amounts.timeOfDay(Amounts.now)) + "  " : ""
    let text = ink.bold(TerminalText(words).text)
    try Console.writeLine(time + text + (details.isEmpty ? "" : ": \(TerminalText(details).text)"))
  }
}
