internal import Glibc
internal import Synchronization

/// The folder of large contents, `DIR/contents`: one file each, named for the SHA-256 of its bytes.
///
/// Used from any thread. It is made when the first content is written.
public final class ContentFolder: Sendable {
  let path: String
  private let run = ContentName.newRun()
  private let state = Mutex(State())

  private struct State {
    var writers: UInt64 = 0
    /// How many handles there are of each published content.
    var handles: [ContentDigest: Int] = [:]
    /// Published contents whose last handle has gone.
    var released: [ContentDigest] = []
  }

  init(path: String) { self.path = path }

  /// Begins a new content, empty so far.
  ///
  /// - Returns: what takes its bytes.
  /// - Throws: `StoreError.file`, `StoreError.unusable`.
  public func makeWriter() throws(StoreError) -> ContentWriter {
    let number = state.withLock { state in
      state.writers += 1
      return state.writers
    }
    let name = ContentName.temporary(run: run, number: number)
    return ContentWriter(name: name, file: try makeFile(named: name), in: self)
  }

  private func makeFile(named name: String) throws(StoreError) -> FileDescriptor {
    do throws(FileError) {
      return try newFile(named: name)
    } catch {
      guard error.code == ENOENT else { throw .file(error) }
    }
    try Folder.make(path)
    do throws(FileError) { return try newFile(named: name) } catch { throw .file(error) }
  }

  private func newFile(named name: String) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: path(of: name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o400)
  }

  /// Where the file of that name is.
  func path(of name: String) -> String { path + "/" + name }

  /// Where that content is, or would be.
  func path(of digest: ContentDigest) -> String { path(of: "\(digest)") }
}

// MARK: Handles

extension ContentFolder {
  /// Notes a handle of a published content: the store's thread alone does so, which alone removes contents.
  func retain(_ digest: ContentDigest) {
    state.withLock { $0.handles[digest, default: 0] += 1 }
  }

  /// Notes that a handle has gone.
  func release(_ digest: ContentDigest) {
    state.withLock { state in
      let count = state.handles[digest, default: 1] - 1
      state.handles[digest] = count > 0 ? count : nil
      if count <= 0 { state.released.append(digest) }
    }
  }

  /// Whether there is a handle of that content.
  func isHeld(_ digest: ContentDigest) -> Bool {
    state.withLock { $0.handles[digest] != nil }
  }

  /// Whether `takeReleased` gives any.
  var hasReleased: Bool { state.withLock { !$0.released.isEmpty } }

  /// The contents whose last handle has gone since it was asked for them last.
  func takeReleased() -> [ContentDigest] {
    state.withLock { state in
      defer { state.released = [] }
      return state.released
    }
  }
}

// MARK: Files

extension ContentFolder {
  /// Opens a published content, which has so many bytes.
  func open(_ digest: ContentDigest, byteCount: Int) throws(StoreError) -> FileDescriptor {
    try checked(byteCount: byteCount) { () throws(FileError) in
      try FileDescriptor(opening: path(of: digest), O_RDONLY | O_NOFOLLOW)
    }
  }

  /// What `open` has opened, where it is a file with so many bytes.
  func checked(
    byteCount: Int, _ open: () throws(FileError) -> FileDescriptor
  ) throws(StoreError) -> FileDescriptor {
    let path: String
    let found: Int
    do throws(FileError) {
      let file = try open()
      (path, found) = (file.path, try file.byteCount())
      if found == byteCount { return file }
    } catch {
      guard error.code == ENOENT else { throw .file(error) }
      throw .lost(path: error.path, byteCount: byteCount, found: nil)
    }
    throw .lost(path: path, byteCount: byteCount, found: found)
  }

  /// Whether the content is there, with so many bytes.
  func hasContent(_ digest: ContentDigest, byteCount: Int) -> Bool {
    var status = stat()
    return lstat(path(of: digest), &status) == 0 && status.isRegularFile
      && Int(status.st_size) == byteCount
  }

  /// Gives a temporary file the name of its content, in place of what bears it.
  func publish(_ name: String, as digest: ContentDigest) throws(FileError) {
    guard rename(path(of: name), path(of: digest)) == 0 else {
      throw FileError(path: path(of: digest))
    }
  }

  /// Makes durable which contents there are.
  func syncNames() throws(FileError) {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
  }

  /// Removes a file, and nothing that is not one; gives the number of its bytes.
  ///
  /// What cannot be removed stays until the store is opened again.
  @discardableResult
  func remove(_ name: String) -> Int {
    var status = stat()
    let path = path(of: name)
    guard lstat(path, &status) == 0, status.isRegularFile, unlink(path) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Whether the temporary file was made by this opening of the folder.
  func isOwn(run: String) -> Bool { run == self.run }
}
