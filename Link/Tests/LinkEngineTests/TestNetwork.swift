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
  /// The words before the command line of a program that runs as the real root.
  var rootLauncher: [String] = []

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

  /// Whether hosts can have Avahi here, and the resolver of names uses it.
  static let hasAvahi: Bool = {
    let programs = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-browse"]
    let resolver = try? String(contentsOfFile: "/etc/nsswitch.conf", encoding: .utf8)
    return isAvailable && resolver?.contains("mdns") == true
      && programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Makes the namespaces, then executes each line of input and prints its status.
  ///
  /// With a folder as the second argument, each host has Avahi and the system bus that it needs. Their
  /// sockets have fixed paths, so each host has a `/run` of its own.
  private static let script = """
    set -e
    trap 'kill $(jobs -p)' EXIT
    options=(--net)
    enter=(--net)
    if [ "$2" ]; then options+=(--mount); enter+=(--mount); fi
    own=$(readlink /proc/self/ns/net)
    ip link add bridge type bridge
    ip link set bridge up
    for ((host = 0; host < $1; host++)); do
      unshare "${options[@]}" sleep infinity &
      until [ "$(readlink "/proc/$!/ns/net")" != "$own" ]; do sleep 0.01; done
      ip link add "cable$host" type veth peer name port netns $!
      ip link set "cable$host" master bridge up
      nsenter --target $! --net bash -ec "
        ip address add 10.0.0.$((host + 1))/24 dev port; ip link set port up; ip link set lo up"
      process=$!
      if [ "$2" ]; then
        cat >"$2/bus$host" <<END
    <busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
    END
        cat >"$2/avahi$host" <<END
    [server]
    host-name=host$host
    use-ipv6=no
    [publish]
    publish-workstation=no
    END
        nsenter --target $process "${enter[@]}" bash -ec "
          mount -t tmpfs tmpfs /run
          mkdir /run/dbus
          # The namespace has only one user, so Avahi's user is that one.
          for file in passwd group; do
            sed 's/^avahi:x:[0-9]*:[0-9]*:/avahi:x:0:0:/; s/^avahi:x:[0-9]*:$/avahi:x:0:/' /etc/\\$file >$2/\\$file
            mount --bind $2/\\$file /etc/\\$file
          done
          setpriv --pdeathsig KILL dbus-daemon --config-file=$2/bus$host --nofork --nopidfile &
          until [ -S /run/dbus/system_bus_socket ]; do sleep 0.01; done
          exec avahi-daemon --file $2/avahi$host --no-drop-root --no-chroot --no-rlimits" >"$2/log$host" 2>&1 &
        until nsenter --target $process "${enter[@]}" test -S /run/avahi-daemon/socket; do sleep 0.05; done
      fi
      echo $process
    done
    set +e
    while read -r line; do eval "$line"; echo $?; done
    """

  /// Makes hosts; if `avahiFolder` is a directory, each host has Avahi, and is called `host0` and so on.
  init(hostCount: Int, avahiFolder: String = "") throws {
    let shell = try TestProgram(
      Self.namespace + ["bash", "-c", Self.script, "bash", "\(hostCount)", avahiFolder],
      ProcessInfo.processInfo.environment, hasInput: true)
    let processes = try (0..<hostCount).map { _ in try Self.line(of: shell) }
    hosts = processes.enumerated().map { number, process in
      TestHost(
        launcher: ["nsenter", "--preserve-credentials", "--user", "--net"]
          + (avahiFolder.isEmpty ? [] : ["--mount"]) + ["--target", process, "--"],
        address: "10.0.0.\(number + 1)",
        rootLauncher: ["nsenter", "--net", "--target", process, "--"])
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

  /// Gives a host another IP address.
  func setAddress(_ address: String, of host: Int) throws {
    let enter = "nsenter --target \(processes[host]) --net"
    try run("\(enter) ip address flush dev port && \(enter) ip address add \(address)/24 dev port")
  }
}
