/// A reader of the members of a tar archive, one after the other, from a file or a pipe.
///
/// Nothing in the archive is trusted. It is an error if a member is neither a regular file nor a
/// directory, if a header is damaged, if the end mark is missing, or if bytes follow the end mark.
/// Directories are skipped, because they have no content.
final class ArchiveReader {
  /// A file in the archive.
  struct Member: Equatable {
    /// The path, without `./` at the beginning.
    let path: String
    /// The number of bytes of the content.
    let byteCount: Int
  }

  /// The maximum number of bytes of a path.
  private static let maxPathByteCount = 1_024
  /// The maximum number of bytes after the end mark.
  ///
  /// Programs fill the last record of an archive with zeros; a record has 10 KiB, unless the user has
  /// chosen another size.
  private static let maxPaddingByteCount = 16 << 20

  private let input: InputFile
  /// The size of the archive; 0 if it is unknown, because the archive is not a regular file.
  private let totalByteCount: Int
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var unread = 0..<0
  /// The number of bytes that were read.
  private var offset = 0
  /// The member whose content is next, for messages.
  private var member: Member?

  /// - Throws: `system`.
  init(_ input: InputFile) throws(Failure) {
    self.input = input
    totalByteCount = try input.regularSize()
  }

  deinit { buffer.deallocate() }

  /// Returns the next file; nil at the end of the archive.
  ///
  /// Before the next call, read the content.
  ///
  /// - Throws: `CommandError` if the archive is damaged; `Failure` if it cannot be read.
  func next() throws -> Member? {
    var records: PaxRecords?
    while let header = try header() {
      switch header.kind {
      case .extended:
        guard records == nil, header.byteCount <= PaxRecords.maxByteCount else {
          throw damage("\(header.path): too many pax records")
        }
        records = try self.records(header.byteCount)
      case .directory:
        guard header.byteCount == 0 else { throw damage("\(header.path): a directory with bytes") }
        records = nil
      case .file:
        return try begin(
          records?.path ?? header.path, byteCount: records?.byteCount ?? header.byteCount)
      }
    }
    guard records == nil else { throw damage("the member after the pax records is missing") }
    try checkEnd()
    return nil
  }

  /// Calls `body` with the content of the member that `next` returned, in chunks.
  ///
  /// - Throws: `CommandError` if the archive is incomplete; `Failure` if it cannot be read; the
  ///   errors of `body`.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let member else { return }
    try read(member.byteCount, body)
    try read(-member.byteCount & (TarHeader.blockSize - 1)) { _ in }
    self.member = nil
  }

  /// Returns an error that names the archive and the member.
  func damage(_ words: String) -> CommandError {
    let place = member.map { "\($0.path): " } ?? ""
    return CommandError(.usage, "\(input.name): \(place)\(words)")
  }

  private func begin(_ path: String, byteCount: Int) throws -> Member {
    var path = path[...]
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    guard path.utf8.count <= Self.maxPathByteCount else {
      throw damage("\(path.prefix(40))…: the path is too long")
    }
    let member = Member(path: String(path), byteCount: byteCount)
    self.member = member
    guard totalByteCount == 0 || byteCount <= totalByteCount - offset else { throw truncated }
    return member
  }

  /// Reads a header; returns nil for an empty block, which begins the end mark.
  private func header() throws -> TarHeader? {
    try read { _ in }
    let start = offset
    var block: [UInt8] = []
    block.reserveCapacity(TarHeader.blockSize)
    try read(TarHeader.blockSize) { block.append(contentsOf: $0) }
    guard block.contains(where: { $0 != 0 }) else { return nil }
    do throws(TarHeader.Fault) { return try TarHeader(block) } catch {
      throw damage("byte \(start): \(error.words)")
    }
  }

  private func records(_ count: Int) throws -> PaxRecords {
    var bytes: [UInt8] = []
    try read(count) { bytes.append(contentsOf: $0) }
    try read(-count & (TarHeader.blockSize - 1)) { _ in }
    do throws(TarHeader.Fault) { return try PaxRecords(bytes) } catch { throw damage(error.words) }
  }

  /// Checks that a second empty block follows, and then only zeros up to the end of the input.
  ///
  /// A pipe is read to its end, so that its writer does not fail.
  private func checkEnd() throws {
    func check(_ bytes: UnsafeRawBufferPointer) throws {
      guard bytes.allSatisfy({ $0 == 0 }) else { throw damage("bytes after the end") }
    }
    try read(TarHeader.blockSize, check)
    var count = 0
    while try fill() {
      try check(UnsafeRawBufferPointer(rebasing: buffer[unread]))
      count += unread.count
      guard count <= Self.maxPaddingByteCount else {
        throw CommandError.tooLarge(input.name, Self.maxPaddingByteCount, " after its end")
      }
      unread = 0..<0
    }
  }

  private func read(_ count: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var missing = count
    while missing > 0 {
      guard try fill() else { throw truncated }
      let piece = unread.prefix(missing)
      try body(UnsafeRawBufferPointer(rebasing: buffer[piece]))
      unread = piece.upperBound..<unread.upperBound
      missing -= piece.count
      offset += piece.count
    }
  }

  /// Reads bytes if none are left; returns false at the end of the input.
  private func fill() throws -> Bool {
    if unread.isEmpty { unread = 0..<(try input.read(into: buffer)) }
    return !unread.isEmpty
  }

  private var truncated: CommandError { damage("the archive is incomplete") }
}
