import Files
import Glibc
import LinkArguments
import LinkEngine

extension LinkHost: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    if off { return try await stopListening(in: store) }
    let name = try Self.checkedName(address)
    let (group, server) = try await Hosting.group(in: store, named: naming, networkName: name)
    let invitation = try await Hosting.invitation(to: group, at: name, in: store)
    StandardError.writeLine(
      "This machine listens on the network, on port \(server.port), for machines with a key of the group."
    )
    StandardError.writeLine(
      "On one other machine, type 'dragboard link join' and paste this line within a day:")
    FileDescriptor.standardOutput.print(invitation.line + "\n")
  }

  /// Returns the name of this machine on the network: the name that the user has chosen, or the one in Avahi.
  static func checkedName(_ address: String?) throws -> String {
    let name = try address ?? networkName()
    guard (try? ServerAddress(url: "tls://\(name):1")) != nil else {
      throw Group.Refusal(
        description:
          "address: \"\(name)\" is not a name on the network (expected a name such as desktop.local)"
      )
    }
    return name
  }

  private func stopListening(in store: ConfigurationStore) async throws {
    guard case .hosted? = try store.loadRoute(), let configuration = try store.load() else {
      throw NotConfigured()
    }
    try store.updateServer { $0.networkName = nil }
    ServiceLock.update(.server, in: store)
    try await Hosting.waitForServer(configuration.server, in: store)
  }

  /// The name under which Avahi announces this machine.
  private static func networkName() throws -> String {
    let arguments = [
      "--system", "--print-reply=literal", "--reply-timeout=2000", "--dest=org.freedesktop.Avahi",
      "/",
      "org.freedesktop.Avahi.Server.GetHostNameFqdn",
    ]
    let name = (try? Subprocess.text(of: "dbus-send", arguments))?.filter { !$0.isWhitespace } ?? ""
    guard !name.isEmpty else { throw WithoutAvahi() }
    return name
  }

  /// The error if no name for this machine is known.
  struct WithoutAvahi: Error, CustomStringConvertible {
    let description =
      "Avahi, which announces this machine on the network, is not running (Debian, Ubuntu: sudo apt install avahi-daemon libnss-mdns; or name an address that does not change: --address NAME)"
  }
}
