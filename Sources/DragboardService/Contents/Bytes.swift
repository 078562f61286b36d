import DBus
import Glibc

/// Bytes that are there, wherever they rest.
enum Bytes: Sendable {
  /// In memory; for few.
  case memory([UInt8])
  /// In a file of a client's that nobody can change any more.
  case sealed(ClientFile)
  /// In a file of the repository's.
  case file(any ContentFile)

  init(_ stored: StoredBytes) {
    self =
      switch stored {
      case .inline(let bytes): .memory(bytes)
      case .file(let file): .file(file)
      }
  }

  /// How many.
  var byteCount: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .sealed(let file): file.byteCount
    case .file(let file): file.byteCount
    }
  }

  /// The bytes where they are in memory.
  var inMemory: [UInt8]? {
    if case .memory(let bytes) = self { bytes } else { nil }
  }

  /// Shows the bytes piece by piece, at most that many; all bytes of a file are checked in the end.
  ///
  /// It reads from the disk where they are there: not for the loop.
  func forEachPiece<Failure: Error>(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    switch self {
    case .memory(let bytes): try bytes.forEachPiece(upTo: limit, body)
    case .sealed(let file): try file.forEachPiece(upTo: min(limit, byteCount), body)
    case .file(let file): try file.forEachPiece(upTo: min(limit, byteCount), body)
    }
  }

  /// All of them.
  ///
  /// It reads from the disk where they are there: not for the loop, unless they are in memory.
  func read(upTo limit: Int = .max) throws(RepositoryError) -> [UInt8] {
    if let bytes = inMemory, bytes.count <= limit { return bytes }
    var all: [UInt8] = []
    all.reserveCapacity(min(limit, byteCount))
    do throws(PieceError<Never>) {
      try forEachPiece(upTo: limit) { (piece) throws(Never) in all.append(contentsOf: piece) }
    } catch { throw error.asRepositoryError }
    return all
  }
}

/// Why bytes could not be shown piece by piece.
enum PieceError<Failure: Error>: Error {
  /// They could not be read.
  case reading(RepositoryError)
  /// What was to be done with them could not.
  case body(Failure)
}

extension PieceError<Never> {
  var asRepositoryError: RepositoryError {
    switch self {
    case .reading(let error): error
    }
  }
}

extension PieceError<RepositoryError> {
  var asRepositoryError: RepositoryError {
    switch self {
    case .reading(let error), .body(let error): error
    }
  }
}

extension [UInt8] {
  /// Shows the first bytes, at most that many.
  fileprivate func forEachPiece<Failure: Error>(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    let start = limit < count ? Array(self[..<limit]) : self
    do throws(Failure) { try start.span.bytes.withUnsafeBytes(body) } catch { throw .body(error) }
  }
}

extension ContentFile {
  /// Shows the bytes piece by piece, at most that many; if these are all, they are checked in the end.
  fileprivate func forEachPiece<Failure: Error>(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    guard limit < byteCount else { return try forEachPiece(body) }
    let file: FileDescriptor
    do throws(RepositoryError) { file = FileDescriptor(adopting: try open()) } catch {
      throw .reading(error)
    }
    try file.forEachPiece(upTo: limit, body)
  }

  private func forEachPiece<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    var failure: Failure?
    do throws(RepositoryError) {
      try read { piece in
        do throws(Failure) { try body(piece) } catch { failure = error }
        return failure == nil
      }
    } catch { throw .reading(error) }
    if let failure { throw .body(failure) }
  }
}

extension FileDescriptor {
  /// How many bytes are read at once.
  static let pieceSize = 256 << 10

  /// Shows what the file holds from its first byte on, piece by piece, at most that many bytes.
  func forEachPiece<Failure: Error>(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(Self.pieceSize, max(1, limit)), alignment: 1)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < limit {
      let count = pread(
        number, buffer.baseAddress, min(buffer.count, limit - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .reading(RepositoryError("\(SystemError("read"))")) }
      guard count > 0 else { return }
      do throws(Failure) { try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch {
        throw .body(error)
      }
      offset += count
    }
  }
}
