internal import LinkModel

/// The way over ssh to the server that another machine of the user runs on 127.0.0.1.
public struct Tunnel: Hashable, Sendable {
  /// The other machine, as the user names it for ssh.
  public let target: String
  /// The port on this machine.
  public let localPort: UInt16
  /// The port on the other machine.
  public let remotePort: UInt16
  /// The socket of the agent with the keys of ssh when the tunnel was made; nil without an agent.
  public var agent: String?

  /// The error of a text that ssh would not take for the name of a machine.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The argument, the problem and the expected value.
    public let description: String
  }

  /// Creates the way to a machine.
  public init(
    to target: String, localPort: UInt16, remotePort: UInt16, agent: String?
  ) throws(Problem) {
    try Self.check(target)
    (self.target, self.localPort, self.remotePort) = (target, localPort, remotePort)
    self.agent = agent
  }

  /// Throws an error if a text is not the name of a machine.
  ///
  /// A text that begins with a hyphen would be an option of ssh.
  public static func check(_ target: String) throws(Problem) {
    guard !target.isEmpty, target.utf8.count <= 512, !target.hasPrefix("-"),
      target.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw Problem(
        description:
          "host: \"\(target)\" is not a machine (expected a name for ssh, such as USER@HOST)")
    }
  }

  /// The lines of the settings in a file.
  var lines: [String] {
    var lines = ["target \(target)", "local-port \(localPort)", "remote-port \(remotePort)"]
    if let agent { lines.append("agent \(Base64URL.text(of: Array(agent.utf8)))") }
    return lines
  }

  init(_ settings: inout ConfigurationLines) throws(ConfigurationLines.Problem) {
    let target = try settings.take("target")
    let (local, remote) = (
      try settings.takePort("local-port"), try settings.takePort("remote-port")
    )
    let agent = settings.takeOptional("agent").flatMap(Base64URL.bytes(of:))
    do throws(Problem) {
      try self.init(
        to: target, localPort: local, remotePort: remote,
        agent: agent.flatMap { String(validating: $0, as: UTF8.self) })
    } catch { throw ConfigurationLines.Problem("target", error.description) }
  }
}
