public import BoardModel
public import Files

/// The board of the local daemon, as a link uses it.
public protocol LocalBoard: Sendable {
  /// Returns the changes after a revision.
  ///
  /// `history` is the history of the revision; empty if it is not known.
  func changes(since revision: UInt64, of history: String) async throws -> LocalHistory

  /// Returns the order of the rows of the board.
  func snapshot() async throws -> LocalSnapshot

  /// Reads rows that had these paths at the latest revision that the link has read.
  ///
  /// Contents that are too large for the log are put into `spool`.
  ///
  /// - Returns: the rows that still have these paths.
  func rows(
    at paths: [IndexPath: ItemKey], spool: any ContentSpool
  ) async throws -> [ItemKey: SharedRow]

  /// Returns new ids. Only rows that this client inserts with `apply` will have these ids.
  func reserve(_ count: Int) async throws -> [ItemKey]

  /// Makes one edit of the board if the board has this revision.
  ///
  /// If the call throws an error, the daemon may have made the edit.
  ///
  /// - Returns: the revision after the edit; nil if the board has another revision.
  /// - Throws: `ExcessiveEdits` if the edits are too many or too large; nothing was changed.
  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: ContentBytes], base: UInt64
  ) async throws -> UInt64?
}

/// Edits that exceed the limits of one edit of a daemon's board.
public struct ExcessiveEdits: Error, Sendable, CustomStringConvertible {
  /// The exceeded limit.
  public let description: String

  /// Creates an error with the daemon's message.
  public init(_ description: String) { self.description = description }
}

/// The changes after a revision, or the reason why they are not available.
public enum LocalHistory: Sendable {
  case changes(LocalChanges)
  /// The changes are too many, or no longer stored.
  case tooLong
  /// The board is not a successor of the revision: it is another board, or an earlier copy.
  case other

  /// The changes; nil if they are not available.
  public var changes: LocalChanges? {
    if case .changes(let changes) = self { changes } else { nil }
  }
}

/// The changes of a daemon's board after a revision.
public struct LocalChanges: Sendable {
  /// The revision after the changes.
  public let revision: UInt64
  /// The changes in order.
  ///
  /// Each index refers to the board after the earlier changes.
  public let changes: [LocalChange]
  /// The history of the revision: two boards with the same revision and history have the same earlier
  /// revisions; empty if it is not known.
  public let history: String

  /// Creates changes.
  public init(revision: UInt64, changes: [LocalChange], history: String = "") {
    self.revision = revision
    self.changes = changes
    self.history = history
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

/// The order of the rows of a daemon's board.
public struct LocalSnapshot: Sendable {
  /// The revision.
  public let revision: UInt64
  /// The names of the sections, and the ids of their rows in order.
  public let sections: [(name: String, items: [ItemKey])]

  /// Creates a snapshot.
  public init(revision: UInt64, sections: [(name: String, items: [ItemKey])]) {
    self.revision = revision
    self.sections = sections
  }
}

/// A part of an edit of a daemon's board.
///
/// Each index refers to the board after the earlier parts.
public enum LocalEdit: Hashable, Sendable {
  case insert(ItemKey, SharedRow, at: IndexPath)
  case delete(ItemKey)
  /// The path is a path of the board without the moved row.
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

/// The directory in which a link stores contents until the content store has them.
public protocol ContentSpool: Sendable {
  /// Creates an empty file for `put`.
  func makeFile() async throws -> FileDescriptor
  /// Creates an empty file without a name, which disappears when it is closed.
  func makeUnnamedFile() async throws -> FileDescriptor
  /// Stores a content; its file is from `makeFile`. If the content is already stored, its age starts
  /// again at zero.
  ///
  /// A large content need not survive a power cut, because the daemon has it, too.
  func put(_ hash: ContentHash, _ content: ContentBytes) async throws
  /// Makes the age of a content start again at zero, if it is stored.
  func renew(_ hash: ContentHash) async throws
  /// Whether a content is stored.
  func contains(_ hash: ContentHash) async throws -> Bool
  /// Returns a content; nil if it is not stored.
  func get(_ hash: ContentHash) async throws -> ContentBytes?
  /// Removes a content if its age is at least `age`.
  func remove(_ hash: ContentHash, olderThan age: Duration) async throws
  /// Returns the contents whose age is at least `age`, with their numbers of bytes.
  func contents(olderThan age: Duration) async throws -> [ContentHash: Int]
  /// Whether no content is stored.
  var isEmpty: Bool { get async throws }
}

/// The journal in which a link stores the events of its replica.
public protocol ReplicaJournal: Sendable {
  /// Appends events durably.
  ///
  /// - Returns: whether the journal is so long that it should be compacted.
  func append(_ events: [ReplicaEvent]) async throws -> Bool
  /// Replaces all events by a replica. Does nothing if `isSettled` of the replica is false.
  func compact(to replica: Replica) async throws
}
