import Foundation
import TestSupport

/// A process of its own that carries clients to a bus, as Flatpak's xdg-dbus-proxy does: for the
/// bus, it is the process that connects.
final class Relay {
  /// A way to put a process into a sandbox.
  enum Wall: String, CaseIterable, Sendable {
    /// unshare(1): a mount namespace, and a root with a `.flatpak-info`.
    case mountNamespace
    /// bwrap(1), as Flatpak does it.
    case bubblewrap

    /// Whether this machine lets a test do that.
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

    /// A command, in the sandbox.
    fileprivate func command(_ command: [String], info: String, root: String) -> [String] {
      switch self {
      case .mountNamespace:
        return ["unshare"] + Wall.unshare + [Relay.shim("enter-sandbox"), root, info] + command
      case .bubblewrap:
        let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/tmp"].flatMap {
          ["--bind-try", $0, $0]
        }
        // It waits for its child, which would outlive it.
        return [
          "bwrap", "--die-with-parent", "--ro-bind", info, "/.flatpak-info", "--proc", "/proc",
        ] + folders
          + ["--bind", Relay.shims, Relay.shims] + command
      }
    }
  }

  /// A special behavior of a relay.
  enum Behavior: String, Sendable {
    /// It is gone by the time that its one client calls.
    case orphan
    /// It lives until `passNumberOn`, and leaves its one client's connection to a child.
    case heir
    /// Its `/.flatpak-info` is on a file system in user space that never answers. That takes root.
    case hung
  }

  /// An error that keeps a relay from starting, in its own words.
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

  /// One in the sandbox of an application.
  ///
  /// - Throws: what keeps it from starting.
  convenience init(
    on bus: PrivateBus, as application: String, behind wall: Wall = .mountNamespace
  ) throws {
    try self.init(on: bus, behind: wall, info: "[Application]\nname=\(application)\n")
  }

  /// Ends the process that connected, and has another one, in no sandbox, get its number.
  ///
  /// - Throws: what keeps it from that.
  func passNumberOn() throws {
    process.kill(SIGTERM)
    process.waitForExit()
    guard process.nextLine() == "inherited" else {
      throw StartFailure(words: process.text(of: .errors))
    }
  }

  /// A new client, which is this process for the bus.
  func client() throws -> BusClient { try BusClient(to: address) }

  fileprivate static let shims = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Shims").path

  fileprivate static func shim(_ name: String) -> String { "\(shims)/\(name)" }
}
