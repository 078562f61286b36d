import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Under a real user manager")
struct UserManagerTests {
  private static let manager = Checkout.path("Tests/PackagingTests/Manager/manager.sh")
  /// The buses that this machine has.
  private static let buses = ["dbus-daemon", "dbus-broker"].filter { bus in
    let program = bus == "dbus-broker" ? "dbus-broker-launch" : bus
    return (try? run("sh", ["-c", "command -v \(program)"]).status) == .exited(0)
  }

  /// Whether a user manager can be started here: code 77 means that the script may not create a
  /// mount namespace, a control group or a manager.
  private static var isPossible: Bool {
    get throws { try run(manager, ["--check"]).status != .exited(77) }
  }

  @Test(
    "The first call starts the unit, and the confined daemon works",
    .enabled("a user manager cannot be started here") { try isPossible }, arguments: buses)
  func confined(bus: String) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "manager-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try prepare(home)
    let variables = ProcessInfo.processInfo.environment
    let result = try run(
      Self.manager, [home.path, "\(Self.place)/\(Self.script)"],
      environment: variables.merging(["DRAGBOARD_TEST_BUS": bus]) { $1 })
    let manager = try? String(contentsOf: home.appending(path: "manager.log"), encoding: .utf8)
    #expect(result.status == .exited(0), "\(result.output) \(result.errors) \(manager ?? "")")
    #expect(result.output.hasSuffix("Result=success\n"), "\(result.output)")
  }

  /// The home directory of the manager and of everything that it starts.
  private static let place = "/run/home"
  private static let script = "confined.sh"

  /// Installs the files for a user in an empty home directory.
  private func prepare(_ home: URL) throws {
    for folder in ["", "config/systemd/user", "data/dbus-1/services"] {
      try FileManager.default.createDirectory(
        at: home.appending(path: folder), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    let programs = [
      "dragboardd": try builtProduct("dragboardd"), "dragboard": try builtProduct("dragboard"),
      Self.script: Checkout.path("Tests/PackagingTests/Manager/\(Self.script)"),
      "enter-sandbox": Checkout.path("Tests/DragboardServiceTests/Shims/enter-sandbox"),
    ]
    try whileNothingStarts {
      for (name, path) in programs {
        try FileManager.default.copyItem(atPath: path, toPath: "\(home.path)/\(name)")
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("systemd"))
    where file.hasSuffix(".service") {
      let folder = file.hasPrefix("org.") ? "data/dbus-1/services" : "config/systemd/user"
      let text = try Checkout.text(of: "systemd/\(file)")
        .replacingOccurrences(of: "/usr/bin", with: Self.place)
      try Data(text.utf8).write(to: home.appending(path: folder).appending(path: file))
    }
  }
}
