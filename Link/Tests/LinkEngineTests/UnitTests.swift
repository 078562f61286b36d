import Foundation
import LinkEngine
import TestSupport
import Testing

@Suite("dragboard-link.service")
struct UnitTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  private static let manager = root.appending(path: "Tests/PackagingTests/Manager/manager.sh")

  /// Whether a user manager can be started here: code 77 means that the script may not create a
  /// mount namespace, a control group or a manager.
  private static var isPossible: Bool {
    get throws { try run(manager.path, ["--check"]).status != .exited(77) }
  }

  @Test(
    "Under a real user manager the confined link exchanges edits",
    .enabled("a user manager cannot be started here") { try isPossible })
  func confined() async throws {
    let server = try await TestServer()
    try runUnderManager("unit-test", try server.address().url)
  }

  @Test(
    "Under a real user manager, 'host' starts both units, and 'leave' ends them",
    .enabled("a user manager cannot be started here") { try isPossible })
  func host() throws { try runUnderManager("unit-host-test") }

  /// Runs a script of this directory with a user manager, and the installed units and programs.
  private func runUnderManager(_ script: String, _ arguments: String...) throws {
    let root = Self.root
    let home = try TestFolder()
    let environment = ProcessInfo.processInfo.environment
    let products =
      environment["DRAGBOARD_TEST_PRODUCTS"] ?? root.appending(path: ".build/debug").path
    let commands = [
      "-ec",
      """
      exec 2>&1
      cd "$1"
      mkdir -p config/systemd/user data/dbus-1/services
      cp "$2"/dragboard "$2"/dragboardd "$2"/dragboard-link \
        "$3/Link/Tests/$5" .
      for unit in systemd/dragboardd.service Link/data/dragboard-link{,-server}.service; do
        sed 's,/usr/bin,/run/home,' "$3/$unit" > "config/systemd/user/${unit##*/}"
      done
      name=org.dragboard.Dragboard1.service
      sed 's,/usr/bin,/run/home,' "$3/systemd/$name" > "data/dbus-1/services/$name"
      chmod -R a+rX .
      exec "$4" "$1" "/run/home/$5" "${@:6}"
      """, "bash", home.path, products, root.path, Self.manager.path, script,
    ]
    let result = try run("bash", commands + arguments)
    #expect(result.status.isSuccess, "\(result.output)")
    #expect(result.output.hasSuffix("Result=success\n"), "\(result.output)")
  }
}
