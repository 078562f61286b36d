import ArgumentParser
import Files
import Glibc
import LinkArguments
import LinkEngine

extension LinkServerClean: PerformedSubcommand {
  func perform() async throws {
    let group = try ConfigurationStore.ofUser.openGroup()
    let (own, other) = try await group.unneededStreams()
    if let unknown = remove.first(where: { !other.contains($0) && !own.contains($0) }) {
      throw ValidationError(
        "remove: the server has no stream \(unknown) that this group does not need")
    }
    for name in Set(own + remove) { try await group.removeStream(named: name) }
    let lines =
      Set(own + remove).sorted().map { "removed  \($0)" }
      + other.filter { !remove.contains($0) }.map { "other    \($0)" }
    FileDescriptor.standardOutput.print(lines.map { $0 + "\n" }.joined())
  }
}

extension LinkServerSet: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    guard var configuration = try store.load() else { throw NotConfigured() }
    configuration.server = try server.address
    // Read the group first, so that a wrong address or password changes nothing.
    let connection = try NATSConnection(to: configuration.server, waits: false)
    try await Group(configuration, in: store, on: connection).checkServer()
    try store.save(configuration)
    FileDescriptor.standardOutput.print(
      """
      The server of this machine is \(configuration.server.url).
      If the link runs, restart it: systemctl --user restart dragboard-link

      """)
  }
}

extension LinkServerOptions {
  /// The server that the options describe.
  var address: ServerAddress {
    get throws {
      var server = try ServerAddress(url: url)
      if let user { server.user = user }
      if let passwordFile {
        var text = try read(passwordFile)
        while text.last?.isNewline == true { text.removeLast() }
        server.password = text
      }
      if let ca { server.certificates = try read(ca) }
      return server
    }
  }

  private func read(_ path: String) throws -> String {
    let file = try FileDescriptor(opening: path, O_RDONLY)
    guard let bytes = file.read(64 << 10, at: 0),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw FileError(path: path, code: EIO) }
    return text
  }
}
