import DragboardClient
import Synchronization

/// The import of an archive into a new board.
///
/// The contents are read in the order of the manifest, so that the archive can be a pipe. If the
/// import fails, it discards the new board.
struct BoardImport {
  /// The maximum number of bytes of a manifest.
  private static let maxManifestByteCount = 1 << 30
  /// The maximum number of insertions of small rows that are outstanding.
  private static let maxOutstanding = 64
  private static let maxNameScalars = 64
  private static let maxNames = 1_000

  private let dragboard: DragboardConnection
  private let archive: ArchiveReader
  private let bar = ProgressBar("importing")

  /// - Parameters:
  ///   - archive: the archive, at its beginning.
  ///   - dragboard: the daemon in which the board is created.
  init(_ archive: ArchiveReader, on dragboard: DragboardConnection) {
    (self.archive, self.dragboard) = (archive, dragboard)
  }

  /// Creates the board.
  ///
  /// - Parameter name: the name of the new board; nil for the name in the manifest, with a number
  ///   if that name is taken.
  /// - Returns: the name of the new board, and the number of its rows.
  /// - Throws: `CommandError` for a damaged archive, or if the daemon refuses a part of it;
  ///   `DragboardError`, `Failure`, `CancellationError`.
  func run(as name: String?) async throws -> (name: String, rows: Int) {
    var manifest = try await readManifest()
    let board = try await newBoard(named: name, or: manifest.board.name)
    let edits = EditCount()
    do {
      try Task.checkCancellation()
      let count = try await fill(board, from: &manifest, counting: edits)
      return (try await board.info().name, count)
    } catch {
      await uncancelled { await Self.remove(board, after: edits) }
      throw error
    }
  }

  /// Removes the incomplete board.
  ///
  /// If another client has edited the board, it is deleted so that it can be restored.
  private static func remove(_ board: Board, after edits: EditCount) async {
    guard let info = try? await board.info() else { return }
    if info.revision == edits.revision {
      do throws(DragboardError) {
        return try await board.connection.discardBoard(named: info.name, ifAt: info.revision)
      } catch {
        guard error.reason == .staleRevision else { return }
      }
    }
    try? await board.connection.deleteBoard(named: info.name)
  }

  private func readManifest() async throws -> ManifestReader {
    guard let member = try archive.next(), member.path == BoardManifest.path else {
      throw archive.damage("\(BoardManifest.path) must be the first member")
    }
    guard member.byteCount <= Self.maxManifestByteCount else {
      throw archive.damage("too large (at most \(Amounts.bytes(Self.maxManifestByteCount)))")
    }
    let file = try SpoolFile()
    try archive.read { try file.write($0) }
    return try ManifestReader(file, name: BoardManifest.path)
  }

  /// Creates the board.
  ///
  /// A signal does not cancel the call, because after a cancelled call it is unknown whether there
  /// is a new board, which must be deleted.
  private func newBoard(named name: String?, or wanted: String) async throws -> Board {
    let names = name.map { [$0] } ?? (1...Self.maxNames).map { Self.name(wanted, number: $0) }
    var refusal = DragboardError(.boardExists, "name: no name like '\(wanted)' is free")
    for name in names {
      let task = Task { [dragboard] in
        do throws(DragboardError) {
          return Result<Board, DragboardError>.success(try await dragboard.createBoard(named: name))
        } catch { return .failure(error) }
      }
      switch await task.value {
      case .success(let board): return board
      case .failure(let error):
        guard error.reason == .boardExists else { throw error }
        refusal = error
      }
    }
    throw refusal
  }

  /// Returns the name with a number if the number is above 1: `notes`, `notes 2`.
  private static func name(_ name: String, number: Int) -> String {
    guard number > 1 else { return name }
    let end = " \(number)"
    let start = name.unicodeScalars.prefix(maxNameScalars - end.unicodeScalars.count)
    return String(String.UnicodeScalarView(start)) + end
  }

  /// Adds the sections, the rows and the settings to the new board; returns the number of rows.
  private func fill(
    _ board: Board, from manifest: inout ManifestReader, counting edits: EditCount
  ) async throws -> Int {
    let settings = manifest.board
    try await naming(BoardManifest.path) {
      for (index, name) in settings.sections.enumerated() {
        if index > 0 {
          try await board.sections.insert(named: name)
          edits.add()
        } else if try await board.sections.rename(at: 0, to: name) != edits.revision {
          edits.add()
        }
      }
      try await board.settings.setAcceptedTypes(settings.acceptedTypes)
      try await board.settings.setMovesMultipleRows(settings.movesMultipleRows)
    }
    let count = try await insertRows(on: board, from: &manifest, counting: edits)
    if let member = try archive.next() {
      throw archive.damage("not in \(BoardManifest.path) (\(member.byteCount) bytes)")
    }
    // The settings come last, because they could refuse, delete or merge rows of the archive.
    try await naming(BoardManifest.path) {
      try await board.settings.setMaxRows(settings.maxRows)
      try await board.settings.setRetainedRows(settings.retainedRows)
      try await board.settings.setRetainedTime(.seconds(settings.retainedSeconds))
      try await board.settings.setMovesDuplicates(settings.movesDuplicates)
    }
    return count
  }

  /// Inserts the rows.
  ///
  /// The calls for small rows overlap; the daemon handles them in order.
  private func insertRows(
    on board: Board, from manifest: inout ManifestReader, counting edits: EditCount
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var (count, outstanding) = (0, 0)
      while let row = try manifest.next() {
        let item =
          if let text = row.text { try ImportedRow(row, text: text) } else {
            try ImportedRow(row, contents: readContents(of: row))
          }
        count += 1
        if count % 256 == 0 || item.isLarge { bar.show(manifest.progress) }
        while outstanding >= (item.isLarge ? 1 : Self.maxOutstanding) {
          try await group.next()
          outstanding -= 1
        }
        try Task.checkCancellation()
        // A signal does not cancel the calls of this task, because after a cancelled call it is unknown
        // whether the daemon has made the edit. The tasks start in the order of the rows.
        let insertion = Task.immediate { try await item.insert(on: board, counting: edits) }
        if item.isLarge {
          try await insertion.value
        } else {
          group.addTask { try await insertion.value }
          outstanding += 1
        }
      }
      try await group.waitForAll()
      return count
    }
  }

  private func readContents(of row: BoardManifest.Row) throws -> [ImportedContent] {
    try row.representations.map { representation in
      guard let member = try archive.next() else {
        throw archive.damage(
          "\(representation.path) is missing, but \(BoardManifest.path) lists it")
      }
      guard member.path == representation.path else {
        throw archive.damage(
          "not expected here: \(BoardManifest.path) lists \(representation.path)")
      }
      return try ImportedContent(byteCount: member.byteCount) { try archive.read($0) }
    }
  }
}

/// The number of edits that the import has made on the new board.
final class EditCount: Sendable {
  // A new board has revision 1.
  private let state = Mutex<UInt64>(1)

  /// The revision that the board has if no other client has edited it; each edit makes one revision.
  var revision: UInt64 { state.withLock { $0 } }

  /// Counts an edit.
  func add() { state.withLock { $0 += 1 } }
}

/// Translates an error of the daemon, and adds the name of a part of the archive to the message.
func naming<Result>(_ part: String, _ body: () async throws -> Result) async throws -> Result {
  do { return try await body() } catch let error as DragboardError {
    guard !error.reason.isAbsence, error.reason != .cancelled else { throw error }
    let plain = CommandError(error)
    throw CommandError(plain.status, "\(part): \(plain.message)")
  }
}
