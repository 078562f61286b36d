import Foundation
import Testing

@Suite(
  .serialized, .enabled(if: geteuid() == 0, "a mount namespace needs root"))
struct SandboxTests {
  fileprivate static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Tests/DragboardServiceTests/Shims/enter-sandbox").standardized.path

  @Test(arguments: [
    "Copy \"objectpath '/org/dragboard/Dragboard1/board/default'\" \"'1'\"",
    "Pause 'uint32 0'", "Resume", "Clear true",
  ])
  func everyMethodIsRefused(_ call: String) async throws {
    let desk = try await ClipboardDesk(.x11)
    #expect(
      try desk.boxed("-m org.dragboard.Clipboard1.\(call)").contains("AccessDenied"), "\(call)")
    #expect(try desk.property("Paused") == "<false>")
  }

  @Test func propertiesAreRefused() async throws {
    let desk = try await ClipboardDesk(.x11)
    for call in [
      "Set org.dragboard.Clipboard1 ExcludedTypes \"<['*']>\"",
      "Set org.dragboard.Clipboard1 PausesWhileLocked '<true>'",
      "GetAll org.dragboard.Clipboard1",
    ] {
      #expect(
        try desk.boxed("-m org.freedesktop.DBus.Properties.\(call)").contains("AccessDenied"))
    }
    #expect(try desk.property("ExcludedTypes") == "<@as []>")
    #expect(try desk.property("PausesWhileLocked") == "<false>")
  }

  @Test func aFlatpakWithoutANameIsRefused() async throws {
    let desk = try await ClipboardDesk(.x11)
    let call = "-m org.dragboard.Clipboard1.Pause 'uint32 0'"
    #expect(try desk.boxed(call, info: "[Application]\nname=/\n").contains("AccessDenied"))
  }
}

extension ClipboardDesk {
  /// Calls the bridge with gdbus from a Flatpak sandbox, and returns the output.
  fileprivate func boxed(
    _ call: String, info: String = "[Application]\nname=org.example.Boxed\n"
  ) throws -> String {
    let (info, script) = (try file(Array(info.utf8)), SandboxTests.script)
    return try shell(
      "mkdir -p ~/root && unshare -m --propagation private sh \(script) ~/root \(info)"
        + " gdbus call --session -d org.dragboard.Clipboard1 -o /org/dragboard/Clipboard1 \(call)"
        + " 2>&1 || true")
  }
}
