public import Files

/// A log of opaque batches, to which several machines append in one total order.
public protocol EditLog: Sendable {
  /// Appends a batch if the last entry of the log has the number `last`.
  ///
  /// - Returns: the number of the new entry, or nil if another entry came first.
  func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64?

  /// Returns the number of the last entry; 0 if the log is empty.
  func lastNumber() async throws -> UInt64

  /// Returns the entries after the entry `last`, in order: first the existing entries, then each
  /// new entry when it arrives.
  func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error>
}

/// An error of a log or a content store that certainly has not stored the batch or the content.
///
/// The batch can be changed before the next attempt.
public protocol StorageRefusal: Error {
  /// Whether the server refuses what it was sent; the property is false for errors after which the
  /// server may have stored it.
  var isRefusal: Bool { get }
}

/// A batch in the log, with its number.
///
/// Consecutive entries have consecutive numbers.
public struct LogEntry: Sendable, Equatable {
  /// The number, from 1.
  public let number: UInt64
  /// The batch.
  public let batch: [UInt8]

  /// Creates an entry.
  public init(number: UInt64, batch: [UInt8]) {
    self.number = number
    self.batch = batch
  }
}

/// A store of contents, which are identified by their hashes.
public protocol ContentStore: Sendable {
  /// Stores a content, which must have this BLAKE2b-256 hash, if it does not exist yet.
  func put(_ hash: ContentHash, _ content: ContentBytes) async throws

  /// Returns a content; nil if it does not exist.
  ///
  /// If another machine is storing the content at the moment, waits as long as parts of it arrive.
  /// `makeFile` returns an empty file for a content that is too large for the memory.
  func get(
    _ hash: ContentHash, byteCount: Int, makeFile: @Sendable () async throws -> FileDescriptor
  ) async throws -> ContentBytes?

  /// Removes a content.
  func remove(_ hash: ContentHash) async throws
}
