internal import Text

/// A server that a machine of the group runs, and the key with which this machine logs in.
public struct GroupHost: Hashable, Sendable {
  /// The name of the machine that runs the server.
  public let machine: String
  /// The only certificate that this machine trusts.
  let certificate: ServerCertificate
  /// The key of this machine, which no other machine has.
  let login: SigningKey

  /// The beginning of the public key of the server, which no other server has.
  public var fingerprint: String { Hexadecimal.digits(of: certificate.bytes.prefix(8)) }

  init(machine: String, certificate: ServerCertificate, login: SigningKey) {
    (self.machine, self.certificate, self.login) = (machine, certificate, login)
  }
}

/// The secret of a machine, which the machine that runs the server makes for an invitation.
///
/// The key that opens new group keys and the key for the server are computed from it. So the machine
/// that runs the server knows whose key it has to remove when a machine leaves the group.
struct MachineSecret: Hashable {
  let bytes: [UInt8]

  static func random() -> MachineSecret { MachineSecret(bytes: Sodium.random(BoxKeys.size)) }

  var boxKeys: BoxKeys { BoxKeys(secretKey: bytes) }
  var login: SigningKey {
    SigningKey(seed: Sodium.hash(Array("dragboard-link login".utf8), key: bytes))
  }
}
