import CLinux
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

  /// A descriptor to hand out, at the first byte: whoever gets it can read, and change nothing.
  func descriptor() throws(RepositoryError) -> FileDescriptor {
    switch self {
    case .memory(let bytes): try MemoryFile.sealed(holding: bytes)
    case .sealed(let file): try file.reopened()
    case .file(let file): FileDescriptor(adopting: try file.open())
    }
  }

  /// Shows the bytes piece by piece, at most that many.
  ///
  /// It reads from the disk where they are there: not for the loop.
  func forEachPiece<Failure: Error>(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    if case .memory(let bytes) = self {
      let start = limit < bytes.count ? Array(bytes[..<limit]) : bytes
      do throws(Failure) { try start.span.bytes.withUnsafeBytes(body) } catch {
        throw .body(error)
      }
      return
    }
    let file: FileDescriptor
    do throws(RepositoryError) { file = try descriptor() } catch { throw .reading(error) }
    try file.forEachPiece(upTo: min(limit, byteCount), body)
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
