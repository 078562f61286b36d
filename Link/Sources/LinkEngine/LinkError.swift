public import LinkModel
internal import Text

/// The reason why the link to other machines does not work.
public enum LinkError: Error, Hashable, Sendable {
  // MARK: The connection

  /// The server does not answer. Edits wait until the server answers.
  case offline(server: String)
  /// JetStream is disabled on the server, or has not started yet.
  case noJetStream(server: String)
  /// The server did not acknowledge an entry in time. The log may or may not contain the entry.
  case unacknowledged(UInt64)
  /// The server does not have the group's log.
  case otherServer(String)
  /// The server refuses a request.
  case refused(String)
  /// The server that a machine of the group runs refuses the key of this machine.
  case refusedKey(server: String)
  /// The server accepts only smaller messages.
  case largeMessage(max: Int)
  /// The server has no space for more entries or contents.
  case serverFull

  // MARK: A server that lies

  /// The server altered, replayed or reordered an entry.
  case alteredEntry(UInt64)
  /// The server returned an entry that differs from the earlier entry with this number.
  case replacedEntry(UInt64)
  /// The server skips an entry.
  case missingEntry(UInt64)
  /// The log ends before an entry that this machine has read earlier.
  case olderLog(seen: UInt64, last: UInt64)
  /// The server acknowledged an entry under another number.
  case wrongNumber(expected: UInt64, actual: UInt64)
  /// The server returned a chunk of a content that differs from the stored chunk.
  case alteredContent(ContentHash)

  // MARK: Keys and versions

  /// An entry is sealed with a key that this machine does not have.
  case unknownKey(epoch: UInt32)
  /// An entry is sealed with a key that was replaced when a machine was removed.
  case retiredKey(UInt64)
  /// A later version of the program wrote an entry or a chunk.
  case laterVersion(UInt8)
  /// The entries of the group contradict each other.
  case invalidGroup(String)
  /// Another machine has removed this machine.
  case removed

  // MARK: The caller

  /// A batch has too many bytes.
  case largeBatch(bytes: Int, max: Int)
  /// The caller wants to append a batch after an entry that this machine has not read.
  case unreadEntry(UInt64)
}

extension LinkError {
  /// Whether the error means that the server returned data that no machine of the group wrote, or
  /// that it withholds data.
  public var isServerFault: Bool {
    switch self {
    case .alteredEntry, .replacedEntry, .missingEntry, .olderLog, .wrongNumber, .alteredContent,
      .retiredKey:
      true
    default: false
    }
  }

  /// Whether the server has another history of the log than this machine has read.
  public var isOtherHistory: Bool {
    switch self {
    case .replacedEntry, .olderLog: true
    default: false
    }
  }

  /// Whether the same request can succeed later.
  public var isTemporary: Bool {
    switch self {
    case .offline, .noJetStream, .unacknowledged: true
    default: false
    }
  }
}

extension LinkError: StorageRefusal {
  /// Whether the server certainly has not stored the entry or the content.
  public var isRefusal: Bool {
    switch self {
    case .largeMessage, .serverFull, .largeBatch: true
    default: false
    }
  }
}

extension LinkError: CustomStringConvertible {
  /// One sentence in lower case, without a full stop.
  public var description: String {
    switch self {
    case .offline(let server): "server: \(server) does not answer"
    case .noJetStream(let server):
      "server: \(server) has no JetStream (start it with: nats-server -js; it also stops JetStream if its disk is full)"
    case .unacknowledged(let number): "server: it has not acknowledged entry \(number)"
    case .otherServer(let server):
      "server: \(server) does not have the data of the group (copy them from the old server first)"
    case .refused(let reason): "server: \(reason)"
    case .refusedKey(let server):
      "server: \(server) refuses the key of this machine (if it was removed: dragboard link leave --offline)"
    case .largeMessage(let max):
      "server: a row is too large, because max_payload is \(max) (set max_payload to 1MB on the server, or delete the row)"
    case .serverFull:
      "server: its storage is full (free space on the server, or raise its limits; until then edits wait on this machine)"
    case .alteredEntry(let number):
      "server: entry \(number) was altered, replayed or reordered; it is not applied"
    case .replacedEntry(let number):
      "server: entry \(number) differs from the entry that it had under this number before"
    case .missingEntry(let number): "server: entry \(number) is missing"
    case .olderLog(let seen, let last):
      "server: the log ends at entry \(last), but it had entry \(seen) before"
    case .wrongNumber(let expected, let actual):
      "server: it acknowledged entry \(actual) instead of entry \(expected)"
    case .alteredContent(let hash):
      "server: content \(Hexadecimal.digits(of: hash.bytes.prefix(8))) was altered; it is not used"
    case .unknownKey(let epoch): "keys: key \(epoch) of the group is missing"
    case .retiredKey(let number): "server: entry \(number) has a key that was already replaced"
    case .laterVersion(let version):
      "version: a later version of dragboard-link wrote the data (version \(version))"
    case .invalidGroup(let reason): "group: \(reason)"
    case .removed: "group: another machine has removed this machine"
    case .largeBatch(let bytes, let max): "batch: \(bytes) bytes are too many (at most \(max))"
    case .unreadEntry(let number): "entry: entry \(number) has not been read yet"
    }
  }
}
