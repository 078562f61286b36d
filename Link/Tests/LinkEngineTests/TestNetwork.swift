import Foundation
import Synchronization
import TestSupport
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
  private let shell: TestProgram
  /// Only one command runs at a time.
  private let turn = Mutex(())

  private static let namespace = [
    "unshare", "--user", "--map-current-user", "--keep-caps", "--net",
  ]

  /// Whether this machine lets the user make network namespaces.
  static let isAvailable: Bool = {
    let result = try? TestSupport.run("env", namespace + ["ip", "link", "add", "type", "veth"])
    return result?.status.isSuccess == true
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
    let shell = try TestProgram(
      Self.namespace + ["bash", "-c", Self.script, "bash", "\(hostCount)"],
      ProcessInfo.processInfo.environment, hasInput: true)
    let processes = try (0..<hostCount).map { _ in try Self.line(of: shell) }
    hosts = processes.enumerated().map { number, process in
      TestHost(
        launcher: [
          "nsenter", "--preserve-credentials", "--user", "--net", "--target", process, "--",
        ],
        address: "10.0.0.\(number + 1)")
    }
    self.processes = processes
    self.shell = shell
  }

  private static func line(of shell: TestProgram) throws -> String {
    guard let line = shell.nextLine() else {
      throw Timeout(description: "the shell of the network has ended")
    }
    return line
  }

  private func run(_ command: String) throws {
    try turn.withLock { _ in
      try shell.send(command)
      let status = try Self.line(of: shell)
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
