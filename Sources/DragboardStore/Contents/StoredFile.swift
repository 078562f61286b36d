internal import Glibc
internal import Synchronization

/// A handle of bytes that rest in a file, unchanged for as long as there is a handle, though no row holds them.
///
/// Used from any thread. It keeps no descriptor open.
public final class StoredFile: Sendable {
  /// The number of bytes.
  public let byteCount: Int

  /// What the content is called.
  public let id: ContentID

  let contents: ContentFolder
  private let state: Mutex<State>

  /// What is sure about the bytes.
  private enum State {
    /// No row has ever held them: with that sum, and a power cut may take them.
    case written(sum: UInt64)
    /// Likewise, and the system has failed to make them durable once: it may say later that it has, and it has not.
    case doubtful(sum: UInt64)
    /// No row has ever held them; durable, but for their name.
    case synced
    /// Rows hold them, or did, or were about to; durable.
    case published
  }

  /// Takes over the only handle of what has just been written, and removes it unless it is published.
  init(written id: ContentID, byteCount: Int, sum: UInt64, in contents: ContentFolder) {
    self.contents = contents
    self.byteCount = byteCount
    self.id = id
    state = Mutex(.written(sum: sum))
  }

  /// A handle of what is published already; made on the store's thread.
  init(published id: ContentID, byteCount: Int, in contents: ContentFolder) {
    self.contents = contents
    self.byteCount = byteCount
    self.id = id
    state = Mutex(.published)
    contents.retain(id)
  }

  deinit {
    switch state.withLock({ $0 }) {
    case .written, .doubtful, .synced: contents.abandon(id)
    case .published: contents.release(id)
    }
  }
}

// MARK: Reading

extension StoredFile {
  /// Opens the bytes for reading, from the first one on.
  ///
  /// - Returns: a file descriptor, close-on-exec, which the caller closes.
  /// - Throws: `StoreError.file`; `StoreError.lost` where the file is missing or not as long as it was.
  public func open() throws(StoreError) -> Int32 {
    try openFile().release()
  }

  /// The first bytes: `count` of them, or all where there are fewer; the rest is not read.
  ///
  /// - Parameter count: how many bytes, at most.
  /// - Returns: those bytes.
  /// - Throws: as `open` does.
  public func readPrefix(_ count: Int) throws(StoreError) -> [UInt8] {
    try openFile().readPrefix(min(count, byteCount))
  }

  /// All bytes, in memory.
  ///
  /// - Returns: those bytes.
  /// - Throws: as `open` does.
  public func readAll() throws(StoreError) -> [UInt8] { try readPrefix(byteCount) }

  private func openFile() throws(StoreError) -> FileDescriptor {
    try contents.open(id, byteCount: byteCount)
  }
}

// MARK: Durability

extension StoredFile {
  /// Whether a power cut leaves the bytes, though perhaps under no name.
  public var isSynced: Bool {
    state.withLock { state in
      switch state {
      case .written, .doubtful: false
      case .synced, .published: true
      }
    }
  }

  /// Makes the bytes durable; does nothing where they are.
  ///
  /// It takes as long as the disk does. What a row is to hold is synced before it is inserted, at best on a
  /// thread of its own: inserting does it where it has not been done.
  ///
  /// - Throws: `StoreError.file`; `StoreError.lost` where the bytes are others since a sync has failed.
  public func sync() throws(StoreError) {
    if case .doubtful(let sum) = state.withLock({ $0 }) { try writeAgain(sum) }
    guard !isSynced else { return }
    do throws(StoreError) { try syncData() } catch {
      state.withLock { state in
        if case .written(let sum) = state { state = .doubtful(sum: sum) }
      }
      throw error
    }
    state.withLock { state in
      if case .written = state { state = .synced }
    }
  }

  private func syncData() throws(StoreError) {
    let file = try openFile()
    do throws(FileError) { try file.syncData() } catch { throw .file(error) }
  }

  /// Writes the bytes to another file, which takes the place of this one, as long as they are those with that sum.
  private func writeAgain(_ sum: UInt64) throws(StoreError) {
    let writer = try contents.makeWriter()
    let file = try openFile()
    while let piece = file.read(1 << 20, at: writer.byteCount), !piece.isEmpty {
      try piece.span.bytes.withUnsafeBytes { bytes throws(StoreError) in try writer.append(bytes) }
    }
    let copy = try writer.finish()
    guard case .written(sum) = copy.state.withLock({ $0 }), copy.byteCount == byteCount else {
      throw .lost(path: file.path, byteCount: byteCount, found: copy.byteCount)
    }
    do throws(FileError) { try contents.replace(id, by: copy.id) } catch { throw .file(error) }
    state.withLock { state in
      if case .doubtful = state { state = .written(sum: sum) }
    }
  }

  /// Notes that a row is about to hold the bytes, and makes them durable where they are not; on the store's thread alone.
  ///
  /// - Returns: whether it is the first one: the name of the file may not be durable yet.
  func publish() throws(StoreError) -> Bool {
    try sync()
    _ = try openFile()
    return state.withLock { state in
      if case .published = state { return false }
      state = .published
      return true
    }
  }
}

extension StoredFile: Hashable {
  /// Whether both are of the same content.
  public static func == (one: StoredFile, other: StoredFile) -> Bool { one.id == other.id }

  /// Hashes the id of the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
