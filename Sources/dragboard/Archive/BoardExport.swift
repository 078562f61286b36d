import DragboardClient
import Files

/// The export of a board to an archive: first the manifest with the short texts, then the other
/// contents of the rows in order.
///
/// Manifest and contents are read at the same revision. If the board changes meanwhile, the export
/// starts again.
struct BoardExport {
  /// A summary of the written archive.
  struct Result {
    let name: String
    let rows: Int
    let byteCount: Int
  }

  /// The error if the board has another revision than at the beginning.
  private struct Changed: Error {}

  private static let maxAttempts = 8
  private static let pageCount = 1_000
  /// The number of rows whose small contents are read at once.
  private static let batchCount = 64
  /// The maximum number of bytes of a row whose contents are read together with other rows.
  ///
  /// The contents of a larger row are read as files, one after the other.
  private static let maxBatchedByteCount = 32 << 10

  let board: Board
  let output: ExportFile

  /// Writes the archive.
  ///
  /// - Throws: `CommandError` if a row cannot be read, or the board changes in every attempt;
  ///   `DragboardError`, `Failure`, `CancellationError`.
  func run() async throws -> Result {
    for _ in 0..<Self.maxAttempts {
      do {
        let result = try await attempt()
        try await output.publish()
        return result
      } catch is Changed { try output.clear() }
    }
    throw CommandError(
      .refused, "the board changes too fast to be exported",
      remedy: "Try again when no other client edits the board.")
  }

  private func attempt() async throws -> Result {
    let info = try await board.info()
    let bar = ProgressBar("exporting")
    let manifest = try SpoolFile()
    let paths = ContentPaths(rows: info.count)
    let (latest, pages) = try await write(info, paths, to: manifest, bar)
    var archive = ArchiveWriter(output.descriptor.number)
    try archive.begin(BoardManifest.path, byteCount: manifest.byteCount, modified: latest)
    try await archive.write { offset, piece in
      let bytes = try manifest.read(piece.count, at: offset)
      piece.copyBytes(from: bytes)
      return bytes.count
    }
    for page in pages {
      let rows = try await unchanged(info.revision) {
        try await board.page(
          ofSection: page.section, from: page.first, count: Self.pageCount)
      }
      guard rows.revision == info.revision else { throw Changed() }
      try await unchanged(info.revision) {
        try await write(rows.rows, page, of: info, bar, paths, to: &archive)
      }
    }
    guard try await board.info().revision == info.revision else { throw Changed() }
    try archive.finish()
    return Result(name: info.name, rows: info.count, byteCount: archive.byteCount)
  }

  /// Writes the contents of a page's rows that have no text in the manifest.
  private func write(
    _ rows: [Row], _ page: ContentPage, of info: BoardInfo, _ bar: ProgressBar,
    _ paths: ContentPaths, to archive: inout ArchiveWriter
  ) async throws {
    for start in stride(from: 0, to: page.indexes.count, by: Self.batchCount) {
      let batch = page.indexes[start...].prefix(Self.batchCount)
        .filter(rows.indices.contains)
        .map { (number: page.number + $0, row: rows[$0]) }
      let isLong = batch.contains { $0.row.byteCount >= ProgressBar.minByteCount }
      if isLong || start > 0, let number = batch.first?.number {
        bar.show(Double(number) / Double(max(info.count, 1)))
      }
      try await write(batch, paths, to: &archive)
    }
  }

  /// The rows of a page whose contents are not in the manifest.
  private struct ContentPage {
    let section: Int
    /// The index of the first row of the page in its section.
    let first: Int
    /// The number of rows before the page, in all sections.
    let number: Int
    /// The indexes of the rows in the page.
    var indexes: [Int] = []
  }

  /// Writes the manifest, with the texts of the rows that have only a short plain text.
  ///
  /// - Returns: the creation time of the newest row, and the pages with other contents.
  private func write(
    _ info: BoardInfo, _ paths: ContentPaths, to file: SpoolFile, _ bar: ProgressBar
  ) async throws -> (Duration, [ContentPage]) {
    var (number, latest) = (0, Duration.zero)
    var pages: [ContentPage] = []
    try file.write(BoardManifest(info).head)
    try await forEachPage(info) { section, first, rows in
      if number > 0 { bar.show(Double(number) / Double(max(info.count, 1))) }
      var lines = ""
      let texts = try await PageTexts.read(rows, ofSection: section, from: first, on: board)
      var page = ContentPage(section: section, first: first, number: number)
      for (index, row) in rows.enumerated() {
        guard !row.types.isEmpty else {
          throw CommandError(.refused, "row \(row.id): this client may not read the row")
        }
        let text = texts[index]
        if text == nil { page.indexes.append(index) }
        let entry = BoardManifest.Row(
          row, inSection: section, text: text,
          paths: text == nil ? paths.paths(of: row, number: number) : [])
        lines +=
          (number == 0 ? "\n" : ",\n")
          + entry.line(created: row.created, source: row.source)
        number += 1
        latest = max(latest, row.created)
      }
      try file.write(lines)
      if !page.indexes.isEmpty { pages.append(page) }
    }
    try file.write(BoardManifest.tail)
    return (latest, pages)
  }

  /// Calls `body` with the rows of the board, page by page.
  ///
  /// Each section ends with an empty page. Its revision shows whether the board has changed during
  /// the last call of `body`.
  private func forEachPage(
    _ info: BoardInfo, _ body: (_ section: Int, _ first: Int, _ rows: [Row]) async throws -> Void
  ) async throws {
    for section in info.sections.indices {
      var first = 0
      while true {
        let page = try await unchanged(info.revision) {
          try await board.page(ofSection: section, from: first, count: Self.pageCount)
        }
        guard page.revision == info.revision else { throw Changed() }
        guard !page.rows.isEmpty else { break }
        try await unchanged(info.revision) { try await body(section, first, page.rows) }
        first += page.rows.count
      }
    }
  }

  /// Runs `body`, and throws `Changed` if it fails because a row or a section was deleted
  /// meanwhile.
  private func unchanged<Value>(
    _ revision: UInt64, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch let error as DragboardError {
      let isMissing = error.reason.isNotFound || error.reason == .invalidArguments
      guard isMissing, try await board.info().revision != revision else { throw error }
      throw Changed()
    }
  }

  // MARK: Contents

  private func write(
    _ rows: [(number: Int, row: Row)], _ paths: ContentPaths, to archive: inout ArchiveWriter
  ) async throws {
    let small = try await smallContents(of: rows.map(\.row))
    for (index, (number, row)) in rows.enumerated() {
      let modified = row.attributes.modified ?? row.created
      for (part, path) in paths.paths(of: row, number: number).enumerated() {
        if let bytes = small[index]?[part] {
          try archive.begin(path, byteCount: bytes.count, modified: modified)
          try archive.write(bytes)
        } else {
          let file = try await board.file(of: row.id, as: row.types[part])
          try archive.begin(path, byteCount: try file.byteCount, modified: modified)
          try await archive.write { try file.read(from: $0, into: $1) }
        }
      }
    }
  }

  /// Reads the contents of several small rows at the same time.
  ///
  /// A representation can hide a later representation: `text/plain;charset=utf-8` hides
  /// `text/plain`. Every request for the hidden type returns the bytes of the first representation.
  /// So the hidden representation is exported with these bytes.
  private func smallContents(of rows: [Row]) async throws -> [Int: [[UInt8]]] {
    try await withThrowingTaskGroup(of: (Int, [[UInt8]]).self) { group in
      for (index, row) in rows.enumerated() where row.byteCount <= Self.maxBatchedByteCount {
        group.addTask { [board] in
          var contents: [[UInt8]] = []
          for type in row.types { contents.append(try await board.data(of: row.id, as: type)) }
          return (index, contents)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
