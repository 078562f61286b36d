/// Bytes in a form that a repository keeps them in: few by themselves, many as a file of its own.
public enum StoredBytes: Sendable {
  /// The most bytes that are kept by themselves.
  public static let mostInline = 64 << 10

  /// The bytes themselves; at most ``mostInline``.
  case inline([UInt8])
  /// A file with the bytes.
  case file(any ContentFile)

  /// How many bytes.
  public var byteCount: Int {
    switch self {
    case .inline(let bytes): bytes.count
    case .file(let file): file.byteCount
    }
  }
}

/// Bytes in a file of the repository's: a temporary one until the repository is told to keep them, and gone with this object unless it is.
///
/// From any thread.
public protocol ContentFile: AnyObject, Sendable {
  /// How many bytes.
  var byteCount: Int { get }
  /// Shows all bytes piece by piece until `body` returns false, and checks in the end that they are
  /// the bytes that were written.
  func read(_ body: (UnsafeRawBufferPointer) -> Bool) throws(RepositoryError)
  /// Opens the file for the daemon's own reading, at the first byte; the caller closes the descriptor.
  ///
  /// A client that got this descriptor could change the file: see ``copy()``.
  func open() throws(RepositoryError) -> Int32
  /// Copies the bytes to a file without a name, for a client; not for the loop.
  ///
  /// - Returns: a descriptor, open for reading only, at the first byte; the caller closes it.
  func copy() throws(RepositoryError) -> Int32
  /// Has the bytes on the disk when it returns; to be called before the repository is told to keep them.
  func sync() throws(RepositoryError)
}

/// A file of the repository's that is being written.
///
/// From any thread, one at a time.
public protocol ContentSpool: AnyObject {
  /// Writes bytes behind those that are there.
  func append(_ bytes: UnsafeRawBufferPointer) throws(RepositoryError)
  /// Ends writing.
  func finish() throws(RepositoryError) -> any ContentFile
}

/// Begins a new file; from any thread.
public typealias SpoolMaker = @Sendable () throws(RepositoryError) -> any ContentSpool
