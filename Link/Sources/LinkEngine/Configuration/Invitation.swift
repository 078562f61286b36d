internal import LinkModel

/// The line of text with which a machine joins a group.
///
/// It contains the keys of the group, so it must be kept secret like a password. For each log, it
/// also contains the number and the hash of the last entry that the inviting machine has read. If
/// the server shows an older log to the new machine, the machine detects this.
public struct Invitation: Hashable, Sendable {
  /// The server.
  public let server: ServerAddress
  let group: LogID
  let nameKey: [UInt8]
  let keys: [GroupKey]
  let anchors: [LogID: ChainHead]
  /// The secret of the invited machine, if a machine of the group runs the server.
  let secret: MachineSecret?

  /// The reason why a line is not a valid invitation.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line does not begin with the prefix of an invitation.
    case unknown
    /// A later version of the program wrote the line.
    case laterVersion
    /// The line is incomplete or altered.
    case damaged
    /// The group changed its key after the line was printed.
    case outdated
    /// Another machine has joined with the line.
    case used
    /// The host does not accept the key in the line any more.
    case withdrawn
    /// The line is for machines of another group.
    case otherGroup
    /// The line was printed before a machine was removed from the group.
    case earlierKey

    /// One sentence in lower case, without a full stop.
    public var description: String {
      switch self {
      case .unknown: "invitation: the line is not an invitation (\(Invitation.prefix)1.…)"
      case .laterVersion: "invitation: a later version of dragboard-link made the line"
      case .damaged: "invitation: the line is incomplete or altered (copy the whole line)"
      case .outdated:
        "invitation: a machine was removed after the line was printed (print a new line with: dragboard link invite)"
      case .withdrawn:
        "invitation: the host does not accept the line, because it was withdrawn, or is older than a day (print a new line with: dragboard link invite)"
      case .otherGroup:
        "host: the line is for machines of another group, or has a key that this machine lacks"
      case .earlierKey:
        "host: the line has a key that was replaced when a machine was removed from the group"
      case .used:
        "invitation: a machine has already joined with this line (print a new line with: dragboard link invite)"
      }
    }
  }

  fileprivate static let prefix = "dragboard-link-"
  /// The version of lines for the server of an administrator.
  private static let version = "1"
  /// The version of lines for the server of a machine of the group.
  private static let hostedVersion = "2"
  private static let maxMachineNameBytes = 64
  private static let checksumSize = 8
  private static let maxTextBytes = 64 << 10

  init(
    server: ServerAddress, keys: GroupKeys, anchors: [LogID: ChainHead],
    secret: MachineSecret? = nil
  ) {
    (self.server, self.secret) = (server, secret)
    (group, nameKey, self.keys) = (keys.id, keys.nameKey, keys.all)
    self.anchors = anchors
  }

  /// The line.
  public var line: String {
    var writer = ByteWriter()
    if let host = server.host, let secret {
      writer.write(server.url)
      writer.write(host.machine)
      writer.write(fixed: host.certificate.bytes)
      writer.write(fixed: secret.bytes)
    } else {
      for text in [server.url, server.certificates, server.user, server.password] {
        writer.write(text)
      }
    }
    writer.write(group)
    writer.write(fixed: nameKey)
    writer.write(keys.count)
    for key in keys {
      writer.write(UInt64(key.epoch))
      writer.write(fixed: key.secret)
    }
    writer.write(anchors.count)
    for (log, head) in anchors.sorted(by: { $0.key < $1.key }) {
      writer.write(log)
      writer.write(head.number)
      writer.write(UInt64(head.epoch))
      writer.write(fixed: head.hash)
    }
    let checksum = Sodium.hash(writer.bytes).prefix(Self.checksumSize)
    return "\(Self.prefix)\(secret == nil ? Self.version : Self.hostedVersion)."
      + Base64URL.text(of: writer.bytes + checksum)
  }

  /// Reads a line.
  ///
  /// Spaces and line ends around it are ignored.
  public init(line: String) throws(Problem) {
    let line = line.drop(while: \.isWhitespace)
    guard line.hasPrefix(Self.prefix) else { throw .unknown }
    let parts = line.dropFirst(Self.prefix.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let version = UInt8(parts[0]) else { throw .damaged }
    guard [Self.version, Self.hostedVersion].contains(String(parts[0])) else {
      throw version > 2 ? .laterVersion : .damaged
    }
    var text = parts[1]
    while text.last?.isWhitespace == true { text.removeLast() }
    guard let bytes = Base64URL.bytes(of: text), bytes.count > Self.checksumSize else {
      throw .damaged
    }
    let body = Array(bytes.dropLast(Self.checksumSize))
    guard Sodium.hash(body).prefix(Self.checksumSize) == bytes.suffix(Self.checksumSize) else {
      throw .damaged
    }
    do {
      try self.init(reading: body, isHosted: String(parts[0]) == Self.hostedVersion)
    } catch {
      throw .damaged
    }
  }

  private init(reading body: [UInt8], isHosted: Bool) throws {
    var reader = ByteReader(body)
    func text() throws -> String { try reader.readText(max: Self.maxTextBytes) }
    if isHosted {
      let (url, machine) = (try text(), try reader.readText(max: Self.maxMachineNameBytes))
      try LinkConfiguration.checkName(machine)
      let certificate = ServerCertificate(bytes: try reader.read(fixed: ServerCertificate.size))
      let secret = MachineSecret(bytes: try reader.read(fixed: BoxKeys.size))
      self.secret = secret
      server = try ServerAddress(
        url: url,
        host: GroupHost(machine: machine, certificate: certificate, login: secret.login))
      guard server.isEncrypted else { throw Problem.damaged }
    } else {
      let (url, certificates) = (try text(), try text())
      let (user, password) = (try text(), try text())
      secret = nil
      server = try ServerAddress(
        url: url, certificates: certificates, user: user, password: password)
    }
    group = try reader.readKey()
    nameKey = try reader.read(fixed: Sodium.keySize)
    var keys: [GroupKey] = []
    for _ in 0..<(try reader.readCount(ofSize: 1 + Sodium.keySize)) {
      guard let epoch = UInt32(exactly: try reader.readNumber()), epoch > 0 else {
        throw Problem.damaged
      }
      keys.append(GroupKey(epoch: epoch, secret: try reader.read(fixed: Sodium.keySize)))
    }
    guard !keys.isEmpty else { throw Problem.damaged }
    self.keys = keys
    var anchors: [LogID: ChainHead] = [:]
    for _ in 0..<(try reader.readCount(ofSize: 18 + Sodium.hashSize)) {
      let log: LogID = try reader.readKey()
      let number = try reader.readNumber()
      guard let epoch = UInt32(exactly: try reader.readNumber()) else { throw Problem.damaged }
      anchors[log] = ChainHead(
        number: number, hash: try reader.read(fixed: Sodium.hashSize), epoch: epoch)
    }
    self.anchors = anchors
    try reader.finish()
  }
}
