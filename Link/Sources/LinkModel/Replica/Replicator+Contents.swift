/// The contents that are too large for the log.
///
/// They never delay edits. A batch is appended before its contents are stored, and a row whose
/// content has not arrived waits alone. Small contents do not wait for large ones.
extension Replicator {
  /// The number of bytes from which on a content is large.
  static let largeContent = 4 << 20
  /// The maximum number of bytes in memory, and of files, of the contents that have arrived and are
  /// not on the daemon's board yet.
  static let (maxArrivedBytes, maxArrivedFiles) = (4 << 20, 8)

  // MARK: To the content store

  /// Returns some of the contents that this machine must store, the smallest first.
  ///
  /// The edits that use them are in the log. So another machine that removes unused contents knows
  /// that they are used.
  public func nextUploads(areLarge: Bool) async throws -> [ContentHash] {
    if !hasListedSpool {
      unstored.merge(try await spool.contents(olderThan: .zero)) { $1 }
      hasListedSpool = true
    }
    guard !unstored.isEmpty else { return [] }
    let pending = Set(replica.pending.flatMap(\.storedContents))
    let known = unstored.lazy.filter { !pending.contains($0.key) }
    return Self.smallest(known.map { ($0.value, $0.key) }, areLarge)
  }

  /// The number of contents that this run of the link has to store.
  public var unstoredCount: Int { unstored.count }

  /// The maximum number of contents that are sorted for one transfer.
  private static let maxSorted = 256

  private static func smallest(
    _ contents: some Sequence<(byteCount: Int, hash: ContentHash)>, _ areLarge: Bool
  ) -> [ContentHash] {
    contents.filter { ($0.byteCount > largeContent) == areLarge }.sorted { $0 < $1 }
      .prefix(maxSorted).map(\.hash)
  }

  /// Stores a content; waits only for the servers.
  public nonisolated func upload(_ hash: ContentHash) async throws {
    if let content = try await spool.get(hash) { try await store.put(hash, content) }
  }

  /// Records that a content was stored.
  public func noteUpload(of hash: ContentHash) async throws {
    unstored[hash] = nil
    if try await spool.contains(hash) {
      try await spool.renew(hash)
    } else {
      // The file was damaged. The daemon may have the content.
      wanted.insert(hash)
    }
  }

  /// Records that the server has refused a content.
  ///
  /// A content that no row has any more need not be stored.
  public func noteRefusal(of hash: ContentHash) {
    if !replica.storedContents.contains(hash) { unstored[hash] = nil }
  }

  /// Records that rows were read, so that their contents are in the spool.
  func noteContents(of rows: some Sequence<SharedRow>) {
    for row in rows {
      for case .stored(let hash, let count) in row.representations.map(\.content) {
        unstored[hash] = Int(clamping: count)
      }
    }
  }

  /// Stores all contents that this machine must store.
  public func uploadContents() async throws {
    for areLarge in [false, true] {
      for hash in try await nextUploads(areLarge: areLarge) {
        try await upload(hash)
        try await noteUpload(of: hash)
      }
    }
  }

  /// The time between storing a content and confirming it.
  ///
  /// By then, the server has synced the content to its disk, or has lost it.
  public static let confirmationDelay = Duration.seconds(300)

  /// Confirms contents of this machine: stores them in the content store again, and then removes
  /// them from the spool.
  ///
  /// The server may have lost them in a power cut, or another machine may have removed them because
  /// no row had them yet.
  ///
  /// - Returns: whether contents remain that cannot be confirmed yet.
  public func confirmContents(after delay: Duration = confirmationDelay) async throws -> Bool {
    guard replica.pending.isEmpty else { return false }
    let old = hasListedSpool ? try await spool.contents(olderThan: delay) : [:]
    let used = old.isEmpty ? [] : replica.storedContents
    for hash in old.keys where unstored[hash] == nil {
      if used.contains(hash) { try await upload(hash) }
      guard replica.pending.isEmpty else { return true }
      try await spool.remove(hash, olderThan: delay)
    }
    return try await !spool.isEmpty
  }

  // MARK: From the content store

  /// A content that rows of the daemon's board need.
  struct MissingContent {
    let byteCount: Int
    /// The time at which it was first needed.
    let since: UInt64
    /// The time of the next attempt to get it.
    var next: ContinuousClock.Instant
    var backoff = Backoff(.milliseconds(20)...(.seconds(8)))
  }

  /// Finds the contents that the daemon's board needs and that neither the spool nor `arrived` has.
  func findMissingContents() async throws {
    var needed: [ContentHash: Int] = [:]
    for key in replica.dirty.rows {
      guard let row = replica.visible[key],
        row.representations != replica.shadow[key]?.representations
      else { continue }
      for case .stored(let hash, let count) in row.representations.map(\.content) {
        needed[hash] = Int(clamping: count)
      }
    }
    missing = missing.filter { needed[$0.key] != nil }
    arrived = arrived.filter { needed[$0.key] != nil }
    for (hash, count) in needed where missing[hash] == nil && arrived[hash] == nil {
      if try await spool.contains(hash) { continue }
      missing[hash] = MissingContent(byteCount: count, since: time(), next: .now)
    }
  }

  /// Returns some of the missing contents that should be requested now, the smallest first.
  public func nextFetches(areLarge: Bool) -> [ContentHash] {
    guard hasSpace else { return [] }
    let now = ContinuousClock.now
    let due = missing.lazy.filter { $0.value.next <= now }
    return Self.smallest(due.map { ($0.value.byteCount, $0.key) }, areLarge)
  }

  private var hasSpace: Bool {
    var (bytes, files) = (0, 0)
    for content in arrived.values {
      if case .inMemory(let content) = content { bytes += content.count } else { files += 1 }
    }
    return bytes < Self.maxArrivedBytes && files < Self.maxArrivedFiles
  }

  /// Returns the time of the next attempt to get a missing content; nil if no content is missing, or
  /// if `push` must come first.
  public func nextFetchTime(areLarge: Bool) -> ContinuousClock.Instant? {
    guard hasSpace else { return nil }
    return missing.values.lazy.filter { ($0.byteCount > Self.largeContent) == areLarge }
      .map(\.next).min()
  }

  /// Tries to get a missing content.
  ///
  /// If the content store does not have it for `requestDelay`, other machines are asked.
  ///
  /// - Returns: whether the content has arrived, or other machines must be asked.
  public func fetch(_ hash: ContentHash) async throws -> Bool {
    guard hasSpace, var content = missing[hash] else { return false }
    content.next = .now + max(content.backoff.next(), .milliseconds(5))
    missing[hash] = content
    let bytes = try await store.get(hash, byteCount: content.byteCount) { [spool] in
      try await spool.makeUnnamedFile()
    }
    guard missing[hash] != nil else { return false }
    if let bytes {
      missing[hash] = nil
      arrived[hash] = bytes
      return true
    }
    guard time() >= content.since + requestDelay, requested.insert(hash).inserted else {
      return false
    }
    unrequested.insert(hash)
    return true
  }

  /// Tries to get each missing content once.
  ///
  /// - Returns: whether one has arrived.
  public func fetchContents() async throws -> Bool {
    for hash in missing.keys.sorted() { _ = try await fetch(hash) }
    return !arrived.isEmpty
  }
}
