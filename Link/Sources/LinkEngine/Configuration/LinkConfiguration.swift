public import LinkModel
internal import Text

/// The settings and keys of this machine.
public struct LinkConfiguration: Sendable {
  /// The server.
  public var server: ServerAddress
  /// The number of the host that runs the server; 0 for the first one.
  public var hostEpoch: UInt64 = 0
  /// The identity of this machine.
  public private(set) var machine: MachineKey
  /// The name of this machine for display.
  public private(set) var machineName: String
  private(set) var boxKeys: BoxKeys
  /// The group and its keys.
  public let keys: GroupKeys
  /// For each log, the last entry that the inviting machine had read.
  let anchors: [LogID: ChainHead]

  private init(
    server: ServerAddress, machineName: String, keys: GroupKeys, anchors: [LogID: ChainHead],
    boxKeys: BoxKeys = .random()
  ) {
    var generator = SystemRandomNumberGenerator()
    self.server = server
    self.machineName = machineName
    machine = .random(using: &generator)
    self.boxKeys = boxKeys
    self.keys = keys
    self.anchors = anchors
  }

  /// Creates the configuration for the first machine of a new group.
  public init(server: ServerAddress, machineName: String) throws(Problem) {
    try Self.checkName(machineName)
    self.init(server: server, machineName: machineName, keys: .random(), anchors: [:])
  }

  /// Creates the configuration for the first machine of a new group, which runs the server.
  ///
  /// Lets the machine log in at the server.
  public init(hosting server: inout HostedServer, machineName: String) throws {
    try Self.checkName(machineName)
    let secret = server.admit(hasJoined: true)
    let host = GroupHost(
      machine: machineName, certificate: server.certificate, login: secret.login)
    self.init(
      server: try ServerAddress(url: "tls://127.0.0.1:\(server.port)", host: host),
      machineName: machineName, keys: .random(), anchors: [:], boxKeys: secret.boxKeys)
  }

  /// Creates the configuration for an invited machine.
  public init(_ invitation: Invitation, machineName: String) throws(Problem) {
    try Self.checkName(machineName)
    let keys = GroupKeys(
      id: invitation.group, nameKey: invitation.nameKey, keys: invitation.keys)
    self.init(
      server: invitation.server, machineName: machineName, keys: keys,
      anchors: invitation.anchors, boxKeys: invitation.secret?.boxKeys ?? .random())
  }

  /// Returns the configuration of a machine to which this configuration was copied.
  ///
  /// It has another identity, and a name that no other machine has.
  public func copied() -> LinkConfiguration {
    var (copy, generator) = (self, SystemRandomNumberGenerator())
    copy.machine = .random(using: &generator)
    copy.boxKeys = .random()
    copy.addSuffix()
    return copy
  }

  /// Adds a part of the identity of this machine to its name, so that no other machine has the name.
  public mutating func addSuffix() {
    let suffix = "-\(machine.description.prefix(4))"
    while machineName.utf8.count + suffix.utf8.count > Self.maxNameBytes {
      machineName.removeLast()
    }
    machineName += suffix
  }

  private static let maxNameBytes = 64

  /// Throws an error if the name does not have 1 to 64 bytes, or has control characters.
  static func checkName(_ name: String) throws(Problem) {
    guard !name.isEmpty, name.utf8.count <= maxNameBytes, name.isPrintable,
      name.first?.isWhitespace == false, name.last?.isWhitespace == false
    else {
      throw Problem("name", "invalid (expected 1 to \(maxNameBytes) bytes of printable text)")
    }
  }

  // MARK: The file

  /// The error of a missing or invalid line of the configuration file, or of an invalid name.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting, the problem and the expected value.
    public let description: String

    init(_ setting: String, _ problem: String) { description = "\(setting): \(problem)" }
  }

  private static let version = "1"

  /// The text of the file.
  var text: String {
    var lines = [
      "# Written by dragboard-link. The keys open everything on the server.",
      "version \(Self.version)", "url \(server.url)",
      "user \(Base64URL.text(of: Array(server.user.utf8)))",
      "password \(Base64URL.text(of: Array(server.password.utf8)))",
      "certificates \(Base64URL.text(of: Array(server.certificates.utf8)))",
      "machine \(machine)", "machine-name \(machineName)",
      "machine-key \(Hexadecimal.digits(of: boxKeys.secretKey))",
      "group \(keys.id)", "name-key \(Hexadecimal.digits(of: keys.nameKey))",
    ]
    if let host = server.host {
      lines += [
        "host \(host.machine)",
        "host-certificate \(Hexadecimal.digits(of: host.certificate.bytes))",
        "host-login \(Hexadecimal.digits(of: host.login.seed))",
        "host-epoch \(hostEpoch)",
      ]
    }
    lines += keys.all.map { "key \($0.epoch) \(Hexadecimal.digits(of: $0.secret))" }
    lines += anchors.sorted { $0.key < $1.key }.map { log, head in
      "anchor \(log) \(head.number) \(head.epoch) \(Hexadecimal.digits(of: head.hash))"
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reads the text of the file.
  init(text: String) throws(Problem) {
    var settings = ConfigurationLines(text)
    let version = try settings.take("version")
    guard version == Self.version else {
      throw Problem("version", "\"\(version)\" is not supported (expected \(Self.version))")
    }
    do {
      server = try ServerAddress(
        url: try settings.take("url"), certificates: try settings.takeText("certificates"),
        user: try settings.takeText("user"), password: try settings.takeText("password"),
        host: try settings.takeHost())
    } catch let problem as ServerAddress.Problem {
      throw Problem("url", problem.description)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem("url", "\(error)")
    }
    if let text = settings.takeOptional("host-epoch") {
      guard let epoch = UInt64(text) else { throw Problem("host-epoch", "not a number") }
      hostEpoch = epoch
    }
    machine = try settings.takeKey("machine")
    machineName = try settings.take("machine-name")
    try Self.checkName(machineName)
    boxKeys = BoxKeys(secretKey: try settings.takeBytes("machine-key", BoxKeys.size))
    let group: LogID = try settings.takeKey("group")
    let nameKey = try settings.takeBytes("name-key", Sodium.keySize)
    let keys = try settings.takeKeys()
    self.keys = GroupKeys(id: group, nameKey: nameKey, keys: keys)
    anchors = try settings.takeAnchors()
    try settings.finish()
  }
}

extension String {
  /// Whether the text contains no character that controls a terminal or changes the direction of
  /// text.
  var isPrintable: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }
}
