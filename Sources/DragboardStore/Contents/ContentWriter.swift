internal import Glibc

/// Takes the bytes of a content piece by piece, into a file; none of them stay in memory.
///
/// Used by one thread at a time, whichever. One that goes unfinished leaves nothing.
public final class ContentWriter: @unchecked Sendable {
  // Unchecked: its owner sees to it that calls come one after the other, and what it shares is Sendable.

  /// How many bytes it has taken.
  public private(set) var byteCount = 0

  private let contents: ContentFolder
  private let name: String
  private let file: FileDescriptor
  private var hash = ContentHash()
  /// What takes over from `hash` where there is much.
  private var hashing: HashingThread?
  /// How many bytes are on their way to the disk.
  private var flushedCount = 0
  private var state = State.open

  /// From so many bytes on, what there is goes to the disk as it comes, and is hashed meanwhile.
  private static let leastOfMany = 4 << 20
  /// So many bytes are sent on their way together.
  private static let flushSize = 8 << 20

  private enum State {
    case open
    case finished
    /// Some bytes are missing, so that none can follow.
    case failed(FileError)
  }

  init(name: String, file: consuming FileDescriptor, in contents: ContentFolder) {
    self.contents = contents
    self.name = name
    self.file = file
  }

  deinit {
    if case .finished = state { return }
    contents.remove(name)
  }

  /// Appends bytes: all of them, or the content has failed, and takes no more.
  ///
  /// - Parameter bytes: what follows.
  /// - Throws: `StoreError.file`, with `ENOSPC` where the disk is full.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    try checkOpen()
    do throws(FileError) {
      if byteCount >= Self.leastOfMany { try appendToMany(bytes) } else { try appendToFew(bytes) }
    } catch {
      state = .failed(error)
      throw .file(error)
    }
    byteCount += bytes.count
  }

  private func appendToFew(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try file.write(bytes)
    hash.update(bytes)
  }

  private func appendToMany(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    if hashing == nil { hashing = HashingThread(continuing: hash) }
    guard let hashing else { return try appendToFew(bytes) }
    try hashing.update(bytes) { () throws(FileError) in try file.write(bytes) }
    if byteCount - flushedCount >= Self.flushSize {
      file.beginSync(from: flushedCount, byteCount: byteCount - flushedCount)
      flushedCount = byteCount
    }
  }

  /// Concludes the content, which takes no more bytes then.
  ///
  /// - Returns: what has been written, not synced yet.
  /// - Throws: `StoreError.file` where an `append` has failed, or it has been finished before.
  public func finish() throws(StoreError) -> StoredFile {
    try checkOpen()
    state = .finished
    let digest = hashing?.conclude() ?? hash.conclude()
    hashing = nil
    return StoredFile(temporary: name, byteCount: byteCount, digest: digest, in: contents)
  }

  private func checkOpen() throws(StoreError) {
    switch state {
    case .open: return
    case .finished: throw .file(FileError(path: contents.path(of: name), code: EBADF))
    case .failed(let error): throw .file(error)
    }
  }
}
