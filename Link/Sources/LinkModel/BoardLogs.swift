/// The logs of a shared board, one after another.
///
/// The first log has the id of the board. A later log begins with a snapshot: the board after all entries
/// of the log before it. The last entry of each earlier log names its successor, and no entry follows it.
/// A log is *in use* when it has an entry after its snapshot. A machine makes such an entry only if it has
/// read that the log is the successor. So a log that a machine did not finish is never in use.
public protocol BoardLogs: Sendable {
  /// The id of the board.
  var board: LogID { get }

  /// Returns a log that exists; nil stands for the first log.
  func log(_ id: LogID?) throws -> any EditLog

  /// Returns a new log for the parts of a snapshot.
  func makeLog(_ id: LogID) throws -> any EditLog

  /// Returns the number of bytes of a log on the server.
  func byteCount(of id: LogID?) async throws -> Int

  /// Returns the latest log that is in use; nil if it is not later than a log.
  func latest(after id: LogID?) async throws -> LogID?

  /// Removes a log that no entry names.
  func remove(_ id: LogID) async throws

  /// Removes the logs before a log, and unfinished logs of its generation.
  func removeLogs(before id: LogID) async throws
}

/// The error of a log that a later log has replaced, so that the server no longer has its entries.
public struct LogReplaced: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence in lower case, without a full stop.
  public var description: String { "log: a later log has replaced it" }

  /// Creates the error.
  public init() {}
}
