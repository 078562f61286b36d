public import BoardModel

/// The board of the local daemon.
public protocol LocalBoard: Sendable {
  /// Returns the changes since a revision; nil if they are no longer available.
  func changes(since revision: UInt64) async throws -> LocalChanges?

  /// Returns the order of the board.
  func snapshot() async throws -> LocalSnapshot

  /// Reads rows that were at these paths recently.
  ///
  /// Contents that are too large for the log are passed to `keep`.
  ///
  /// - Returns: the rows, without those that are elsewhere now.
  func rows(
    at paths: [IndexPath: ItemKey],
    keep: @escaping @Sendable (ContentHash, [UInt8]) async throws -> Void
  ) async throws -> [ItemKey: SharedRow]

  /// Returns ids that no row has or will have, except a row that this client inserts with `apply`.
  func reserve(_ count: Int) async throws -> [ItemKey]

  /// Makes one edit of the board if it has this revision.
  ///
  /// If the call throws, the edit may have been made.
  ///
  /// - Returns: the revision after the edit; nil if the board has another revision.
  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: [UInt8]], base: UInt64
  ) async throws -> UInt64?
}

/// The changes of a daemon's board up to a revision.
public struct LocalChanges: Sendable {
  /// The revision after the changes.
  public let revision: UInt64
  /// The changes, each with indexes of the board after the changes before it.
  public let changes: [LocalChange]

  /// Creates changes.
  public init(revision: UInt64, changes: [LocalChange]) {
    self.revision = revision
    self.changes = changes
  }
}

/// A change of a daemon's board; see `BoardChange` of the client library.
public enum LocalChange: Hashable, Sendable {
  case insert(ItemKey, at: IndexPath)
  case delete(ItemKey, at: IndexPath)
  case move(ItemKey, from: IndexPath, to: IndexPath)
  case reload(ItemKey, at: IndexPath)
  case insertSection(String, at: Int)
  case deleteSection(at: Int)
  case moveSection(from: Int, to: Int)
  case renameSection(to: String, at: Int)
}

/// The order of a daemon's board.
public struct LocalSnapshot: Sendable {
  /// The revision.
  public let revision: UInt64
  /// The names of the sections with the ids of their rows.
  public let sections: [(name: String, items: [ItemKey])]

  /// Creates a snapshot.
  public init(revision: UInt64, sections: [(name: String, items: [ItemKey])]) {
    self.revision = revision
    self.sections = sections
  }
}

/// A part of an edit of a daemon's board; each index refers to the board after the parts before it.
public enum LocalEdit: Hashable, Sendable {
  case insert(ItemKey, SharedRow, at: IndexPath)
  case delete(ItemKey)
  /// The path is one of the board without the row.
  case move(ItemKey, to: IndexPath)
  case setFlags(ItemKey, RowFlags, changing: RowFlags)
  case setName(ItemKey, String)
  case setStack(ItemKey, String)
  case setContents(ItemKey, [SharedRow.Representation])
  case insertSection(String, at: Int)
  case deleteSection(at: Int)
  case moveSection(from: Int, to: Int)
  case renameSection(to: String, at: Int)
}

/// The place where a link keeps contents until they are in the content store.
public protocol ContentSpool: Sendable {
  /// Keeps a content durably.
  func put(_ hash: ContentHash, _ bytes: [UInt8]) async throws
  /// Returns a content; nil if it is not kept.
  func get(_ hash: ContentHash) async throws -> [UInt8]?
  /// Removes all contents.
  func removeAll() async throws
}

/// The place where a link keeps the events of its replica.
public protocol ReplicaJournal: Sendable {
  /// Appends events durably; returns whether the journal is so long that it should be compacted.
  func append(_ events: [ReplicaEvent]) async throws -> Bool
  /// Replaces all events by a replica that is synced.
  func compact(to replica: Replica) async throws
}
