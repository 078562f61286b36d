/// A writer of a tar archive to a descriptor.
///
/// It writes pax records only if they are necessary.
struct ArchiveWriter {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The number of bytes of the member that are not yet written.
  private var missing = 0
  private var padding = 0
  /// The number of bytes that were written to the archive.
  private(set) var byteCount = 0

  private static let bufferSize = 1 << 16

  /// Creates a writer.
  ///
  /// The caller still owns `descriptor`.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Begins a file.
  ///
  /// Its content has to be written next.
  ///
  /// - Parameters:
  ///   - path: the path in the archive.
  ///   - count: the number of bytes of the content.
  ///   - modified: the modification time since 1970, UTC.
  /// - Throws: `Failure`.
  mutating func begin(_ path: String, byteCount count: Int, modified: Duration) throws(Failure) {
    var records = PaxRecords()
    let (seconds, attoseconds) = modified.components
    let isPlain =
      path.utf8.count <= TarHeader.maxPathByteCount && path.utf8.allSatisfy { $0 < 0x80 }
    if !isPlain { records.path = path }
    if count > TarHeader.maxNumber { records.byteCount = count }
    if attoseconds != 0 || seconds > TarHeader.maxNumber { records.modified = modified }
    let name = isPlain ? path : String(path.map { $0.isASCII ? $0 : "_" })
    let bytes = records.bytes
    if !bytes.isEmpty {
      try put(TarHeader(path: "PaxHeaders/\(name)", byteCount: bytes.count, kind: .extended))
      try write(bytes)
    }
    try put(TarHeader(path: name, byteCount: count, modified: Int(seconds), kind: .file))
  }

  /// Appends bytes to the content of the member.
  ///
  /// - Throws: `Failure`, which is `unexpected` if there are more bytes than the header says.
  mutating func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    guard bytes.count <= missing else { throw .sizeChanged }
    missing -= bytes.count
    try append(bytes)
    if missing == 0 { try append([UInt8](repeating: 0, count: padding)) }
  }

  /// Appends the rest of the content of the member, in chunks.
  ///
  /// - Parameter read: reads bytes at an offset, and returns their number.
  /// - Throws: `Failure` if the bytes cannot be written; `CancellationError` if the task is
  ///   cancelled; the errors of `read`.
  mutating func write(
    _ read: (_ offset: Int, _ piece: UnsafeMutableRawBufferPointer) throws -> Int
  ) async throws {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while case let count = try read(offset, piece), count > 0 {
      try write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += count
      await Task.yield()
      try Task.checkCancellation()
    }
  }

  /// Ends the archive.
  ///
  /// - Throws: `Failure`.
  mutating func finish() throws(Failure) {
    guard missing == 0 else { throw .sizeChanged }
    try append([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
    try flush()
  }

  private mutating func put(_ header: TarHeader) throws(Failure) {
    guard missing == 0 else { throw .sizeChanged }
    try append(header.block)
    missing = header.byteCount
    padding = -header.byteCount & (TarHeader.blockSize - 1)
  }

  private mutating func append(_ bytes: some Collection<UInt8>) throws(Failure) {
    buffer.append(contentsOf: bytes)
    byteCount += bytes.count
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(Failure) {
    let result = buffer.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try Console.write(bytes, to: descriptor) }
    }
    try result.get()
    buffer.removeAll(keepingCapacity: true)
  }
}

extension Failure {
  /// The error if the size of a content differs from its header.
  fileprivate static let sizeChanged = Failure.unexpected(
    what: "size of a content", expected: "the size in its header", actual: "another size")
}
