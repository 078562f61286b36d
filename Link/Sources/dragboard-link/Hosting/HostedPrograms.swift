import Files
import Glibc
import LinkEngine

/// The programs of the server that this machine runs: nats-server, and the announcement on the
/// network.
struct HostedPrograms {
  private let server: HostedServer
  private let store: ConfigurationStore

  init(_ server: HostedServer, in store: ConfigurationStore) throws {
    // A second server with the same keys would start a second history of the logs.
    guard server.place == Home.place(of: store) else { throw CopiedServer() }
    (self.server, self.store) = (server, store)
  }

  /// The error if the home was copied to another machine or another user.
  struct CopiedServer: Error, CustomStringConvertible {
    let description =
      "server: this home is a copy; the server of the group runs on the original machine"
  }

  /// The error if nats-server is not installed.
  struct Missing: Error, CustomStringConvertible {
    let description =
      "nats-server is not installed (Debian, Ubuntu: sudo apt install nats-server; Fedora, Arch: nats-server of your distribution or of https://github.com/nats-io/nats-server/releases, in ~/.local/bin)"
  }

  /// The path of nats-server.
  static func findServer() throws(Missing) -> String {
    let own = Environment["HOME"].map { "\($0)/.local/bin/nats-server" }
    if let path = SupervisedProgram.find("nats-server") { return path }
    guard let own, access(own, X_OK) == 0 else { throw Missing() }
    return own
  }

  /// Writes the files of the programs, and returns the programs.
  func all() throws -> [SupervisedProgram] {
    let directory = store.serverDirectory
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw FileError(path: directory) }
    let path = try Self.findServer()
    let files = server.files(in: directory, syncs: Self.syncs(path))
    for file in files {
      try AtomicFile.write(Array(file.text.utf8), to: "\(directory)/\(file.name)")
    }
    var programs = [
      SupervisedProgram(
        name: "nats-server", path: path, arguments: ["--config", directory + "/nats.conf"],
        // Go returns memory late without this limit, which is not a maximum.
        variables: ["GOMEMLIMIT": "64MiB"], address: server.networkName == nil ? "" : "network",
        files: files.map(\.text).joined())
    ]
    if server.networkName != nil, let publisher = SupervisedProgram.find("avahi-publish") {
      programs.append(
        SupervisedProgram(
          name: "avahi-publish", path: publisher,
          arguments: [
            "--no-fail", "--service", server.serviceName, "_dragboard._tcp", "\(server.port)",
          ],
          isNecessary: false))
    }
    return programs
  }

  /// Whether a version of nats-server can sync each entry before it acknowledges it.
  ///
  /// Version 2.9 refuses to start with the setting.
  private static func syncs(_ path: String) -> Bool {
    guard let output = try? Subprocess.text(of: path, ["--version"]),
      let match = output.firstMatch(of: /v(\d+)\.(\d+)\./), let major = Int(match.1),
      let minor = Int(match.2)
    else { return false }
    return (major, minor) >= (2, 15)
  }
}

extension Subprocess {
  /// Runs a program, and returns what it has written to standard output, at most 64 KiB.
  static func text(of path: String, _ arguments: [String]) throws(SystemError) -> String {
    let (process, output) = try start(path, arguments)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < 64 << 10 {
      let count = read(output.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    withExtendedLifetime(output) {}
    _ = process.wait()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Starts a program; returns the read end of its output.
  private static func start(
    _ path: String, _ arguments: [String]
  ) throws(SystemError) -> (Subprocess, output: FileDescriptor) {
    // The write end closes when this function returns, so that the output ends with the program.
    let pipe = try FileDescriptor.makePipe()
    let process = try Subprocess(
      path, arguments, input: .null, output: .descriptor(pipe.writing), errors: .null)
    return (process, pipe.reading)
  }
}
