import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The examples that watch, and that drag from a script")
struct ScriptTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  private func texts() throws -> [String] {
    try desk.client.call(BoardInterface.getTexts, 0, 0, 100)
  }

  @Test("drag.sh drops its texts at the given position, or at the end")
  func drag() throws {
    for arguments in [["a,b c"], ["d"], ["first", "0"]] {
      let result = try desk.daemon.run(Examples.script("drag"), arguments)
      #expect(result.status == .exited(0))
      #expect(result.errors == "")
      #expect(result.output.contains("\na drop would be: copy insert-at-destination uint32 0 "))
    }
    #expect(try texts() == ["first", "a", "b c", "d"])
  }

  @Test(
    "drag.sh cancels a drag that it could not drop", arguments: [["a"], ["a", "7"]])
  func refused(arguments: [String]) throws {
    try desk.client.call(BoardInterface.setAcceptedTypes, ["image/*"])
    let result = try desk.daemon.run(Examples.script("drag"), arguments)
    #expect(result.status == .exited(1))
    #expect(try texts().isEmpty)
    #expect(try desk.client.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty)
  }

  @Test(
    "drag.sh refuses a row that is not a number",
    arguments: ["x", "-2", "010", "4294967296"])
  func noRow(row: String) throws {
    let result = try desk.daemon.run(Examples.script("drag"), ["a", row])
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("ROW") && result.errors.contains("'\(row)'"))
    #expect(try texts().isEmpty)
    #expect(try desk.client.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty)
  }

  @Test(
    "Every signal of a drag is printed by the programs that watch",
    arguments: Language.available.filter { [.python, .javascript].contains($0) })
  func watch(language: Language) throws {
    let watch = try startWatch(in: language)
    #expect(watch.nextLine() == "watching")
    #expect(try desk.daemon.run(Examples.script("drag"), ["a"]).status == .exited(0))
    var lines: [String] = []
    while let line = watch.nextLine() {
      lines.append(line.replacing("\"", with: ""))
      if line.contains(" DragEnded ") { break }
    }
    let root = Dragboard.root.text
    let session = "\(root)/session/1"
    #expect(lines.first == "\(root) DragBegan \(session) org.example.Script")
    #expect(
      lines.suffix(3) == [
        "\(session) DidTransferItems [0] []", "\(session) DidEnd copy",
        "\(root) DragEnded \(session) org.example.Script copy",
      ])
    watch.kill(SIGINT)
    let isPython = language == .python
    #expect(watch.waitForExit() == (isPython ? .exited(0) : .signalled(SIGINT)))
    #expect(watch.text(of: .errors) == "")
  }

  @Test("The Swift example follows the board and the drags through a restart of the daemon")
  func follow() throws {
    let watch = try startWatch(in: .swift)
    #expect(watch.nextLine() == "revision 1, main: 0")
    _ = try desk.client.call(BoardInterface.insertText, 0, -1, "a")
    #expect(watch.nextLine() == "revision 2, main: 1")
    let session = try desk.client.call(ManagerInterface.beginDrag, at: Dragboard.root, "org.a")
    #expect(watch.nextLine() == "drag 1 of org.a")
    try desk.client.call(DragSessionInterface.cancel, at: session)
    #expect(watch.nextLine() == "drag 1 has ended: cancel")
    desk.daemon.kill()
    #expect(Set([watch.nextLine(), watch.nextLine()]) == ["daemonLeft", "revision 2, main: 1"])
    try desk.daemon.start()
    #expect(Set([watch.nextLine(), watch.nextLine()]) == ["daemonCame", "revision 2, main: 1"])
  }

  /// Starts an example that watches a board.
  ///
  /// It resets SIGINT, because the parent process of the tests may ignore the signal.
  private func startWatch(in language: Language) throws -> ChildProcess {
    try desk.start("env", "--default-signal=INT", language.program("watch"))
  }

  @Test(
    "GJS is installed",
    .enabled(if: isInstalled("gjs"), "its examples are not run: apt-get install gjs"))
  func gjs() { #expect(Language.available.contains(.javascript)) }

  @Test(
    "Without arguments each example prints its usage",
    arguments: Language.available, ["promise", "accept"])
  func usage(language: Language, name: String) throws {
    let result = try run(language.program(name), [])
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("usage: \(name)"))
  }

  @Test("Without a bus each example reports an error", arguments: Language.available)
  func noBus(language: Language) throws {
    var environment = desk.daemon.bus.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    for (name, arguments) in [("promise", ["file", "image/png"]), ("accept", ["*/*"])] {
      let result = try run(language.program(name), arguments, environment: environment)
      #expect(result.status == .exited(1))
      #expect(result.errors.hasPrefix(name))
      #expect(!result.errors.contains("Traceback"))
    }
  }
}
