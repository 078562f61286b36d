/// The marker type for the ids of logs.
///
/// The group has a log, and each shared board has one log after another.
public enum LogSubject {}

/// The identity of a log.
///
/// The first log of a board has the id of the board: 128 random bits. The id of a later log contains
/// its generation, random bits, and a hash of these and of the id of the board. So the id shows to which
/// board the log belongs, and which of two logs of a board is the later one.
public typealias LogID = Key<LogSubject>

extension LogID {
  /// The number of random bits of the id of a later log.
  private static let randomBits: UInt64 = 40

  /// Creates a new identity.
  public static func random() -> LogID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Creates the identity of a log that replaces a log of a board.
  ///
  /// `log` is nil for the first log of the board.
  public static func successor(
    of log: LogID?, board: LogID, using generator: inout some RandomNumberGenerator
  ) -> LogID {
    let generation = (log?.generation(in: board) ?? 0) + 1
    let high = generation << randomBits | generator.next() >> (64 - randomBits)
    return LogID(high, check(of: high, board))
  }

  /// Returns the number of logs of a board before this log; nil if this is no log of the board.
  public func generation(in board: LogID) -> UInt64? {
    if self == board { return 0 }
    guard low == Self.check(of: high, board), high >> Self.randomBits > 0 else { return nil }
    return high >> Self.randomBits
  }

  private static func check(of high: UInt64, _ board: LogID) -> UInt64 {
    var writer = ByteWriter()
    writer.write(board)
    writer.write(high)
    return ContentHash(of: writer.bytes).prefix
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(self)
    return writer.bytes
  }

  /// Creates an identity from 16 bytes; nil for another number of bytes.
  public init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard bytes.count == 16, let key: LogID = try? reader.readKey() else { return nil }
    self = key
  }
}

extension ContentHash {
  /// The first 64 bits.
  var prefix: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
