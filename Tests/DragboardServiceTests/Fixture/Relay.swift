import Foundation
import TestSupport

/// A separate process that connects clients to a bus, as Flatpak's xdg-dbus-proxy does.
///
/// For the bus, the relay is the process of these clients.
final class Relay {
  /// A way to put a process into a sandbox.
  enum Wall: String, CaseIterable, Sendable {
    /// unshare(1): a mount namespace, and a root with a `.flatpak-info`.
    case mountNamespace
    /// bwrap(1), as Flatpak does it.
    case bubblewrap

    /// Whether a test can use this sandbox on this machine.
    var isPossible: Bool {
      let (command, arguments) =
        switch self {
        case .mountNamespace: ("unshare", Wall.unshare + ["true"])
        case .bubblewrap: ("bwrap", ["--ro-bind", "/", "/", "true"])
        }
      return (try? run(command, arguments))?.status.isSuccess ?? false
    }

    fileprivate static let unshare =
      (geteuid() == 0 ? [] : ["--user", "--map-root-user"])
      + ["--mount", "--propagation", "private"]

    /// Returns the command that runs a command in the sandbox.
    fileprivate func command(_ command: [String], info: String, root: String) -> [String] {
      switch self {
      case .mountNamespace:
        return ["unshare"] + Wall.unshare + [Relay.shim("enter-sandbox"), root, info] + command
      case .bubblewrap:
        let temporary = FileManager.default.temporaryDirectory.path
        let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc", temporary].flatMap {
          ["--bind-try", $0, $0]
        }
        // Without `--die-with-parent`, the command would outlive bwrap.
        return [
          "bwrap", "--die-with-parent", "--ro-bind", info, "/.flatpak-info", "--proc", "/proc",
        ] + folders
          + ["--bind", Relay.shims, Relay.shims] + command
      }
    }
  }

  /// A special behavior of a relay.
  enum Behavior: String, Sendable {
    /// The relay exits before its only client makes a call.
    case orphan
    /// The relay lives until `passNumberOn`, and leaves its client's connection to a child.
    case heir
    /// The relay's `/.flatpak-info` is on a file system in user space that never answers. This
    /// needs root.
    case hung
  }

  /// The error message of a relay that did not start.
  struct StartFailure: Error { let words: String }

  private let process: ChildProcess
  private let address: String

  /// Starts a relay, and waits until it listens.
  ///
  /// - Parameters:
  /// - bus: the bus to which it connects clients.
  /// - wall: the kind of sandbox; nil for none.
  /// - info: the content of its `/.flatpak-info`.
  /// - behavior: its special behavior; nil for none.
  /// - Throws: the reason if it does not start.
  init(
    on bus: PrivateBus, behind wall: Wall? = nil, info: String = "", behavior: Behavior? = nil
  ) throws {
    let folder = bus.home.appending(path: "relay-\(UUID().uuidString.prefix(8))")
    let root = folder.appending(path: "root")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let file = folder.appending(path: "info")
    try Data(info.utf8).write(to: file)
    let socket = folder.appending(path: "bus").path
    var command = ["python3", Self.shim("relay.py"), socket, bus.home.path + "/run/bus"]
    if let behavior { command.append(behavior.rawValue) }
    if let wall { command = wall.command(command, info: file.path, root: root.path) }
    process = try ChildProcess(command[0], Array(command.dropFirst()))
    address = "unix:path=\(socket)"
    guard process.nextLine() == "ready" else {
      process.kill(SIGKILL)
      throw StartFailure(words: process.text(of: .errors))
    }
    if behavior == .orphan { process.waitForExit() }
  }

  /// Starts a relay in the sandbox of an application.
  ///
  /// - Throws: the reason if it does not start.
  convenience init(
    on bus: PrivateBus, as application: String, behind wall: Wall = .mountNamespace
  ) throws {
    try self.init(on: bus, behind: wall, info: "[Application]\nname=\(application)\n")
  }

  /// Ends the relay, and lets a process outside of a sandbox get its process id.
  ///
  /// - Throws: the reason if this fails.
  func passNumberOn() throws {
    process.kill(SIGTERM)
    process.waitForExit()
    guard process.nextLine() == "inherited" else {
      throw StartFailure(words: process.text(of: .errors))
    }
  }

  /// Returns a new client; for the bus, it belongs to the relay's process.
  func client() throws -> BusClient { try BusClient(to: address) }

  fileprivate static let shims = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Shims").path

  fileprivate static func shim(_ name: String) -> String { "\(shims)/\(name)" }
}
