extension RowContent {
  /// The maximum number of bytes of an item that new rows have in the database.
  ///
  /// More bytes are in files, even if each representation is small. Otherwise the commit of one item
  /// could block all clients for a tenth of a second.
  public static let maxInlineByteCount = 256 << 10
}

extension [RowContent.Representation] {
  /// The number of bytes that are stored in the database.
  public var inlineByteCount: Int { reduce(0) { $0 + ($1.bytes.inlineBytes?.count ?? 0) } }

  /// Returns whether the database may have the bytes of another representation of the item.
  public func haveRoom(for byteCount: Int) -> Bool {
    inlineByteCount + byteCount <= RowContent.maxInlineByteCount
  }
}

extension RowContent.Representation {
  /// Returns the representation with its bytes in a durable file.
  ///
  /// It writes a file, so do not call it on the event loop.
  ///
  /// - Parameter contents: the directory for the file.
  /// - Returns: the representation.
  /// - Throws: `StoreError`.
  public func inFile(of contents: ContentDirectory) throws(StoreError) -> Self {
    guard let bytes = bytes.inMemory else { return self }
    let writer = try contents.makeWriter()
    try bytes.span.bytes.withUnsafeBytes { piece throws(StoreError) in try writer.append(piece) }
    let file = try writer.finish()
    try file.sync()
    return Self(type: type, bytes: .file(file), preview: preview)
  }
}
