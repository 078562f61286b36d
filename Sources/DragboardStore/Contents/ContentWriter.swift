internal import Files
internal import Glibc

/// A writer that streams the bytes of a content to a file and keeps none of them in memory.
///
/// Use it from one thread at a time. If it is released before it is finished, the content is
/// removed.
public final class ContentWriter: @unchecked Sendable {
  // Unchecked: the owner serializes all calls, and shared members are Sendable.

  /// The number of bytes that were appended.
  public private(set) var byteCount = 0

  private let contents: ContentDirectory
  private let id: ContentID
  private let file: FileDescriptor
  private var sum = ContentSum()
  private var state = State.open
  /// The number of bytes whose writeback has started.
  ///
  /// Early writeback makes the final sync shorter.
  private var writtenOut = 0
  private static let writeOutStep = 8 << 20

  private enum State {
    case open
    case finished
    /// An append has failed, so the content cannot be completed.
    case failed(FileError)
  }

  /// Creates a writer of a content, for which the caller has counted a handle.
  ///
  /// `file` is the content's empty file, open for writing.
  init(_ id: ContentID, file: FileDescriptor, in contents: ContentDirectory) {
    self.contents = contents
    self.id = id
    self.file = file
  }

  deinit {
    if case .finished = state { return }
    contents.discard(id)
  }

  /// Appends bytes.
  ///
  /// After an error, every later call fails.
  ///
  /// - Parameter bytes: the next bytes.
  /// - Throws: `StoreError.file`, with `ENOSPC` if the disk is full.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    try checkOpen()
    do throws(FileError) {
      try file.write(bytes)
    } catch {
      state = .failed(error)
      throw .file(error)
    }
    sum.update(bytes)
    byteCount += bytes.count
    guard byteCount - writtenOut >= Self.writeOutStep else { return }
    file.beginWritingOut(writtenOut..<byteCount)
    writtenOut = byteCount
  }

  /// Finishes the content.
  ///
  /// Later calls of `append` fail.
  ///
  /// - Returns: the content, which is not synced yet.
  /// - Throws: `StoreError.file` if `append` has failed, or if the content is already finished.
  public func finish() throws(StoreError) -> ContentFile {
    try checkOpen()
    state = .finished
    return ContentFile(written: id, byteCount: byteCount, sum: sum.value, in: contents)
  }

  private func checkOpen() throws(StoreError) {
    switch state {
    case .open: return
    case .finished: throw .file(FileError(path: contents.path(of: id), code: EBADF))
    case .failed(let error): throw .file(error)
    }
  }
}
