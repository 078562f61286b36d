import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The examples that watch and drag by themselves", .timeLimit(.minutes(2)))
struct ScriptTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  private func texts() throws -> [String] {
    try desk.client.call(BoardInterface.getTexts, 0, 0, 100)
  }

  @Test("drag.sh drops its texts where it is told, or at the end")
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
    "drag.sh leaves no drag behind that it could not drop", arguments: [["a"], ["a", "7"]])
  func refused(arguments: [String]) throws {
    try desk.client.call(BoardInterface.setAcceptedTypes, ["image/*"])
    let result = try desk.daemon.run(Examples.script("drag"), arguments)
    #expect(result.status == .exited(1))
    #expect(try texts().isEmpty)
    #expect(try desk.client.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty)
  }

  @Test("watch.py prints every signal of a drag")
  func watch() throws {
    // Who started the tests may have had SIGINT ignored.
    let watch = try desk.start("env", "--default-signal=INT", Language.python.program("watch"))
    #expect(watch.nextLine() == "watching")
    #expect(try desk.daemon.run(Examples.script("drag"), ["a"]).status == .exited(0))
    var lines: [String] = []
    while let line = watch.nextLine() {
      lines.append(line)
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
    #expect(watch.waitForExit() == .exited(0))
    #expect(watch.text(of: .errors) == "")
  }

  @Test(
    "Without its arguments each says what it takes",
    arguments: Language.allCases, ["promise", "accept"])
  func usage(language: Language, name: String) throws {
    let result = try run(language.program(name), [])
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("usage: \(name)"))
  }

  @Test("Without a bus each says so", arguments: Language.allCases)
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
