public import LinkModel

/// The marker type for the ids of logs.
///
/// The group has a log, and each shared board has one.
public enum LogSubject {}

/// The identity of a log.
public typealias LogID = Key<LogSubject>

extension LogID {
  /// Creates a new identity.
  public static func random() -> LogID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(self)
    return writer.bytes
  }

  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard bytes.count == 16, let key: LogID = try? reader.readKey() else { return nil }
    self = key
  }
}
