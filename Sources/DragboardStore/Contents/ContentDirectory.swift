internal import Files
internal import Glibc
internal import Synchronization

/// The directory of large contents, `DIR/contents`.
///
/// It has one file for each content, named by the content's id.
///
/// The directory is created with the first content. This class is thread-safe.
public final class ContentDirectory: Sendable {
  let path: String
  private let removal = FileRemoval()
  private let losses: LostContents
  private let state = Mutex(State())

  /// The maximum size of files that are removed synchronously.
  ///
  /// Larger files are removed on another thread.
  private static let maxAtOnce = 1 << 20

  private struct State {
    /// The number of handles of each content.
    var handles: [ContentID: Int] = [:]
    /// The contents whose last handle was released.
    ///
    /// Rows may have these contents.
    var released: [ContentID] = []
  }

  init(path: String, losses: LostContents) { (self.path, self.losses) = (path, losses) }

  /// Begins a new, empty content.
  ///
  /// - Returns: the writer of its bytes.
  /// - Throws: `StoreError.file`, `StoreError.unusable`.
  public func makeWriter() throws(StoreError) -> ContentWriter {
    let id = ContentID()
    // Retain the content before its file exists, because a content without a handle may be removed.
    retain(id)
    do throws(StoreError) {
      return ContentWriter(id, file: try makeFile(id), in: self)
    } catch {
      discard(id)
      throw error
    }
  }

  private func makeFile(_ id: ContentID) throws(StoreError) -> FileDescriptor {
    do throws(FileError) {
      return try newFile(id)
    } catch {
      guard error.code == ENOENT else { throw .file(error) }
    }
    try Directory.make(path)
    do throws(FileError) { return try newFile(id) } catch { throw .file(error) }
  }

  private func newFile(_ id: ContentID) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: path(of: id), O_WRONLY | O_CREAT | O_EXCL, mode: 0o400)
  }

  /// Returns the path of a content's file, even if there is no such file.
  func path(of id: ContentID) -> String { "\(path)/\(id)" }
}

// MARK: Handles

extension ContentDirectory {
  /// Counts a new handle of a content.
  ///
  /// If rows refer to the content, call this function only on the store's thread. This thread also
  /// removes contents, so no removal can happen at the same time.
  func retain(_ id: ContentID) {
    state.withLock { $0.handles[id, default: 0] += 1 }
  }

  /// Counts the release of a handle.
  func release(_ id: ContentID) {
    state.withLock { state in
      let count = state.handles[id, default: 1] - 1
      state.handles[id] = count > 0 ? count : nil
      if count <= 0 { state.released.append(id) }
    }
  }

  /// Removes a content that no row has ever had, after the release of its only handle.
  func abandon(_ id: ContentID) {
    remove(id)
    state.withLock { $0.handles[id] = nil }
  }

  /// Removes an unfinished content at once, because the disk may be full.
  func discard(_ id: ContentID) {
    unlink(path(of: id))
    state.withLock { $0.handles[id] = nil }
  }

  /// Returns whether a content has a handle.
  func isHeld(_ id: ContentID) -> Bool {
    state.withLock { $0.handles[id] != nil }
  }

  /// Whether `takeReleased` would return any contents.
  var hasReleased: Bool { state.withLock { !$0.released.isEmpty } }

  /// Returns the contents whose last handle was released since the previous call.
  func takeReleased() -> [ContentID] {
    state.withLock { state in
      defer { state.released = [] }
      return state.released
    }
  }
}

// MARK: Files

extension ContentDirectory {
  /// Opens a content of a known size.
  func open(_ id: ContentID, byteCount: Int) throws(StoreError) -> FileDescriptor {
    let path: String
    let found: Int
    do throws(FileError) {
      let file = try FileDescriptor(opening: self.path(of: id), O_RDONLY)
      (path, found) = (file.path, try file.byteCount())
      if found == byteCount { return file }
    } catch {
      // Code 0 means that the path is not a regular file. In this case the content is lost.
      guard error.code == ENOENT || error.code == 0 else { throw .file(error) }
      throw .lost(path: error.path, byteCount: byteCount, found: nil)
    }
    throw .lost(path: path, byteCount: byteCount, found: found)
  }

  /// Reports that a content cannot be read, once for each content.
  ///
  /// Errors that also affect other contents are not reported.
  ///
  /// - Returns: the error.
  func noted(_ error: StoreError, of id: ContentID) -> StoreError {
    if error.isOfOneContent { losses.note(id, error) }
    return error
  }

  /// Replaces the file of one content by the file of another.
  func replace(_ id: ContentID, by other: ContentID) throws(FileError) {
    guard rename(path(of: other), path(of: id)) == 0 else { throw FileError(path: path(of: id)) }
  }

  /// Makes the names in the directory durable.
  func syncNames() throws(FileError) {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
  }

  /// Removes a content's file, and returns its size in bytes.
  ///
  /// A large file is removed on another thread. Only a regular file is removed. If a file cannot be
  /// removed, it stays until the next opening of the store.
  @discardableResult
  func remove(_ id: ContentID) -> Int {
    var status = stat()
    let path = path(of: id)
    guard lstat(path, &status) == 0, status.isRegularFile else { return 0 }
    let byteCount = Int(status.st_size)
    if byteCount > Self.maxAtOnce {
      removal.remove(path)
    } else {
      unlink(path)
    }
    return byteCount
  }
}
