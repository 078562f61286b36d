internal import Files
internal import Glibc
internal import Synchronization

/// The folder of large contents, `DIR/contents`: one file each, named for its id.
///
/// Used from any thread. It is made when the first content is written.
public final class ContentDirectory: Sendable {
  let path: String
  private let removal = FileRemoval()
  private let losses: LostContents
  private let state = Mutex(State())

  /// The file of a content with more bytes is removed off the thread that asks for it.
  private static let maxAtOnce = 1 << 20

  private struct State {
    /// How many handles there are of each content.
    var handles: [ContentID: Int] = [:]
    /// Contents that rows may hold and whose last handle has gone.
    var released: [ContentID] = []
  }

  init(path: String, losses: LostContents) { (self.path, self.losses) = (path, losses) }

  /// Begins a new content, empty so far.
  ///
  /// - Returns: the writer of its bytes.
  /// - Throws: `StoreError.file`, `StoreError.unusable`.
  public func makeWriter() throws(StoreError) -> ContentWriter {
    let id = ContentID()
    // Before there is a file: what nobody holds may be removed.
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

  /// Where that content is, or would be.
  func path(of id: ContentID) -> String { "\(path)/\(id)" }
}

// MARK: Handles

extension ContentDirectory {
  /// Notes a handle of a content: of one that rows hold the store's thread alone does so, which alone removes those.
  func retain(_ id: ContentID) {
    state.withLock { $0.handles[id, default: 0] += 1 }
  }

  /// Notes that a handle has gone.
  func release(_ id: ContentID) {
    state.withLock { state in
      let count = state.handles[id, default: 1] - 1
      state.handles[id] = count > 0 ? count : nil
      if count <= 0 { state.released.append(id) }
    }
  }

  /// Notes that the only handle of a content has gone that no row has ever held, and removes it.
  func abandon(_ id: ContentID) {
    remove(id)
    state.withLock { $0.handles[id] = nil }
  }

  /// Notes that a content has not come to its end, and removes it at once: the disk may have no room for another.
  func discard(_ id: ContentID) {
    unlink(path(of: id))
    state.withLock { $0.handles[id] = nil }
  }

  /// Whether there is a handle of that content.
  func isHeld(_ id: ContentID) -> Bool {
    state.withLock { $0.handles[id] != nil }
  }

  /// Whether `takeReleased` gives any.
  var hasReleased: Bool { state.withLock { !$0.released.isEmpty } }

  /// The contents whose last handle has gone since it was asked for them last.
  func takeReleased() -> [ContentID] {
    state.withLock { state in
      defer { state.released = [] }
      return state.released
    }
  }
}

// MARK: Files

extension ContentDirectory {
  /// Opens a content, which has so many bytes.
  func open(_ id: ContentID, byteCount: Int) throws(StoreError) -> FileDescriptor {
    let path: String
    let found: Int
    do throws(FileError) {
      let file = try FileDescriptor(opening: self.path(of: id), O_RDONLY)
      (path, found) = (file.path, try file.byteCount())
      if found == byteCount { return file }
    } catch {
      // Something that is no file has none of the bytes.
      guard error.code == ENOENT || error.code == 0 else { throw .file(error) }
      throw .lost(path: error.path, byteCount: byteCount, found: nil)
    }
    throw .lost(path: path, byteCount: byteCount, found: found)
  }

  /// Reports an error of reading a content, unless others have it, too; once for each content.
  ///
  /// - Returns: the error.
  func noted(_ error: StoreError, of id: ContentID) -> StoreError {
    if error.isOfOneContent { losses.note(id, error) }
    return error
  }

  /// Has the file of one content take the place of another one's.
  func replace(_ id: ContentID, by other: ContentID) throws(FileError) {
    guard rename(path(of: other), path(of: id)) == 0 else { throw FileError(path: path(of: id)) }
  }

  /// Makes durable which contents there are.
  func syncNames() throws(FileError) {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
  }

  /// Removes a content's file, a large one soon, and nothing that is not one; gives the number of its bytes.
  ///
  /// What cannot be removed stays until the store is opened again.
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
