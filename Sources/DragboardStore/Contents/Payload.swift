public import Files

/// The bytes of a representation, in memory or in a file.
public enum Payload: Sendable {
  /// Bytes in memory.
  case memory([UInt8])
  /// A sealed file of a client, which can no longer change.
  case sealed(ClientFile)
  /// A file of the store.
  case file(ContentFile)

  /// The maximum size of payloads in memory and in the database.
  ///
  /// Larger payloads are in files.
  public static let inlineLimit = 64 << 10

  /// The number of bytes.
  public var byteCount: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .sealed(let file): file.byteCount
    case .file(let file): file.byteCount
    }
  }

  /// The bytes if they are in memory.
  public var inMemory: [UInt8]? {
    if case .memory(let bytes) = self { bytes } else { nil }
  }

  /// The bytes if they are in memory and small enough for the database.
  ///
  /// They can be stored at once.
  public var inlineBytes: [UInt8]? { isInline ? inMemory : nil }

  /// Whether ``inlineBytes`` is not nil.
  var isInline: Bool {
    if case .memory(let bytes) = self { bytes.count <= Self.inlineLimit } else { false }
  }

  /// Passes the bytes to `body`, piece by piece, until it returns false.
  ///
  /// It may read from the disk, so do not call it on the event loop.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes. A file of the store is compared with its checksum if
  ///     it is read as a whole.
  ///   - body: receives the next bytes. It returns false to stop.
  /// - Throws: `StoreError` if the bytes cannot be read; the error of `body`.
  public func forEachPiece(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var failure: StoreError?
    func show(_ piece: UnsafeRawBufferPointer) -> Bool {
      do throws(StoreError) { return try body(piece) } catch { failure = error }
      return false
    }
    switch self {
    case .memory(let bytes):
      bytes.withUnsafeBytes { _ = show(UnsafeRawBufferPointer(rebasing: $0.prefix(limit))) }
    case .sealed(let file):
      do throws(FileError) {
        try file.forEachPiece(upTo: min(limit, byteCount), show)
      } catch { throw .file(error) }
    case .file(let file): try file.read(upTo: limit, show)
    }
    if let failure { throw failure }
  }

  /// Returns the bytes.
  ///
  /// It may read from the disk, so do not call it on the event loop unless the bytes are in memory.
  ///
  /// - Parameter limit: the maximum number of bytes.
  /// - Returns: the bytes. A file of the store is compared with its checksum if it is read as a
  ///   whole.
  /// - Throws: `StoreError`.
  public func read(upTo limit: Int = .max) throws(StoreError) -> [UInt8] {
    if case .memory(let bytes) = self, bytes.count <= limit { return bytes }
    var all: [UInt8] = []
    all.reserveCapacity(min(limit, byteCount))
    try forEachPiece(upTo: limit) { piece in
      all.append(contentsOf: piece)
      return true
    }
    return all
  }

  /// Copies the bytes to a file of the store, or to memory if there are few.
  ///
  /// It waits for the disk, so do not call it on the event loop.
  ///
  /// - Parameter contents: the directory for the file.
  /// - Returns: the copy.
  /// - Throws: `StoreError`.
  public func moved(in contents: ContentDirectory) throws(StoreError) -> Payload {
    let writer = PayloadWriter(in: contents)
    try forEachPiece { piece throws(StoreError) in
      try writer.append(piece)
      return true
    }
    return try writer.finish()
  }
}
