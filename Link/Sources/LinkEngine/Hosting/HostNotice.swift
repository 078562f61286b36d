internal import LinkModel

/// The line of text with which a machine of the group follows to a new host, if the earlier one is lost.
///
/// It contains no secret. Machines of the group check that another one has made it.
public struct HostNotice: Sendable {
  /// The new host.
  public let move: HostMove
  /// Its name.
  public let name: String
  private let group: LogID
  /// The number of the key of the group that seals the line.
  private let key: UInt32
  private let seal: [UInt8]

  private static let prefix = "dragboard-link-host-1."
  private static let maxTextBytes = 1_024

  /// Whether a text is such a line.
  public static func matches(_ text: String) -> Bool {
    text.drop(while: \.isWhitespace).hasPrefix(prefix)
  }

  /// Creates the line about a host.
  public init(_ move: HostMove, named name: String, for configuration: LinkConfiguration) {
    (self.move, self.name, group) = (move, name, configuration.keys.id)
    let latest = configuration.keys.latest
    key = latest.epoch
    seal = Self.seal(of: Self.body(move, name, group, key), by: latest)
  }

  private static func seal(of body: [UInt8], by key: GroupKey) -> [UInt8] {
    Sodium.hash(Array("dragboard-link host".utf8) + body, key: key.memberKey)
  }

  private static func body(
    _ move: HostMove, _ name: String, _ group: LogID, _ key: UInt32
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(group)
    writer.write(UInt64(key))
    writer.write(move.epoch)
    writer.write(move.machine)
    writer.write(move.url)
    writer.write(name)
    writer.write(fixed: move.certificate.bytes)
    return writer.bytes
  }

  /// The line.
  public var line: String {
    Self.prefix + Base64URL.text(of: Self.body(move, name, group, key) + seal)
  }

  /// Reads a line for the machine with a configuration.
  public init(line: String, for configuration: LinkConfiguration) throws(Invitation.Problem) {
    let text = line.filter { !$0.isWhitespace }
    guard text.hasPrefix(Self.prefix),
      let bytes = Base64URL.bytes(of: text.dropFirst(Self.prefix.count)),
      bytes.count > Sodium.hashSize
    else { throw .damaged }
    var reader = ByteReader(Array(bytes.dropLast(Sodium.hashSize)))
    do {
      group = try reader.readKey()
      guard let key = UInt32(exactly: try reader.readNumber()) else {
        throw Invitation.Problem.damaged
      }
      self.key = key
      let (epoch, machine) = (try reader.readNumber(), try reader.readKey() as MachineKey)
      let url = try reader.readText(max: Self.maxTextBytes)
      name = try reader.readText(max: Self.maxTextBytes)
      move = HostMove(
        epoch: epoch, machine: machine, url: url,
        certificate: ServerCertificate(bytes: try reader.read(fixed: ServerCertificate.size)))
      try reader.finish()
      try LinkConfiguration.checkName(name)
    } catch { throw .damaged }
    seal = Array(bytes.suffix(Sodium.hashSize))
    guard group == configuration.keys.id else { throw .otherGroup }
    // A removed machine has the earlier keys.
    guard key >= configuration.keys.latest.epoch else { throw .earlierKey }
    guard let secret = configuration.keys[key],
      seal == Self.seal(of: Self.body(move, name, group, key), by: secret)
    else { throw .otherGroup }
  }
}
