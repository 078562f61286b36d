/// The certificate of a server that a machine of the group runs.
///
/// The server signs it itself, and the other machines trust only this certificate. Except for the
/// key and the signature, it is the same for all servers. So an invitation contains only these 96
/// bytes, and the other machine makes the same certificate from them.
public struct ServerCertificate: Hashable, Sendable {
  /// The name in the certificate, whatever the address of the server is.
  static let name = "dragboard"
  /// The number of bytes of the key and the signature.
  static let size = SigningKey.size + SigningKey.signatureSize

  private let publicKey: [UInt8]
  private let signature: [UInt8]

  /// Creates the certificate of a server with a key pair.
  init(signedBy key: SigningKey) {
    publicKey = key.publicKey
    signature = key.signature(of: Self.body(publicKey))
  }

  /// Creates a certificate from its key and its signature: 96 bytes.
  init(bytes: [UInt8]) {
    precondition(bytes.count == Self.size)
    publicKey = Array(bytes.prefix(SigningKey.size))
    signature = Array(bytes.dropFirst(SigningKey.size))
  }

  /// The key and the signature.
  var bytes: [UInt8] { publicKey + signature }

  /// The certificate in PEM.
  var text: String {
    let bytes = DER.sequence(
      Self.body(publicKey), Self.algorithm, DER.element(.bitString, [0] + signature))
    return Self.pem("CERTIFICATE", bytes)
  }

  /// Returns the private key of a server in PEM.
  ///
  /// Source: RFC 8410, section 7.
  static func privateKeyText(of key: SigningKey) -> String {
    let bytes = DER.sequence(
      DER.element(.integer, [0]), algorithm,
      DER.element(.octetString, DER.element(.octetString, key.seed)))
    return pem("PRIVATE KEY", bytes)
  }

  /// The part of a certificate that is signed.
  ///
  /// Source: RFC 5280, section 4.1; RFC 8410.
  private static func body(_ publicKey: [UInt8]) -> [UInt8] {
    let commonName = DER.sequence(
      DER.element(.object, [0x55, 0x04, 0x03]), DER.element(.text, Array(name.utf8)))
    let owner = DER.sequence(DER.element(.set, commonName))
    let validity = DER.sequence(
      DER.element(.shortTime, Array("200101000000Z".utf8)),
      DER.element(.time, Array("99991231235959Z".utf8)))
    let alternativeName = DER.sequence(
      DER.element(.object, [0x55, 0x1d, 0x11]),
      DER.element(.octetString, DER.sequence(DER.element(.hostName, Array(name.utf8)))))
    return DER.sequence(
      DER.element(.version, DER.element(.integer, [2])), DER.element(.integer, [1]), algorithm,
      owner, validity, owner,
      DER.sequence(algorithm, DER.element(.bitString, [0] + publicKey)),
      DER.element(.extensions, DER.sequence(alternativeName)))
  }

  /// The identifier of Ed25519.
  private static let algorithm = DER.sequence(DER.element(.object, [0x2b, 0x65, 0x70]))

  private static func pem(_ kind: String, _ bytes: [UInt8]) -> String {
    let text = Base64URL.text(of: bytes).replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return "-----BEGIN \(kind)-----\n\(padded)\n-----END \(kind)-----\n"
  }
}

/// Elements of ASN.1 in DER.
private enum DER {
  enum Tag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case object = 0x06
    case text = 0x0c
    case shortTime = 0x17
    case time = 0x18
    case sequence = 0x30
    case set = 0x31
    /// The alternative name of the kind "dNSName".
    case hostName = 0x82
    case version = 0xa0
    case extensions = 0xa3
  }

  /// Returns an element of at most 65,535 bytes.
  static func element(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case 0..<0x80: [UInt8(count)]
      case 0x80..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
      }
    return [tag.rawValue] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    element(.sequence, parts.flatMap(\.self))
  }
}
