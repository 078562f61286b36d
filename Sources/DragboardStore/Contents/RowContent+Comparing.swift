internal import DragModel
internal import Files

extension RowContent {
  /// The content with the digest of its types and bytes.
  ///
  /// The digest finds the rows that may have the same content. Different contents can have the same
  /// digest, so compare the contents. No file is read, because a file counts with its checksum. If
  /// the bytes are in a file without a checksum or in a client's file, the digest is nil.
  public var digested: RowContent {
    var content = self
    content.digest = digestOfRepresentations
    return content
  }

  private var digestOfRepresentations: UInt64? {
    var digest = ContentSum()
    for representation in representations {
      guard let sum = representation.bytes.sum else { return nil }
      digest.update(representation.type.mime)
      digest.update(UInt64(representation.bytes.byteCount))
      digest.update(sum)
    }
    return digest.value
  }

  /// Returns whether both contents have the same types with the same bytes, in the same order.
  ///
  /// It reads no file, so it returns false for different files with the same bytes.
  public func hasSameRepresentations(as other: RowContent) -> Bool {
    representations.count == other.representations.count
      && zip(representations, other.representations).allSatisfy { one, other in
        guard one.type == other.type else { return false }
        switch (one.bytes, other.bytes) {
        case (.memory(let bytes), .memory(let others)): return bytes == others
        case (.file(let file), .file(let other)): return file.id == other.id
        default: return false
        }
      }
  }

  /// Returns the content with the files of another content that has the same types and bytes; nil if
  /// the other content is different.
  ///
  /// It reads files, so do not call it on the event loop.
  public func sharingFiles(of other: RowContent) -> RowContent? {
    var content = self
    for (index, (one, other)) in zip(representations, other.representations).enumerated() {
      guard case (.file(let file), .file(let stored)) = (one.bytes, other.bytes) else { continue }
      guard (try? file.hasSameBytes(as: stored)) == true else { return nil }
      content.representations[index].bytes = .file(stored)
    }
    return content.hasSameRepresentations(as: other) ? content : nil
  }
}

extension ContentSum {
  /// Adds a text and its length, so that it differs from a text that is divided in another way.
  fileprivate mutating func update(_ text: String) {
    update(UInt64(text.utf8.count))
    text.utf8.span.bytes.withUnsafeBytes { update($0) }
  }

  fileprivate mutating func update(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }
}

extension Payload {
  /// The checksum of the bytes; nil if it is unknown.
  fileprivate var sum: UInt64? {
    switch self {
    case .memory(let bytes):
      var sum = ContentSum()
      bytes.withUnsafeBytes { sum.update($0) }
      return sum.value
    case .file(let file): return file.sum
    case .sealed: return nil
    }
  }
}

extension ContentFile {
  /// Returns whether another file has the same bytes.
  fileprivate func hasSameBytes(as other: ContentFile) throws(StoreError) -> Bool {
    guard byteCount == other.byteCount else { return false }
    let file = try openFile()
    var (offset, isSame) = (0, true)
    try other.read { piece in
      let own = file.read(piece.count, at: offset)
      isSame = own?.span.bytes.withUnsafeBytes { $0.hasSameBytes(as: piece) } ?? false
      offset += piece.count
      return isSame
    }
    return isSame
  }
}
