public import LinkModel

/// A change of the host: another machine of the group runs the server from now on.
///
/// It is the last entry of the group's log on the earlier server, and the log continues on the new one.
public struct HostMove: Hashable, Sendable {
  /// The number of the host; the first host has 0, and a machine never returns to a lower one.
  public let epoch: UInt64
  /// The machine.
  public let machine: MachineKey
  /// The address at which the other machines reach its server.
  public let url: String
  /// The only certificate that the other machines trust.
  let certificate: ServerCertificate

  init(epoch: UInt64, machine: MachineKey, url: String, certificate: ServerCertificate) {
    (self.epoch, self.machine, self.url) = (epoch, machine, url)
    self.certificate = certificate
  }

  /// Returns the address of the server for a machine with a key; nil if it is invalid.
  func server(named name: String, login: SigningKey) -> ServerAddress? {
    let host = GroupHost(machine: name, certificate: certificate, login: login)
    guard let address = try? ServerAddress(url: url, host: host), address.isEncrypted else {
      return nil
    }
    return address
  }
}
