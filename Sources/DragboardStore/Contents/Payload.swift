public import Files

/// Bytes on their way from a client to the database or back, wherever they are.
public enum Payload: Sendable {
  /// Bytes in memory.
  case memory([UInt8])
  /// A file of a client's that nobody can change any more.
  case sealed(ClientFile)
  /// A file of the store's.
  case file(ContentFile)

  /// The maximum number of bytes that memory and the database hold; more are in a file.
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

  /// The bytes if they are in memory and no more than the database holds: these can be stored at once.
  public var inlineBytes: [UInt8]? { isInline ? inMemory : nil }

  /// Whether ``inlineBytes`` is not nil.
  var isInline: Bool {
    if case .memory(let bytes) = self { bytes.count <= Self.inlineLimit } else { false }
  }

  /// Shows the bytes piece by piece until `body` returns false.
  ///
  /// It reads from the disk if they are there: not for the loop.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes; a file of the store's is checked if it is shown whole.
  ///   - body: takes the next bytes; returns false to read no more.
  /// - Throws: `StoreError`; what `body` throws.
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
  /// It reads from the disk if they are there: not for the loop, unless they are in memory.
  ///
  /// - Parameter limit: the maximum number of bytes.
  /// - Returns: the bytes, checked if they are all of a file of the store's.
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

  /// Copies the bytes to a file of the store's, or to memory if they are few; not for the loop.
  ///
  /// - Parameter contents: makes the file.
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
