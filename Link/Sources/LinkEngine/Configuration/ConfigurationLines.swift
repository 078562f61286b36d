internal import LinkModel
internal import Text

/// The settings of a configuration file, whose lines have the form `NAME VALUE`.
struct ConfigurationLines {
  typealias Problem = LinkConfiguration.Problem

  private var values: [String: [Substring]] = [:]

  init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(parts[0]), default: []].append(parts.count == 2 ? parts[1] : "")
    }
  }

  mutating func take(_ name: String) throws(Problem) -> String {
    guard let lines = values.removeValue(forKey: name) else {
      throw Problem(name, "the line is missing")
    }
    guard lines.count == 1 else { throw Problem(name, "\(lines.count) lines (1)") }
    return String(lines[0])
  }

  /// Whether a setting has a line.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the value of a setting; nil if its line is missing.
  mutating func takeOptional(_ name: String) -> String? {
    values.removeValue(forKey: name)?.last.map(String.init)
  }

  /// Returns the values of all lines of a setting.
  mutating func takeAll(_ name: String) -> [Substring] { values.removeValue(forKey: name) ?? [] }

  mutating func takePort(_ name: String) throws(Problem) -> UInt16 {
    guard let port = UInt16(try take(name)), port > 0 else {
      throw Problem(name, "not a port (expected 1…65535)")
    }
    return port
  }

  mutating func takeText(_ name: String) throws(Problem) -> String {
    guard let bytes = Base64URL.bytes(of: try take(name)),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw Problem(name, "not a text in base64url") }
    return text
  }

  /// Returns the server that a machine of the group runs; nil if an administrator runs the server.
  mutating func takeHost() throws(Problem) -> GroupHost? {
    guard let machine = takeOptional("host") else { return nil }
    return GroupHost(
      machine: machine,
      certificate: ServerCertificate(
        bytes: try takeBytes("host-certificate", ServerCertificate.size)),
      login: SigningKey(seed: try takeBytes("host-login", SigningKey.size)))
  }

  mutating func takeBytes(_ name: String, _ count: Int) throws(Problem) -> [UInt8] {
    try Self.bytes(of: try take(name)[...], count, name)
  }

  mutating func takeKey<Subject>(_ name: String) throws(Problem) -> Key<Subject> {
    try Self.key(of: try take(name)[...], name)
  }

  mutating func takeKeys() throws(Problem) -> [GroupKey] {
    var keys: [GroupKey] = []
    for line in values.removeValue(forKey: "key") ?? [] {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let epoch = UInt32(parts[0]), epoch > 0 else {
        throw Problem("key", "not an epoch and a key")
      }
      keys.append(
        GroupKey(epoch: epoch, secret: try Self.bytes(of: parts[1], Sodium.keySize, "key")))
    }
    guard !keys.isEmpty else { throw Problem("key", "the line is missing") }
    guard Set(keys.map(\.epoch)).count == keys.count else {
      throw Problem("key", "two keys have the same epoch")
    }
    return keys
  }

  mutating func takeAnchors() throws(Problem) -> [LogID: ChainHead] {
    var anchors: [LogID: ChainHead] = [:]
    for line in values.removeValue(forKey: "anchor") ?? [] {
      let parts = line.split(separator: " ")
      guard parts.count == 4, let number = UInt64(parts[1]), let epoch = UInt32(parts[2]) else {
        throw Problem("anchor", "malformed (expected a log, a number, an epoch and a hash)")
      }
      anchors[try Self.key(of: parts[0], "anchor")] = ChainHead(
        number: number, hash: try Self.bytes(of: parts[3], Sodium.hashSize, "anchor"), epoch: epoch)
    }
    return anchors
  }

  func finish() throws(Problem) {
    if let name = values.keys.min() { throw Problem(name, "no such setting") }
  }

  private static func bytes(
    of digits: Substring, _ count: Int, _ name: String
  ) throws(Problem) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(of: digits), bytes.count == count else {
      throw Problem(name, "not \(2 * count) hexadecimal digits")
    }
    return bytes
  }

  private static func key<Subject>(
    of digits: Substring, _ name: String
  ) throws(Problem) -> Key<Subject> {
    var reader = ByteReader(try bytes(of: digits, 16, name))
    guard let key: Key<Subject> = try? reader.readKey() else {
      throw Problem(name, "not a key")
    }
    return key
  }
}
