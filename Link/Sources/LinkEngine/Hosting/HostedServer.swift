internal import LinkModel
internal import Text

/// The settings of the server that this machine runs for its group.
public struct HostedServer: Hashable, Sendable {
  /// A machine that may log in.
  struct Member: Hashable {
    /// The public key with which it logs in: 32 bytes.
    let login: [UInt8]
    /// Its public key in the group: 32 bytes.
    let publicKey: [UInt8]
    /// Whether it has joined the group.
    var hasJoined: Bool
    /// The time of its invitation, in seconds since 1970, UTC; nil if it is not known.
    var invited: UInt64?
  }

  /// The time for which an invitation is valid if no machine uses it, in seconds.
  public static let invitationTime: UInt64 = 86_400

  /// The port.
  public let port: UInt16
  /// The name of this machine on the network; nil if the server listens on 127.0.0.1 only.
  public var networkName: String?
  let key: SigningKey
  var members: [Member] = []
  /// The installation, the user and the directory for which the settings were made.
  ///
  /// A copy of the home on another machine must not start a second server of the group.
  public let place: String

  /// The part of a server in a change of the host.
  public enum Phase: String, Sendable {
    /// The machines of the group use it.
    case active
    /// The logs are being moved to it, and it does not admit other machines yet.
    case preparing
    /// The logs were moved to another host, and it only tells other machines about this.
    case retired
  }

  /// The part in a change of the host.
  public var phase = Phase.active
  /// The way to the earlier server while the logs are being moved; nil if it needs none.
  public var earlier: Tunnel?

  /// Creates the settings of a new server.
  public init(port: UInt16, networkName: String?, place: String) {
    (self.port, self.networkName, self.place) = (port, networkName, place)
    key = .random()
  }

  /// The name of the service that Avahi announces.
  public var serviceName: String {
    "Dragboard on \(networkName?.split(separator: ".").first ?? "this machine")"
  }

  var certificate: ServerCertificate { ServerCertificate(signedBy: key) }

  /// Lets a new machine log in, and returns its secret.
  ///
  /// `invited` is the time of its invitation.
  mutating func admit(hasJoined: Bool = false, invited: UInt64? = nil) -> MachineSecret {
    let secret = MachineSecret.random()
    members.append(
      Member(
        login: secret.login.publicKey, publicKey: secret.boxKeys.publicKey, hasJoined: hasJoined,
        invited: invited))
    return secret
  }

  /// The number of invitations that no machine has used.
  public var invitationCount: Int { members.count { !$0.hasJoined } }

  /// Removes the keys of the invitations that no machine has used.
  public mutating func withdrawInvitations() { members.removeAll { !$0.hasJoined } }

  /// Adapts the members to the group: removes those that have joined and are no longer in the group.
  ///
  /// If a machine was removed, invitations that no machine has used are useless, so their keys are
  /// removed, too. Invitations that have expired at the time `now` are removed in any case.
  public mutating func update(_ publicKeys: Set<[UInt8]>, now: UInt64) {
    let removed = members.filter { $0.hasJoined && !publicKeys.contains($0.publicKey) }
    members.removeAll { member in
      !publicKeys.contains(member.publicKey) && (member.hasJoined || !removed.isEmpty)
    }
    for index in members.indices where publicKeys.contains(members[index].publicKey) {
      members[index].hasJoined = true
    }
    members.removeAll { member in
      guard !member.hasJoined, let invited = member.invited else { return false }
      return now > invited && now - invited >= Self.invitationTime
    }
  }

  /// Whether the machine with a configuration uses this server.
  public func isServer(of configuration: LinkConfiguration) -> Bool {
    configuration.server.host?.certificate == certificate
  }

  /// Lets the machine with a configuration log in, which runs the server.
  ///
  /// - Returns: the address of the server for this machine; nil if the machine has no key.
  public mutating func admit(_ configuration: LinkConfiguration) -> ServerAddress? {
    guard let login = configuration.server.host?.login else { return nil }
    admit([(login.publicKey, configuration.boxKeys.publicKey)])
    let host = GroupHost(
      machine: configuration.machineName, certificate: certificate, login: login)
    return try? ServerAddress(url: "tls://127.0.0.1:\(port)", host: host)
  }

  /// Lets machines log in that have joined the group on another server.
  public mutating func admit(_ machines: [(login: [UInt8], publicKey: [UInt8])]) {
    for (login, publicKey) in machines where !members.contains(where: { $0.login == login }) {
      members.append(Member(login: login, publicKey: publicKey, hasJoined: true))
    }
  }

  // MARK: Files

  /// Returns the files of nats-server in a directory: the configuration, the certificate and its key.
  ///
  /// `syncs` states whether the server can sync each entry before it acknowledges it.
  public func files(in directory: String, syncs: Bool) -> [(name: String, text: String)] {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    let users = members.map { "    { nkey: \(LoginKey.text(ofPublic: $0.login)) }\n" }.joined()
    let text = """
      # Written by dragboard-link.
      listen: "\(networkName == nil ? "127.0.0.1" : "0.0.0.0"):\(port)"
      jetstream {
        store_dir: \(quoted(directory + "/store"))
        max_memory_store: 1MB
      \(syncs ? "  sync_interval: always\n" : "")}
      tls {
        cert_file: \(quoted(directory + "/certificate.pem"))
        key_file: \(quoted(directory + "/key.pem"))
        timeout: 5
      }
      authorization {
        timeout: 5
        users: [
      \(users)  ]
      }
      max_connections: 1024
      max_payload: 1MB

      """
    return [
      ("nats.conf", text), ("certificate.pem", certificate.text),
      ("key.pem", ServerCertificate.privateKeyText(of: key)),
    ]
  }

  /// The lines of the settings in a file.
  var lines: [String] {
    var lines = [
      "port \(port)", "key \(Hexadecimal.digits(of: key.seed))",
      "place \(Base64URL.text(of: Array(place.utf8)))",
    ]
    if let networkName { lines.append("network-name \(networkName)") }
    if phase != .active { lines.append("phase \(phase)") }
    return lines + (earlier?.lines ?? [])
      + members.map { member in
        let state = member.hasJoined ? "joined" : "invited"
        let time = member.hasJoined ? "" : member.invited.map { " \($0)" } ?? ""
        return
          "member \(Hexadecimal.digits(of: member.login)) \(Hexadecimal.digits(of: member.publicKey)) \(state)\(time)"
      }
  }

  init(_ settings: inout ConfigurationLines) throws(ConfigurationLines.Problem) {
    port = try settings.takePort("port")
    key = SigningKey(seed: try settings.takeBytes("key", SigningKey.size))
    place = try settings.takeText("place")
    networkName = settings.takeOptional("network-name")
    if let text = settings.takeOptional("phase") {
      guard let phase = Phase(rawValue: text) else {
        throw ConfigurationLines.Problem("phase", "\"\(text)\" is unknown")
      }
      self.phase = phase
    }
    if settings.has("target") { earlier = try Tunnel(&settings) }
    for line in settings.takeAll("member") {
      let parts = line.split(separator: " ")
      let time = parts.count == 4 ? UInt64(parts[3]) : nil
      guard parts.count == 3 || time != nil, let login = Hexadecimal.bytes(of: parts[0]),
        let publicKey = Hexadecimal.bytes(of: parts[1]), login.count == SigningKey.size,
        publicKey.count == BoxKeys.size, ["joined", "invited"].contains(parts[2])
      else {
        throw ConfigurationLines.Problem("member", "not two keys and a state")
      }
      members.append(
        Member(
          login: login, publicKey: publicKey, hasJoined: parts[2] == "joined", invited: time))
    }
  }
}
