internal import Files

// Functions that read the contents of rows. Every error that affects only one content is reported.

extension ContentDirectory {
  /// Opens a content of a row.
  func openToRead(_ id: ContentID, byteCount: Int) throws(StoreError) -> FileDescriptor {
    do throws(StoreError) { return try open(id, byteCount: byteCount) } catch {
      throw noted(error, of: id)
    }
  }

  /// Passes all bytes to `body`, piece by piece until it returns false.
  ///
  /// At the end, it compares the bytes with their checksum.
  ///
  /// If `sum` is nil, the bytes are not compared. If `limit` is less than `byteCount`, only the
  /// first `limit` bytes are passed, and they are not compared.
  func read(
    _ id: ContentID, byteCount: Int, sum: UInt64?, upTo limit: Int = .max,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    let file = try openToRead(id, byteCount: byteCount)
    var found = ContentSum()
    let isWhole: Bool
    do throws(FileError) {
      isWhole = try file.forEachPiece(upTo: limit) { piece in
        found.update(piece)
        return body(piece)
      }
    } catch {
      throw noted(.file(error), of: id)
    }
    guard isWhole, limit >= byteCount, let sum, let value = found.value, value != sum else {
      return
    }
    throw noted(.altered(path: file.path), of: id)
  }

  /// Returns the first `count` bytes without checking them.
  func readPrefix(
    _ count: Int, of id: ContentID, byteCount: Int
  ) throws(StoreError) -> [UInt8] {
    let file = try openToRead(id, byteCount: byteCount)
    do throws(FileError) { return try file.readPrefix(count) } catch { throw .file(error) }
  }

  /// Returns all bytes after checking them.
  func readAll(
    _ id: ContentID, byteCount: Int, sum: UInt64?
  ) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    try read(id, byteCount: byteCount, sum: sum) { piece in
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }
}
