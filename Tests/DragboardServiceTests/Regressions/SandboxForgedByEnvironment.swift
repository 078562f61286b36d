import DBus
import DragboardInterface
import TestSupport
import Testing

/// `.flatpak-info` was split at every character that Unicode calls a newline, so a variable in an
/// application's manifest could name another application.
@Suite(
  "Regression: an environment variable forged a sandbox's id",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct SandboxForgedByEnvironment {
  @Test("A client with a forged group in a variable cannot act as its victim")
  func victim() throws {
    let daemon = try Daemon()
    let victim = try Relay(on: daemon.bus, as: "org.victim.App")
    let row = try victim.client().insert(["secret"])[0]
    let variable = ["x", "[Application]", "name=org.victim.App", ""].joined(separator: "\u{2028}")
    let evil = try Relay(
      on: daemon.bus, behind: .mountNamespace,
      info: "[Application]\nname=org.evil.App\n\n[Environment]\nX=\(variable)\n")
    let client = try evil.client()
    #expect(try client.texts() == [""])
    expect(.accessDenied) { _ = try client.call(BoardInterface.deleteItems, [row]) }
    expect(.accessDenied, naming: "application") { _ = try client.beginDrag(as: "org.victim.App") }
    _ = try client.beginDrag(as: "org.evil.App")
    withExtendedLifetime((victim, evil)) {}
  }
}
