import DragboardClient
import Foundation
import TestSupport
import Testing
import Text

@Suite(.serialized) struct ControlTests {
  @Test("A pause skips copies") func aPauseSkipsCopies() async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.call("org.dragboard.Clipboard1.Pause", "0")
    #expect(try desk.property("Paused") == "<true>")
    _ = try desk.own(try desk.type("text/html", "during"))
    try desk.call("org.dragboard.Clipboard1.Resume")
    #expect(try desk.property("Paused") == "<false>")
    let owner = try desk.own(try desk.type("text/html", "after"))
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().data(of: row.id) == Array("after".utf8))
    owner.kill()
  }

  @Test("A pause ends after its time") func aPauseEndsAfterItsTime() async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.call("org.dragboard.Clipboard1.Pause", "1")
    #expect(try desk.property("Paused") == "<true>")
    try await desk.until { try desk.property("Paused") == "<false>" }
  }

  @Test("Excluded copies are skipped") func excludedCopiesAreSkipped() async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedApplications",
      "<['clipboard-p*']>")
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedTypes",
      "<['image/*']>")
    _ = try desk.own(try desk.type("text/html", "application"))
    let other = try desk.start("echo x | xclip -quiet -selection clipboard -t image/png")
    try await desk.until { (try? desk.offeredNames()) == ["image/png"] }
    let third = try desk.start("printf copy | xclip -quiet -selection clipboard")
    let row = try await desk.untilRows(1)[0]
    #expect(row.preview == "copy")
    let file = desk.home.appending(path: "config/dragboard/clipboard").path
    #expect(
      try desk.shell("grep -v ^window \(file)")
        == "application clipboard-p*\ntype image/*\ndefaults 1")
    other.kill()
    third.kill()
  }

  @Test("Clear deletes the rows and empties the clipboard")
  func clearDeletesTheRowsAndEmptiesTheClipboard() async throws {
    let desk = try await ClipboardDesk(.x11)
    let owner = try desk.own(try desk.type("text/html", "x"))
    let row = try await desk.untilRows(1)[0]
    try await desk.copy(row)
    #expect(owner.nextLineWithoutRequests() == "lost")
    try desk.call("org.dragboard.Clipboard1.Clear", "false")
    #expect(try await desk.rows().isEmpty)
    #expect(throws: TestProgram.Failure.self) { try desk.offeredNames() }
  }

  @Test("Clear leaves the clipboard of another program", arguments: Display.all)
  func clearLeavesTheClipboardOfAnotherProgram(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let first = try desk.own(try desk.type("text/html", "first"))
    try await desk.copy(try await desk.untilRows(1)[0])
    #expect(first.nextLineWithoutRequests() == "lost")
    let other = try desk.own(try desk.type("image/gif", "other"))
    try await desk.untilRows(2)
    try desk.call("org.dragboard.Clipboard1.Clear", "false")
    #expect(try await desk.rows().isEmpty)
    #expect(try desk.offeredNames() == ["image/gif"])
    other.kill()
  }

  /// If the bridge started with default settings, it would store copies of excluded programs.
  @Test("Settings that cannot be read end the bridge") func settingsThatCannotBeReadEndTheBridge()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    desk.kill(.bridge)
    try desk.shell("mkdir -p $XDG_CONFIG_HOME/dragboard/clipboard")
    #expect(try ClipboardDesk.startBridge(desk.environment).nextLine() == "2")
  }

  @Test("The settings are durable when the call returns")
  func theSettingsAreDurableWhenTheCallReturns() async throws {
    let desk = try await ClipboardDesk(.x11)
    let bridge = try desk.process("org.dragboard.Clipboard1")
    let trace = try desk.start(
      "exec strace -f -y -e trace=fsync,fdatasync,rename,renameat,renameat2 -p \(bridge) 2>&1")
    while let line = trace.nextLine(), !line.contains("attached") {}
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedTypes",
      "<['image/*']>")
    trace.kill()
    var calls: [String] = []
    while let line = trace.nextLine() {
      for call in ["sync(", "rename"] where line.contains(call) {
        let isFile = line.contains("/.dragboard-") || line.contains("\"clipboard\"")
        calls.append(isFile ? "\(call) file" : "\(call) directory")
      }
    }
    // The first call makes the name of the new directory durable.
    #expect(calls == ["sync( directory", "sync( file", "rename file", "sync( directory"])
    let folder = desk.home.appending(path: "config/dragboard").path
    #expect(try desk.shell("ls \(folder)") == "clipboard")
  }

  @Test("Wrong arguments are named") func wrongArgumentsAreNamed() async throws {
    let desk = try await ClipboardDesk(.x11)
    let error = try desk.shell(
      "gdbus call --session -d org.dragboard.Clipboard1 -o /org/dragboard/Clipboard1"
        + " -m org.dragboard.Clipboard1.Copy /none 1 2>&1 || true")
    #expect(error.contains("InvalidArgs: item: \"1\" is not the id of a row"))
  }

  @Test("Errors have no deceptive characters") func errorsHaveNoDeceptiveCharacters() async throws {
    let desk = try await ClipboardDesk(.x11)
    let error = try desk.shell(
      #"dragboard-clipboard "$(printf '\033[31m\342\200\256\302\233\nx')" 2>&1 || true"#)
    #expect(error.contains("\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}x"))
    #expect(!error.unicodeScalars.contains { $0.isDeceptive })
  }

  @Test("Only one bridge runs") func onlyOneBridgeRuns() async throws {
    let desk = try await ClipboardDesk(.x11)
    let other = try ClipboardDesk.startBridge(desk.environment)
    #expect(other.nextLine() == "3")
  }
}
