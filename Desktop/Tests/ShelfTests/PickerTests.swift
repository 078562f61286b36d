import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The picker") struct PickerTests {
    private static let title = "Paste from a Board"

    /// A desktop with Openbox, a program whose window has the focus, and a stub of the bridge.
    private struct Scene {
      let desk: Desk
      private let manager: TestProgram
      private let program: TestProgram
      private let bridge: TestProgram?
      /// The window of the program.
      let target: String

      /// Creates a desktop; nil for `outcomes` starts no bridge.
      init(pasting outcomes: [String]? = []) async throws {
        let desk = try await Desk()
        self.desk = desk
        manager = try await desk.startWindowManager()
        program = try desk.start("xmessage", "-name", "Target", "-title", "Target", "Hello")
        target = try desk.window(named: "Target")
        bridge = try outcomes.map { outcomes in
          try TestProgram(
            [Peer.folder.appending(path: "paste-bridge").path] + outcomes, desk.environment)
        }
        if let bridge { #expect(bridge.nextLine() == "serves") }
        try desk.startShelf("--gapplication-service")
        try desk.run("gdbus", "wait", "--session", "--timeout", "60", "org.dragboard.Shelf")
        try focusTarget()
      }

      func focusTarget() throws { try desk.run("xdotool", "windowfocus", "--sync", target) }

      /// Opens the picker, and waits until it has the keyboard focus.
      func open(_ words: String...) async throws {
        try TestProgram.run(
          words.isEmpty ? ["dragboard-shelf", "--picker"] : words, desk.environment)
        let window = try desk.window(named: PickerTests.title)
        try await desk.until { try focus() == window }
      }

      func focus() throws -> String {
        try desk.run("xdotool", "getwindowfocus").trimmingCharacters(in: .whitespacesAndNewlines)
      }

      func press(_ keys: String...) throws { try press(keys) }

      func press(_ keys: [String]) throws {
        try TestProgram.run(["xdotool", "key", "--delay", "60"] + keys, desk.environment)
      }

      func type(_ text: String) throws { try desk.run("xdotool", "type", "--delay", "60", text) }

      /// The next call that the bridge has received.
      func nextCall() -> String? { bridge?.nextLine() }

      func untilClosed() async throws { try await desk.untilClosed(PickerTests.title) }
    }

    @Test("Enter pastes the selected row into the window that had the focus")
    func paste() async throws {
      let scene = try await Scene()
      let rows = try await scene.desk.board.insert(["first", "second", "third"])
      for (keys, item, isPlain) in [
        (["Return"], rows[0], false), (["Down", "Down", "ctrl+Return"], rows[2], true),
        (["2"], rows[1], false), (["s", "e", "c", "Return"], rows[1], false),
        (["s", "alt+1"], rows[1], false),
      ] {
        try await scene.open()
        #expect(scene.nextCall() == "prepare \(scene.target)")
        try scene.press(keys)
        #expect(
          scene.nextCall() == "paste \(item) plain=\(isPlain) confirmed=false \(scene.target)")
        try await scene.untilClosed()
      }
    }

    @Test("A text that the bridge does not paste into a terminal is pasted by a second Enter")
    func question() async throws {
      let scene = try await Scene(pasting: ["confirm", "pasted", "confirm"])
      let rows = try await scene.desk.board.insert(["one\ntwo\nthree", "other"])
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Return")
      #expect(scene.nextCall()?.hasPrefix("paste \(rows[0]) plain=false confirmed=false") == true)
      let window = try scene.desk.window(named: Self.title)
      try await scene.desk.until { try scene.focus() == window }
      try scene.press("Return")
      #expect(
        scene.nextCall() == "paste \(rows[0]) plain=false confirmed=true \(scene.target)",
        "the second call has the confirmation, and the bridge is not prepared again")
      // The question does not hold for another row.
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Return")
      _ = scene.nextCall()
      try await scene.desk.until { try scene.focus() == window }
      try scene.press("Down", "Return")
      #expect(scene.nextCall()?.hasPrefix("paste \(rows[1]) plain=false confirmed=false") == true)
    }

    /// The words of `PasteObstacle.permissionMissing`.
    private static let missing = "copied=The desktop asks once whether Dragboard may press keys."

    @Test(
      "If the desktop requires a permission, the picker explains it once; Enter lets the desktop ask"
    )
    func permission() async throws {
      let scene = try await Scene(pasting: [
        "--portal=allow", Self.missing, "pasted", Self.missing,
      ])
      let row = try await scene.desk.board.insert(["first"])[0]
      let call = "paste \(row) plain=false confirmed=false \(scene.target)"
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Return")
      #expect(scene.nextCall() == call)
      let window = try scene.desk.window(named: Self.title)
      try await scene.desk.until { try scene.focus() == window }
      try scene.press("Return")
      #expect(scene.nextCall() == "allow")
      #expect(scene.nextCall() == call, "the bridge is not prepared again")
      try await scene.untilClosed()
      // Later, the preferences have the permission.
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Return")
      #expect(scene.nextCall() == call)
      try await scene.untilClosed()
    }

    @Test("If the user refuses the permission, the row stays copied")
    func refusedPermission() async throws {
      let scene = try await Scene(pasting: ["--portal=refuse", Self.missing])
      try await scene.desk.board.insert(["first"])
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Return")
      _ = scene.nextCall()
      let window = try scene.desk.window(named: Self.title)
      try await scene.desk.until { try scene.focus() == window }
      try scene.press("Return")
      #expect(scene.nextCall() == "allow")
      try await scene.untilClosed()
      try await scene.open()
      #expect(scene.nextCall() == "prepare \(scene.target)", "nothing was pasted after the refusal")
    }

    @Test(
      "If the desktop adds held modifiers to the keys, the picker waits until they are released")
    func heldModifiers() async throws {
      let scene = try await Scene(pasting: ["--portal=allow", "pasted", "pasted"])
      let rows = try await scene.desk.board.insert(["first", "second"])
      try await scene.open()
      _ = scene.nextCall()
      try scene.desk.run("xdotool", "keydown", "ctrl")
      try scene.press("Return")
      try scene.desk.run("xdotool", "keyup", "ctrl")
      #expect(
        scene.nextCall() == "paste \(rows[0]) plain=true confirmed=false \(scene.target)")
      try await scene.untilClosed()
      // A modifier that stays held: the row is only copied.
      try await scene.open()
      _ = scene.nextCall()
      try scene.press("Down")
      try scene.desk.run("xdotool", "keydown", "ctrl")
      try scene.press("Return")
      try await scene.untilClosed()
      try scene.desk.run("xdotool", "keyup", "ctrl")
      #expect(try scene.desk.run("xclip", "-o", "-selection", "clipboard") == "second")
      try await scene.open()
      #expect(scene.nextCall() == "prepare \(scene.target)", "nothing was pasted")
    }

    @Test("Without the bridge, the picker copies the row")
    func copy() async throws {
      let scene = try await Scene(pasting: nil)
      try await scene.desk.board.insert(["first", "second"])
      try await scene.open()
      try scene.press("Down", "Return")
      try await scene.untilClosed()
      #expect(try scene.desk.run("xclip", "-o", "-selection", "clipboard") == "second")
    }

    @Test("Delete deletes the selected row, and Ctrl+Z restores it; Escape closes the picker")
    func delete() async throws {
      let scene = try await Scene()
      try await scene.desk.board.insert(["first", "second"])
      try await scene.open()
      try scene.press("Down", "Delete")
      try await scene.desk.untilTexts(["first"])
      try scene.press("ctrl+z")
      try await scene.desk.untilTexts(["first", "second"])
      try scene.type("sec")
      try scene.press("Delete")
      try await scene.desk.untilTexts(["first"])
      try scene.press("Escape")
      try await scene.untilClosed()
      #expect(try scene.focus() == scene.target)
    }

    @Test("Tab shows the next board; the command opens the picker on a board by its name")
    func boards() async throws {
      let scene = try await Scene()
      try await scene.desk.board.insert(["on default"])
      let clipboard = try await scene.desk.connection.clipboard.board()
      let copied = try await clipboard.insert(["copied"])[0]
      let work = try await scene.desk.connection.createBoard(named: "work")
      let row = try await work.insert(["task"])[0]
      for (words, keys, item) in [
        (["dragboard-shelf", "--picker"], ["Return"], copied),
        (["dragboard", "pick", "--window"], ["Tab", "Return"], row),
        (["dragboard", "pick", "--window", "--board", "work"], ["Return"], row),
      ] {
        try TestProgram.run(words, scene.desk.environment)
        _ = try scene.desk.window(named: Self.title)
        let window = try scene.desk.window(named: Self.title)
        try await scene.desk.until { try scene.focus() == window }
        #expect(scene.nextCall()?.hasPrefix("prepare") == true)
        // The rows of the board arrive after its button.
        try scene.desk.run("xdotool", "sleep", "0.3")
        try scene.press(keys)
        #expect(scene.nextCall()?.hasPrefix("paste \(item) ") == true, "\(words)")
        try await scene.untilClosed()
      }
    }

    @Test("Edits of other clients appear, and a search finds rows of a large board")
    func large() async throws {
      let scene = try await Scene()
      let rows = try await scene.desk.board.insert((0..<5_000).map { "row \($0) of many" })
      try await scene.open()
      _ = scene.nextCall()
      try scene.type("/4321 ")
      try scene.press("Return")
      #expect(scene.nextCall()?.hasPrefix("paste \(rows[4_321]) ") == true)
      try await scene.untilClosed()
      try await scene.open()
      _ = scene.nextCall()
      let new = try await scene.desk.board.insert(["new row"], at: 0)
      try scene.desk.run("xdotool", "sleep", "0.5", "key", "1")
      #expect(scene.nextCall()?.hasPrefix("paste \(new[0]) ") == true)
    }

    @Test("The wheel reads the rows behind the first page")
    func wheel() async throws {
      let scene = try await Scene()
      let rows = try await scene.desk.board.insert((0..<100).map { "row \($0)" })
      try await scene.open()
      _ = scene.nextCall()
      let turn = ["click", "--repeat", "10", "--delay", "10", "5", "sleep", "0.1"]
      let turns = Array(repeating: turn, count: 20).flatMap { $0 } + ["click", "1"]
      let place = ["mousemove", "--window", try scene.focus(), "120", "300"]
      try TestProgram.run(["xdotool"] + place + turns, scene.desk.environment)
      let call = try #require(scene.nextCall())
      let row = try #require(rows.firstIndex { call.hasPrefix("paste \($0) ") })
      // A page has 30 rows.
      #expect(row > 60)
    }
  }
}
