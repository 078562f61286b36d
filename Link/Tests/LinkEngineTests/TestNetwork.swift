import Foundation
import Synchronization
import Testing

/// A host on which a test starts programs.
struct TestHost: Sendable {
  /// The words before the command line of a program.
  let launcher: [String]
  /// The IP address.
  let address: String

  /// This machine.
  static let local = TestHost(launcher: [], address: "127.0.0.1")
}

/// Hosts with network namespaces of their own, whose cables lead to one bridge.
///
/// The namespaces belong to a user namespace of the test, so that the test needs no rights. They have
/// no route to the network of this machine. They end with the last reference.
final class TestNetwork: Sendable {
  let hosts: [TestHost]
  private let processes: [String]
  private let shell: Process
  private let input = Pipe()
  private let output: Mutex<FileHandle>

  private static let namespace = [
    "unshare", "--user", "--map-current-user", "--keep-caps", "--net",
  ]

  /// Whether this machine lets the user make network namespaces.
  static let isAvailable: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = namespace + ["ip", "link", "add", "type", "veth"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Makes the namespaces, then executes each line of input and prints its status.
  private static let script = """
    set -e
    trap 'kill $(jobs -p)' EXIT
    own=$(readlink /proc/self/ns/net)
    ip link add bridge type bridge
    ip link set bridge up
    for ((host = 0; host < $1; host++)); do
      unshare --net sleep infinity &
      until [ "$(readlink "/proc/$!/ns/net")" != "$own" ]; do sleep 0.01; done
      ip link add "cable$host" type veth peer name port netns $!
      ip link set "cable$host" master bridge up
      nsenter --target $! --net bash -ec "
        ip address add 10.0.0.$((host + 1))/24 dev port; ip link set port up; ip link set lo up"
      echo $!
    done
    set +e
    while read -r line; do eval "$line"; echo $?; done
    """

  init(hostCount: Int) throws {
    shell = Process()
    let pipe = Pipe()
    shell.executableURL = URL(filePath: "/usr/bin/env")
    shell.arguments = Self.namespace + ["bash", "-c", Self.script, "bash", "\(hostCount)"]
    (shell.standardInput, shell.standardOutput) = (input, pipe)
    try shell.run()
    let output = pipe.fileHandleForReading
    let processes = try (0..<hostCount).map { _ in try Self.line(output) }
    hosts = processes.enumerated().map { number, process in
      TestHost(
        launcher: [
          "nsenter", "--preserve-credentials", "--user", "--net", "--target", process, "--",
        ],
        address: "10.0.0.\(number + 1)")
    }
    self.processes = processes
    self.output = Mutex(output)
  }

  deinit { kill(-shell.processIdentifier, SIGKILL) }

  private static func line(_ output: FileHandle) throws -> String {
    var line = ""
    while let byte = try output.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return line }
      line.unicodeScalars.append(Unicode.Scalar(byte))
    }
    throw Timeout(description: "the shell of the network has ended")
  }

  private func run(_ command: String) throws {
    try output.withLock { output in
      try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
      let status = try Self.line(output)
      guard status == "0" else { throw Timeout(description: "\(command): status \(status)") }
    }
  }

  /// Pulls the cable of a host out of the bridge, so that packets are lost silently, or plugs it in.
  func setCable(_ isPlugged: Bool, of host: Int) throws {
    try run("ip link set cable\(host) \(isPlugged ? "up" : "down")")
  }

  /// Switches the network of a host off, so that its programs get errors, or on.
  func setPort(_ isOn: Bool, of host: Int) throws {
    try run("nsenter --target \(processes[host]) --net ip link set port \(isOn ? "up" : "down")")
  }
}
