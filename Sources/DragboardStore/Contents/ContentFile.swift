internal import Files
internal import Synchronization

/// A handle of a content's file, whose bytes never change.
///
/// The file exists as long as it has a handle, even if no row has the content. A handle is
/// thread-safe, and keeps no descriptor open.
public final class ContentFile: Sendable {
  /// The number of bytes.
  public let byteCount: Int

  /// The id of the content.
  public let id: ContentID

  /// The checksum of the bytes when they were written.
  ///
  /// It is nil for contents that an early release wrote. Their bytes are not checked.
  let sum: UInt64?

  let contents: ContentDirectory
  private let state: Mutex<State>

  /// The durability of the bytes.
  private enum State {
    /// No row has ever had the bytes, and a power cut may destroy them.
    case written
    /// No row has ever had the bytes, and a sync has failed.
    ///
    /// So a later successful sync proves nothing.
    case unverified
    /// No row has ever had the bytes. The bytes are durable, but the name of the file may not be.
    case synced
    /// A row has or had the bytes, or is about to have them. The bytes are durable.
    case published
  }

  /// Creates the handle of a new content.
  ///
  /// The caller has retained the content. When the handle is released, the content is removed
  /// unless it was published.
  init(written id: ContentID, byteCount: Int, sum: UInt64?, in contents: ContentDirectory) {
    self.contents = contents
    self.byteCount = byteCount
    self.id = id
    self.sum = sum
    state = Mutex(.written)
  }

  /// Creates a handle of a published content.
  ///
  /// Call it on the store's thread.
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
  /// Returns the first bytes without checking them.
  ///
  /// The rest is not read.
  ///
  /// - Parameter count: the maximum number of bytes.
  /// - Returns: `count` bytes, or all bytes of a shorter content.
  /// - Throws: `StoreError.file`; `StoreError.lost` if the file is missing or has another length.
  public func readPrefix(_ count: Int) throws(StoreError) -> [UInt8] {
    try contents.readPrefix(min(count, byteCount), of: id, byteCount: byteCount)
  }

  /// Returns all bytes after checking them.
  ///
  /// - Throws: the same errors as `read`.
  public func readAll() throws(StoreError) -> [UInt8] {
    try contents.readAll(id, byteCount: byteCount, sum: sum)
  }

  /// Passes all bytes to `body`, piece by piece, and then compares them with their checksum.
  ///
  /// Until this function returns, the bytes are unverified. So publish a copy only after this
  /// function has returned.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes. If it is less than the size, the bytes are not
  ///     checked.
  ///   - body: receives the next bytes. It returns false to stop without a check.
  /// - Throws: the same errors as `readPrefix`; `StoreError.altered` if the bytes have changed.
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
  /// Whether the bytes survive a power cut.
  ///
  /// The name of the file may not survive it.
  public var isSynced: Bool {
    state.withLock { state in
      switch state {
      case .written, .unverified: false
      case .synced, .published: true
      }
    }
  }

  /// Makes the bytes durable, unless they are already durable.
  ///
  /// It waits for the disk. So call it on another thread before a row with this content is
  /// inserted; otherwise the insertion calls it and waits.
  ///
  /// - Throws: `StoreError.file`; `StoreError.lost` if the bytes have changed since a failed sync.
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

  /// Writes the bytes to a new file, which replaces the old file if the checksum still matches.
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

  /// Makes the bytes durable, and records that a row is about to have them.
  ///
  /// Call it on the store's thread.
  ///
  /// - Returns: whether no row had the bytes before. If so, the caller must make the name of the
  ///   file durable.
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
  /// Returns whether both are handles of the same content.
  public static func == (one: ContentFile, other: ContentFile) -> Bool { one.id == other.id }

  /// Hashes the id of the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
