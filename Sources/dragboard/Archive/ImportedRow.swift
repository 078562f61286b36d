import DragboardClient

/// The content of a member: bytes in memory, or a temporary file.
enum ImportedContent {
  case bytes([UInt8])
  case file(SpoolFile)

  /// The maximum number of bytes in memory.
  ///
  /// A larger content is stored in a temporary file.
  private static let maxByteCount = 8 << 10

  /// Reads the content of a member with `read`.
  init(
    byteCount: Int, _ read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    if byteCount <= Self.maxByteCount {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(byteCount)
      try read { bytes.append(contentsOf: $0) }
      self = .bytes(bytes)
    } else {
      let file = try SpoolFile()
      try read { try file.write($0) }
      self = .file(file)
    }
  }
}

/// A row of an archive that is ready to be inserted.
struct ImportedRow: Sendable {
  private let row: BoardManifest.Row
  private let contents: [RowBytes]
  /// Whether the row has files or many bytes.
  let isLarge: Bool

  /// The maximum number of files in a call.
  private static let maxFiles = 16
  private static let maxByteCount = 64 << 20
  private static let maxSmallByteCount = 32 << 10

  /// - Throws: `CommandError` if the contents do not fit into one call; `DragboardError`,
  ///   `Failure`.
  init(_ row: BoardManifest.Row, contents: [ImportedContent]) throws {
    self.row = row
    let sizes = contents.map(\.fileByteCount)
    let files = sizes.indices.filter { sizes[$0] > 0 }.sorted { sizes[$0] > sizes[$1] }
    let others = files.dropFirst(Self.maxFiles)
    guard others.reduce(0, { $0 + sizes[$1] }) <= Self.maxByteCount else {
      throw CommandError(
        .refused,
        "\(row.name): the representations are too large for one call (at most \(Self.maxFiles) files, "
          + "and \(Amounts.bytes(Self.maxByteCount)) in the others together)"
      )
    }
    self.contents = try contents.enumerated().map { index, content in
      others.contains(index) ? .data(try content.bytes) : try content.rowBytes
    }
    let small = contents.reduce(0) { $0 + $1.inlineByteCount }
    isLarge = !files.isEmpty || small > Self.maxSmallByteCount
  }

  /// Creates a row with a plain text.
  ///
  /// - Throws: the errors of ``init(_:contents:)``.
  init(_ row: BoardManifest.Row, text: String) throws {
    var row = row
    row.representations = [.init(type: .plainText, path: BoardManifest.path)]
    try self.init(row, contents: [.bytes(Array(text.utf8))])
  }

  /// Inserts the row at the end of its section, and counts the edits.
  ///
  /// - Throws: `CommandError` with the name of the row if the daemon refuses it; `DragboardError`.
  func insert(on board: Board, counting edits: EditCount) async throws {
    try await naming(row.name) {
      let item = try await board.insert(
        zip(row.representations, contents).map { ($0.type, $1) }, attributes: row.attributes,
        isFromClipboard: row.isFromClipboard, inSection: row.section)
      edits.add()
      if row.isPinned {
        try await board.setPinned(true, of: item)
        edits.add()
      }
      if !row.isMovable {
        try await board.setMovable(false, of: item)
        edits.add()
      }
      if !row.isEditable {
        try await board.setEditable(false, of: item)
        edits.add()
      }
    }
  }
}

extension BoardManifest.Row {
  /// The name of the row in messages: the path of its first content.
  fileprivate var name: String { representations.first?.path ?? "" }
}

extension ImportedContent {
  fileprivate var fileByteCount: Int {
    if case .file(let file) = self { file.byteCount } else { 0 }
  }

  fileprivate var inlineByteCount: Int {
    if case .bytes(let bytes) = self { bytes.count } else { 0 }
  }

  fileprivate var rowBytes: RowBytes {
    get throws {
      switch self {
      case .bytes(let bytes): .data(bytes)
      case .file(let file): .file(try file.source)
      }
    }
  }

  /// Reads all bytes into memory.
  fileprivate var bytes: [UInt8] {
    get throws {
      switch self {
      case .bytes(let bytes): bytes
      case .file(let file): try file.read(file.byteCount, at: 0)
      }
    }
  }
}
