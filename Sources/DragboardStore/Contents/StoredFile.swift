internal import Glibc
internal import Synchronization

/// A handle of bytes that rest in a file, unchanged for as long as there is a handle, though no row holds them.
///
/// Used from any thread. It keeps no descriptor open.
public final class StoredFile: Sendable {
  /// The number of bytes.
  public let byteCount: Int

  /// What tells these bytes from others.
  public let digest: ContentDigest

  let contents: ContentFolder
  private let place: Mutex<Place>

  /// Where the bytes are, and what is sure about them.
  private enum Place {
    /// In a temporary file of that name: a power cut may take them.
    case written(String)
    /// Likewise, and the system has failed to make it durable once: it may say later that it has, and it has not.
    case doubtful(String)
    /// In a temporary file of that name, durable.
    case synced(String)
    /// Under the name of their digest, durable.
    case published
  }

  /// Takes over a temporary file, which it removes unless it is published.
  init(temporary name: String, byteCount: Int, digest: ContentDigest, in contents: ContentFolder) {
    self.contents = contents
    self.byteCount = byteCount
    self.digest = digest
    place = Mutex(.written(name))
  }

  /// A handle of what is published already; made on the store's thread.
  init(published digest: ContentDigest, byteCount: Int, in contents: ContentFolder) {
    self.contents = contents
    self.byteCount = byteCount
    self.digest = digest
    place = Mutex(.published)
    contents.retain(digest)
  }

  deinit {
    switch place.withLock({ $0 }) {
    case .written(let name), .doubtful(let name), .synced(let name): contents.remove(name)
    case .published: contents.release(digest)
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
    try checkedFile().release()
  }

  /// The first bytes: `count` of them, or all where there are fewer; the rest is not read.
  ///
  /// - Parameter count: how many bytes, at most.
  /// - Returns: those bytes.
  /// - Throws: as `open` does.
  public func readPrefix(_ count: Int) throws(StoreError) -> [UInt8] {
    try checkedFile().readPrefix(min(count, byteCount))
  }

  /// All bytes, in memory.
  ///
  /// - Returns: those bytes.
  /// - Throws: as `open` does.
  public func readAll() throws(StoreError) -> [UInt8] { try readPrefix(byteCount) }

  private func checkedFile() throws(StoreError) -> FileDescriptor {
    try contents.checked(byteCount: byteCount) { () throws(FileError) in try openFile() }
  }

  /// Opens the file where it is: while it is being opened, it is not renamed.
  private func openFile() throws(FileError) -> FileDescriptor {
    try place.withLock { place throws(FileError) in
      switch place {
      case .written(let name), .doubtful(let name), .synced(let name):
        try FileDescriptor(opening: contents.path(of: name), O_RDONLY | O_NOFOLLOW)
      case .published:
        try FileDescriptor(opening: contents.path(of: digest), O_RDONLY | O_NOFOLLOW)
      }
    }
  }
}

// MARK: Durability

extension StoredFile {
  /// Whether a power cut leaves the bytes, though perhaps under no name.
  public var isSynced: Bool {
    place.withLock { place in
      switch place {
      case .written, .doubtful: false
      case .synced, .published: true
      }
    }
  }

  private var isDoubtful: Bool {
    place.withLock { place in
      if case .doubtful = place { true } else { false }
    }
  }

  /// Makes the bytes durable; does nothing where they are.
  ///
  /// It takes as long as the disk does. What a row is to hold is synced before it is inserted, at best on a
  /// thread of its own: inserting does it where it has not been done.
  ///
  /// - Throws: `StoreError.file`.
  public func sync() throws(StoreError) {
    guard !isSynced else { return }
    if isDoubtful { try writeAgain() }
    do throws(FileError) { try openFile().syncData() } catch {
      place.withLock { place in
        if case .written(let name) = place { place = .doubtful(name) }
      }
      throw .file(error)
    }
    place.withLock { place in
      if case .written(let name) = place { place = .synced(name) }
    }
  }

  /// Writes the bytes to another file, as long as they can be read.
  private func writeAgain() throws(StoreError) {
    let writer = try contents.makeWriter()
    let file = try checkedFile()
    while let piece = file.read(1 << 20, at: writer.byteCount), !piece.isEmpty {
      try piece.span.bytes.withUnsafeBytes { bytes throws(StoreError) in try writer.append(bytes) }
    }
    let copy = try writer.finish()
    guard copy.digest == digest else {
      throw .lost(path: file.path, byteCount: byteCount, found: copy.byteCount)
    }
    exchangeFiles(with: copy)
  }

  /// Takes over another one's file, and leaves it this one's.
  private func exchangeFiles(with copy: StoredFile) {
    place.withLock { place in
      copy.place.withLock { other in swap(&place, &other) }
    }
  }

  /// Gives the bytes the name of their digest; where they are there under it already, the temporary file goes.
  ///
  /// On the store's thread alone.
  ///
  /// - Returns: whether the folder has a name more, or another file under a name.
  func publish() throws(StoreError) -> Bool {
    try sync()
    let isThere = contents.hasContent(digest, byteCount: byteCount)
    return try place.withLock { place throws(StoreError) in
      guard case .synced(let name) = place else {
        if isThere { return false }
        throw .lost(path: contents.path(of: digest), byteCount: byteCount, found: nil)
      }
      if isThere {
        contents.remove(name)
      } else {
        do throws(FileError) { try contents.publish(name, as: digest) } catch { throw .file(error) }
      }
      contents.retain(digest)
      place = .published
      return !isThere
    }
  }
}

extension StoredFile: Hashable {
  /// Whether both have the same bytes.
  public static func == (one: StoredFile, other: StoredFile) -> Bool { one.digest == other.digest }

  /// Hashes what tells the bytes from others.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
