internal import Files
internal import Glibc

/// Takes the bytes of a content piece by piece, into a file; none of them stay in memory.
///
/// Used by one thread at a time, whichever. One that goes unfinished leaves nothing.
public final class ContentWriter: @unchecked Sendable {
  // Unchecked: its owner sees to it that calls come one after the other, and what it shares is Sendable.

  /// How many bytes it has taken.
  public private(set) var byteCount = 0

  private let contents: ContentDirectory
  private let id: ContentID
  private let file: FileDescriptor
  private var sum = ContentSum()
  private var state = State.open
  /// How many bytes have begun to go to the disk: they do while others come, and the sync in the end has less to wait for.
  private var writtenOut = 0
  private static let writeOutStep = 8 << 20

  private enum State {
    case open
    case finished
    /// Some bytes are missing, so that none can follow.
    case failed(FileError)
  }

  /// Writes to the file of a content that is held for it.
  init(_ id: ContentID, file: FileDescriptor, in contents: ContentDirectory) {
    self.contents = contents
    self.id = id
    self.file = file
  }

  deinit {
    if case .finished = state { return }
    contents.discard(id)
  }

  /// Appends bytes: all of them, or the content has failed, and takes no more.
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

  /// Concludes the content, which takes no more bytes then.
  ///
  /// - Returns: the content, not synced yet.
  /// - Throws: `StoreError.file` if an `append` has failed, or it has been finished before.
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
