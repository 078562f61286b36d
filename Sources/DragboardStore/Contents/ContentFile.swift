internal import Files
internal import Synchronization

/// A handle of bytes that rest in a file, unchanged for as long as there is a handle, though no row holds them.
///
/// Used from any thread. It keeps no descriptor open.
public final class ContentFile: Sendable {
  /// The number of bytes.
  public let byteCount: Int

  /// What the content is called.
  public let id: ContentID

  /// The checksum of the bytes as they were written; nil for contents of earlier releases, which
  /// are not checked.
  let sum: UInt64?

  let contents: ContentDirectory
  private let state: Mutex<State>

  /// What is sure about the bytes.
  private enum State {
    /// No row has ever held them, and a power cut may take them.
    case written
    /// Likewise, and the system has failed to make them durable once: it may say later that it has, and it has not.
    case unverified
    /// No row has ever held them; durable, but for their name.
    case synced
    /// Rows hold them, or did, or were about to; durable.
    case published
  }

  /// Takes over the only handle of a new content, and removes the content unless it is published.
  init(written id: ContentID, byteCount: Int, sum: UInt64?, in contents: ContentDirectory) {
    self.contents = contents
    self.byteCount = byteCount
    self.id = id
    self.sum = sum
    state = Mutex(.written)
  }

  /// A handle of a published content; made on the store's thread.
  init(published id: ContentID, byteCount: Int, sum: UInt64?, in contents: ContentDirectory) {
    self.contents = contents
    self.byteCount = byteCount
    self.id = id
    self.sum = sum
    state = Mutex(.published)
    contents.retain(id)
  }

  deinit {
    switch state.withLock({ $0 }) {
    case .written, .unverified, .synced: contents.abandon(id)
    case .published: contents.release(id)
    }
  }
}

// MARK: Reading

extension ContentFile {
  /// The first bytes: `count` of them, or all where there are fewer; the rest is not read, and
  /// nothing is checked.
  ///
  /// - Parameter count: how many bytes, at most.
  /// - Returns: those bytes.
  /// - Throws: `StoreError.file`; `StoreError.lost` if the file is missing or has another length.
  public func readPrefix(_ count: Int) throws(StoreError) -> [UInt8] {
    try contents.readPrefix(min(count, byteCount), of: id, byteCount: byteCount)
  }

  /// Returns all bytes, in memory; they are checked.
  ///
  /// - Throws: as `read` does.
  public func readAll() throws(StoreError) -> [UInt8] {
    try contents.readAll(id, byteCount: byteCount, sum: sum)
  }

  /// Shows all bytes piece by piece, then checks them against the sum that they were written with.
  ///
  /// Whoever passes the bytes on before this returns passes on bytes that may be altered: a copy is
  /// handed out after it has returned.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes; fewer than all are not checked.
  ///   - body: takes the next bytes; returns false to read no more, and check nothing.
  /// - Throws: as `readPrefix` does; `StoreError.altered` if the bytes are not what was written.
  public func read(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    try contents.read(id, byteCount: byteCount, sum: sum, upTo: limit, body)
  }

  func openFile() throws(StoreError) -> FileDescriptor {
    try contents.open(id, byteCount: byteCount)
  }
}

// MARK: Durability

extension ContentFile {
  /// Whether a power cut leaves the bytes, though perhaps under no name.
  public var isSynced: Bool {
    state.withLock { state in
      switch state {
      case .written, .unverified: false
      case .synced, .published: true
      }
    }
  }

  /// Makes the bytes durable; does nothing if they are.
  ///
  /// It takes as long as the disk does. What a row is to hold is synced before it is inserted, at best on a
  /// thread of its own: inserting does it where it has not been done.
  ///
  /// - Throws: `StoreError.file`; `StoreError.lost` where the bytes are others since a sync has failed.
  public func sync() throws(StoreError) {
    if case .unverified = state.withLock({ $0 }) { try writeAgain() }
    guard !isSynced else { return }
    do throws(StoreError) { try syncData() } catch {
      state.withLock { state in
        if case .written = state { state = .unverified }
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
  private func writeAgain() throws(StoreError) {
    let writer = try contents.makeWriter()
    let file = try openFile()
    while let piece = file.read(1 << 20, at: writer.byteCount), !piece.isEmpty {
      try piece.span.bytes.withUnsafeBytes { bytes throws(StoreError) in try writer.append(bytes) }
    }
    let copy = try writer.finish()
    guard copy.sum == sum, copy.byteCount == byteCount else {
      throw .lost(path: file.path, byteCount: byteCount, found: copy.byteCount)
    }
    do throws(FileError) { try contents.replace(id, by: copy.id) } catch { throw .file(error) }
    state.withLock { state in
      if case .unverified = state { state = .written }
    }
  }

  /// Notes that a row is about to have the bytes, and makes them durable if they are not; on the
  /// store's thread.
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

extension ContentFile: Hashable {
  /// Whether both are of the same content.
  public static func == (one: ContentFile, other: ContentFile) -> Bool { one.id == other.id }

  /// Hashes the id of the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
