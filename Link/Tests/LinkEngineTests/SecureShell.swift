import Foundation
import TestSupport
import Testing

/// An ssh server on a host, and the program `ssh` of another host that reaches it as `desktop`.
final class SecureShell: Sendable {
  /// The directory of the program `ssh`, for PATH.
  let programs: String
  private let folder: TestFolder
  private let host: TestHost
  private let configuration: String
  private let server: ChildProcess

  /// Whether this machine can start an ssh server that logs root in.
  static let isAvailable =
    geteuid() == 0 && TestNetwork.isAvailable
    && FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd")

  /// Starts a server, whose sessions have an environment.
  ///
  /// PATH is not a part of `environment`; `passphrase` is that of the client's key.
  init(
    on host: TestHost, environment: [String: String], passphrase: String = ""
  ) async throws {
    let folder = try TestFolder()
    (self.folder, self.host, programs) = (folder, host, folder.path + "/bin")
    configuration = folder.path + "/sshd_config"
    for (name, secret) in [("host", ""), ("key", passphrase)] {
      try #require(
        run("ssh-keygen", ["-q", "-t", "ed25519", "-N", secret, "-f", "\(folder.path)/\(name)"])
          .status.isSuccess)
    }
    let variables = environment.filter { $0.key != "PATH" }
      .map { "'\($0.key)=\($0.value)'" }.sorted().joined(separator: " ")
    try Self.write(
      "#!/bin/sh\nexec env -i PATH=/usr/bin:/bin \(variables) sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
      to: folder.path + "/session", mode: 0o755)
    try Self.write(
      """
      Port 2222
      ListenAddress \(host.address)
      HostKey \(folder.path)/host
      AuthorizedKeysFile \(folder.path)/key.pub
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin yes
      PidFile none
      ForceCommand \(folder.path)/session

      """, to: configuration)
    try Self.write(
      """
      Host desktop
        HostName \(host.address)
        Port 2222
        User root
        IdentityFile \(folder.path)/key
        UserKnownHostsFile \(folder.path)/known_hosts
        StrictHostKeyChecking accept-new

      """, to: folder.path + "/ssh_config")
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    try Self.write(
      "#!/bin/sh\nexec /usr/bin/ssh -F \(folder.path)/ssh_config \"$@\"\n", to: programs + "/ssh",
      mode: 0o755)
    try? FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true)
    let new = try ChildProcess(
      "env", host.rootLauncher + ["/usr/sbin/sshd", "-D", "-e", "-f", configuration])
    server = new
    while let line = new.nextLine(of: .errors) {
      if line.contains("Server listening") { return }
    }
    throw Timeout(description: "sshd does not listen")
  }

  /// The path of the client's key.
  var key: String { folder.path + "/key" }

  private static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
