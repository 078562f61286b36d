import BoardModel
import Dispatch
import DragboardClient
import Files
import Glibc
import LinkModel

/// A board of the local daemon.
struct DaemonBoard: Sendable {
  let board: DragboardClient.Board
  /// The number of rows that one call reads.
  static let pageSize = 1_000
  /// The minimum number of small texts that are read by one call; fewer texts are read one by one.
  static let minTexts = 4

  let files: FileSharing

  /// Creates a reference to a board, which must exist.
  init(_ board: DragboardClient.Board, _ files: FileSharing = FileSharing(machine: "")) {
    (self.board, self.files) = (board, files)
  }
}

extension DaemonBoard: LocalBoard {
  func changes(since revision: UInt64, of history: String) async throws -> LocalHistory {
    do {
      let changes = try await board.history.changes(since: revision, of: history)
      return .changes(
        LocalChanges(
          revision: changes.revision, changes: try changes.changes.map { try LocalChange($0) },
          history: changes.history))
    } catch let error as DragboardError where error.reason == .staleRevision {
      return .tooLong
    } catch let error as DragboardError where error.reason == .invalidArguments {
      return .other
    }
  }

  func snapshot() async throws -> LocalSnapshot {
    let snapshot = try await board.snapshot()
    return LocalSnapshot(
      revision: snapshot.revision,
      sections: try snapshot.sections.map { section in
        (name: section.name, items: try section.items.map { try ItemKey($0) })
      })
  }

  func reserve(_ count: Int) async throws -> [ItemKey] {
    try await board.history.reserveItems(count).map { try ItemKey($0) }
  }

  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: ContentBytes], base: UInt64
  ) async throws -> UInt64? {
    var parts: [BoardEdit] = []
    for edit in edits { parts.append(try BoardEdit(edit, contents)) }
    return try await apply(parts, base: base)
  }

  private func apply(_ edits: [BoardEdit], base: UInt64) async throws -> UInt64? {
    do { return try await board.history.apply(edits, base: base) } catch {
      if error.reason == .staleRevision { return nil }
      if error.reason == .limitsExceeded { throw ExcessiveEdits(error.message) }
      throw error
    }
  }
}

// MARK: Reading rows

extension DaemonBoard {
  func rows(
    at paths: [IndexPath: ItemKey], spool: any ContentSpool
  ) async throws -> [ItemKey: SharedRow] {
    var found: [ItemKey: SharedRow] = [:]
    for range in Self.ranges(of: paths.keys.sorted()) {
      let page = try await page(range)
      var wanted: [(offset: Int, item: ItemKey, row: Row)] = []
      for (offset, row) in page.rows.enumerated() {
        let item = try ItemKey(row.id)
        let path = IndexPath(section: range.section, row: range.rows.lowerBound + offset)
        if paths[path] == item { wanted.append((offset, item, row)) }
      }
      let texts = try await texts(of: wanted.map(\.offset), range, page)
      for (offset, item, row) in wanted {
        if let reference = try await self.reference(of: row) {
          found[item] = try await self.row(row, reference, spool)
          continue
        }
        let contents = try await representations(of: row, text: texts[offset], spool)
        if let contents { found[item] = SharedRow(row, contents) }
      }
    }
    return found
  }

  /// Rows of one section.
  private struct Range {
    let section: Int
    var rows: Swift.Range<Int>
  }

  /// Returns a small number of ranges that contain all paths.
  ///
  /// The paths must be in order.
  private static func ranges(of paths: [IndexPath]) -> [Range] {
    var ranges: [Range] = []
    for path in paths {
      if let last = ranges.last, last.section == path.section,
        path.row - last.rows.upperBound < 16, path.row - last.rows.lowerBound < pageSize
      {
        ranges[ranges.count - 1].rows = last.rows.lowerBound..<path.row + 1
      } else {
        ranges.append(Range(section: path.section, rows: path.row..<path.row + 1))
      }
    }
    return ranges
  }

  /// Reads a page; the page has no rows if the section has become shorter.
  private func page(_ range: Range) async throws -> RowPage {
    do {
      return try await board.page(
        ofSection: range.section, from: range.rows.lowerBound, count: range.rows.count)
    } catch  where error.reason == .invalidArguments {
      return RowPage(revision: 0, rows: [])
    }
  }

  /// Reads the texts of rows that have only one small text.
  ///
  /// - Returns: the texts by offset; none if the board was edited.
  private func texts(
    of offsets: [Int], _ range: Range, _ page: RowPage
  ) async throws -> [Int: String] {
    let small = offsets.filter { page.rows[$0].isSmallText }
    guard small.count >= Self.minTexts else { return [:] }
    let texts = try await board.texts(
      ofSection: range.section, from: range.rows.lowerBound, count: page.rows.count)
    guard try await self.page(range).revision == page.revision else { return [:] }
    var known: [Int: String] = [:]
    for offset in small where offset < texts.count {
      // If the length differs, the daemon has replaced a character that D-Bus does not allow. Then
      // the original bytes must be read.
      if texts[offset].utf8.count == page.rows[offset].byteCount { known[offset] = texts[offset] }
    }
    return known
  }

  /// Reads the representations of a row; nil if the row no longer exists.
  private func representations(
    of row: Row, text: String?, _ spool: any ContentSpool
  ) async throws -> [SharedRow.Representation]? {
    if let text, !text.contains("\u{FFFD}") {
      return [.init(type: row.types[0].rawValue, content: .inline(Array(text.utf8)))]
    }
    var contents: [SharedRow.Representation] = []
    for type in row.types {
      guard let content = try await content(of: row, as: type, spool) else { return nil }
      let shared = FileReference.sharedType(of: type.rawValue)
      if !contents.contains(where: { $0.type == shared }) {
        contents.append(.init(type: shared, content: content))
      }
    }
    return contents
  }
}

extension DaemonBoard {
  /// Reads a representation, and puts it into the spool if it is too large for the log; returns nil
  /// if the row no longer exists.
  func content(
    of row: Row, as type: ContentType, _ spool: any ContentSpool
  ) async throws -> SharedContent? {
    do {
      if row.byteCount > ContentBytes.maxBytesInMemory {
        let source = try await board.file(of: row.id, as: type)
        guard try source.byteCount <= ContentBytes.maxBytesInMemory else {
          return try await copy(source, to: spool)
        }
        return try await content(try source.bytes(), spool)
      }
      return try await content(try await board.data(of: row.id, as: type), spool)
    } catch let error as DragboardError where error.reason.isNotFound {
      return nil
    }
  }

  func content(_ bytes: [UInt8], _ spool: any ContentSpool) async throws -> SharedContent {
    let content = SharedContent(bytes)
    if case .stored(let hash, _) = content { try await spool.put(hash, .inMemory(bytes)) }
    return content
  }

  /// Copies a file, and computes its hash at the same time.
  ///
  /// The file system may be able to share the bytes of both files.
  private func copy(
    _ source: ReceivedFile, to spool: any ContentSpool
  ) async throws -> SharedContent {
    let original = FileDescriptor(adopting: fcntl(source.descriptor, F_DUPFD_CLOEXEC, 0))
    let (file, count) = (try await spool.makeFile(), try original.byteCount())
    async let hash = Self.onThread { try ContentBytes.file(original).hash() }
    try await Self.onThread { try original.copy(count, to: file) }
    try await spool.put(try await hash, .file(file))
    return .stored(try await hash, byteCount: UInt64(count))
  }

  /// Calls `body` on another thread: large files take long, and the threads of the tasks are few.
  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}

extension Row {
  fileprivate var isSmallText: Bool {
    types.map(\.rawValue) == ["text/plain;charset=utf-8"]
      && byteCount <= SharedContent.maxInlineBytes
  }
}

extension SharedRow {
  init(_ row: Row, _ contents: [Representation]) {
    var flags: RowFlags = []
    if row.isEditable { flags.insert(.isEditable) }
    if row.isMovable { flags.insert(.isMovable) }
    if row.isPinned { flags.insert(.isPinned) }
    self.init(
      flags: flags, name: row.attributes.name, modified: row.attributes.modified?.microseconds,
      application: row.attributes.application, stack: row.attributes.stack,
      created: row.created.microseconds ?? 0,
      representations: contents)
  }
}
