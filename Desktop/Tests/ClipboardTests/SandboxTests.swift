import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite(
  .serialized, .enabled(if: geteuid() == 0, "a mount namespace needs root"))
struct SandboxTests {
  fileprivate static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Tests/DragboardServiceTests/Shims/enter-sandbox").standardized.path

  @Test(
    "Every method is refused",
    arguments: [
      "Copy \"objectpath '/org/dragboard/Dragboard1/board/default'\" \"'1'\"",
      "Pause 'uint32 0'", "Resume", "Clear true", "PreparePaste", "AllowPasting", "ForbidPasting",
      "Paste \"objectpath '/org/dragboard/Dragboard1/board/default'\" \"'1'\" '@a{sv} {}'",
    ])
  func everyMethodIsRefused(_ call: String) async throws {
    let desk = try await ClipboardDesk(.x11)
    #expect(
      try desk.boxed("-m org.dragboard.Clipboard1.\(call)").contains("AccessDenied"), "\(call)")
    #expect(try desk.property("Paused") == "<false>")
  }

  @Test("Properties are refused") func propertiesAreRefused() async throws {
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

  /// Other programs paste the text, for example into a shell.
  @Test("A row of a sandbox is not the latest copy") func aRowOfASandboxIsNotTheLatestCopy()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    let owner = try desk.own(try desk.type("text/plain;charset=utf-8", "copy"))
    try await desk.untilRows(1)
    for text in ["copy", "evil"] {
      try desk.runBoxed("dragboard add --board clipboard --at 0 \(text)")
    }
    #expect(try await desk.rows().map(\.preview) == ["evil", "copy", "copy"])
    #expect(try desk.shell("dragboard paste") == "copy")
    try desk.shell("dragboard paste --onto default")
    let pasted = try await desk.connection.board(named: "default").page(count: 1).rows[0]
    #expect(pasted.isFromClipboard)
    try desk.shell("dragboard clipboard clear")
    try desk.runBoxed("dragboard add --board clipboard evil")
    #expect(try desk.shell("dragboard paste 2>&1 || true").contains("no copy is stored"))
    owner.kill()
  }

  /// If the copy moved the row of the sandbox, the sandbox could change the latest copy.
  @Test("A copy moves no row of a sandbox") func aCopyMovesNoRowOfASandbox() async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.runBoxed("dragboard add --board default x")
    _ = try await desk.connection.clipboard.board()
    try desk.runBoxed("dragboard add --board clipboard copy")
    let owner = try desk.own(try desk.type("text/plain;charset=utf-8", "copy"))
    let rows = try await desk.untilRows(2)
    #expect(rows.map(\.source) == ["/clipboard", "org.example.Boxed"])
    owner.kill()
  }

  /// The values would tell a sandbox which programs have secrets.
  @Test("Changes of the exclusions have no values") func changesOfTheExclusionsHaveNoValues()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    let monitor = try desk.start(
      "exec gdbus monitor --session -d org.dragboard.Clipboard1 -o /org/dragboard/Clipboard1")
    while let line = monitor.nextLine(), !line.contains("is owned by") {}
    for property in ["ExcludedApplications", "ExcludedTypes"] {
      try desk.call(
        "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", property,
        "<['zzsecret']>")
    }
    try desk.call("org.dragboard.Clipboard1.Pause", "0")
    var lines: [String] = []
    while let line = monitor.nextLine() {
      lines.append(line)
      if line.contains("'Paused': <true>") { break }
    }
    #expect(!lines.contains { $0.contains("zzsecret") })
    #expect(lines.contains { $0.contains("'ExcludedApplications'") })
    #expect(lines.contains { $0.contains("'ExcludedTypes'") })
    monitor.kill()
  }

  @Test("A Flatpak without a name is refused") func aFlatpakWithoutANameIsRefused() async throws {
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
    try runBoxed(
      "gdbus call --session -d org.dragboard.Clipboard1 -o /org/dragboard/Clipboard1 \(call)"
        + " 2>&1 || true", info: info)
  }

  /// Runs a shell command in a Flatpak sandbox, and returns its output.
  @discardableResult
  fileprivate func runBoxed(
    _ command: String, info: String = "[Application]\nname=org.example.Boxed\n"
  ) throws -> String {
    let (info, script) = (try file(Array(info.utf8)), SandboxTests.script)
    return try shell(
      """
      mkdir -p ~/root
      unshare -m --propagation private sh \(script) ~/root \(info) bash -c "$(cat <<'END'
      \(command)
      END
      )"
      """)
  }
}
