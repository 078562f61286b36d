/// The address of the server, and the credentials for it.
public struct ServerAddress: Hashable, Sendable {
  /// The address, `nats://HOST:PORT` or `tls://HOST:PORT`, without a user or password.
  public let url: String
  /// The trusted certificate authorities in PEM; empty for the authorities that the system trusts.
  public var certificates: String
  /// The user; empty if the server does not require one.
  public var user: String
  /// The password; if `user` is empty, the token.
  public var password: String
  /// The machine of the group that runs the server; nil if an administrator runs it.
  public var host: GroupHost?

  /// The port; nil if the address has none.
  public var port: UInt16? {
    url.lastIndex(of: ":").flatMap { UInt16(url[url.index(after: $0)...]) }
  }

  /// The name of the server in messages.
  public var label: String { host?.machine ?? url }

  /// The error of an invalid address.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason and the expected value.
    public let description: String
  }

  private static let schemes = ["nats://", "tls://"]
  private static let maxLength = 512

  /// Whether the connection is encrypted and the server's certificate is checked.
  public var isEncrypted: Bool { url.hasPrefix("tls://") }

  /// Creates an address.
  ///
  /// A user and a password in the URL are moved to `user` and `password`.
  public init(
    url: String, certificates: String = "", user: String = "", password: String = "",
    host: GroupHost? = nil
  ) throws(Problem) {
    guard let scheme = Self.schemes.first(where: url.hasPrefix) else {
      throw Problem(
        description: "URL: \"\(url)\" has no known scheme (expected nats://HOST or tls://HOST)")
    }
    var address = url.dropFirst(scheme.count)
    (self.user, self.password) = (user, password)
    if let at = address.lastIndex(of: "@") {
      let parts = address[..<at].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      self.user = parts.count == 2 ? String(parts[0]) : ""
      self.password = String(parts.last ?? "")
      address = address[address.index(after: at)...]
    }
    if address.hasSuffix("/") { address.removeLast() }
    guard !address.isEmpty, address.utf8.count <= Self.maxLength,
      address.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !",/\"\\".utf8.contains($0) })
    else {
      throw Problem(description: "URL: \"\(url)\" has no valid host (expected nats://HOST:PORT)")
    }
    if let colon = address.lastIndex(of: ":"), !address.hasSuffix("]") {
      guard let port = UInt16(address[address.index(after: colon)...]), port > 0 else {
        throw Problem(description: "URL: \"\(url)\" has no valid port (expected 1…65535)")
      }
    }
    self.url = scheme + address
    self.certificates = certificates
    self.host = host
  }

  /// Returns the same server at another address.
  public func at(_ url: String) throws(Problem) -> ServerAddress {
    try ServerAddress(
      url: url, certificates: certificates, user: user, password: password, host: host)
  }
}
