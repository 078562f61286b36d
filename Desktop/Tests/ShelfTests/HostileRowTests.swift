import DragboardClient
import Foundation
import Glibc
import TestSupport
import Testing

extension ShelfTests {
  /// Rows whose display would take much memory or time, or would deceive the user.
  @Suite("Hostile rows") struct HostileRowTests {
    /// The maximum memory that a row may take, in MiB.
    private static let limit = 64

    /// Opens a shelf on a board with an ordinary picture, inserts rows and a text below them, and
    /// waits until the shelf shows everything.
    ///
    /// - Returns: the growth of the shelf's peak in MiB.
    private func growth(
      _ desk: Desk, _ reader: ScreenReader, shows name: String? = nil,
      _ insert: () async throws -> Void
    ) async throws -> Int {
      for part in try Sample.image.parts(in: desk.folder) {
        try await desk.board.insert(part.bytes, as: part.type)
      }
      try await desk.openShelf(with: reader.variables)
      try await reader.wait(for: "list item", "Image, 400 × 300")
      try desk.resetPeak()
      let before = try desk.peak()
      try await insert()
      let later = Sample.link(to: "https://example.org/", titled: "Later")
      try await desk.board.insert(later.bytes, as: later.type)
      try await reader.wait(for: "list item", "Later, example.org")
      if let name { try await reader.until { $0.role == "list item" && $0.name.contains(name) } }
      return try desk.peak() - before
    }

    private func picture(_ width: Int, _ height: Int) throws -> Data {
      let program = Peer.folder.appending(path: "large-picture").path
      let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
      defer { try? FileManager.default.removeItem(at: path) }
      try TestProgram.run(
        ["sh", "-c", "\"$0\" \(width) \(height) > \(path.path)", program],
        ProcessInfo.processInfo.environment)
      return try Data(contentsOf: path)
    }

    @Test("A picture of 20,000² pixels shows only its dimensions, as content and as a file")
    func hugePicture() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let bytes = try picture(20_000, 20_000)
      let growth = try await growth(desk, reader, shows: "20000 × 20000") {
        try await desk.board.insert(Array(bytes), as: .png)
      }
      #expect(growth < Self.limit)
      let path = "\(desk.folder)/huge.png"
      try bytes.write(to: URL(fileURLWithPath: path))
      try desk.run("dragboard", "add", "--link", "--file", path)
      try await reader.wait(for: "list item", "huge.png, 20000 × 20000")
      try await desk.select(desk.rows()[1], by: "Down")
      try desk.press("space")
      _ = try desk.window(named: "Preview")
      #expect(try desk.peak() < 64 + Self.limit * 3)
    }

    @Test("Pictures whose decoding does not end do not stop later previews")
    func endlessPictures() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      // Each group draws the group before it ten times.
      let groups = (1...9).map { number in
        let uses = String(repeating: "<use xlink:href=\"#g\(number - 1)\"/>", count: 10)
        return "<g id=\"g\(number)\">\(uses)</g>"
      }
      let text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        + "width=\"10\" height=\"20\"><defs><g id=\"g0\"><rect width=\"9\" height=\"9\"/></g>"
        + groups.joined() + "</defs><use xlink:href=\"#g9\"/></svg>"
      let growth = try await growth(desk, reader, shows: "10 × 20") {
        for number in 1...6 {
          try await desk.board.insert(Array("\(text)<!-- \(number) -->".utf8), as: "image/svg+xml")
        }
      }
      #expect(growth < Self.limit)
    }

    @Test(
      "The process that reads a picture takes at most 64 MiB, and reports the dimensions",
      arguments: [(4_000, 4_000), (4_001, 4_000), (3_000, 3_000)], [96, 1_600])
    func process(size: (Int, Int), extent: Int) throws {
      func peak(_ bytes: Data) throws -> (mebibytes: Int, output: Data) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try bytes.write(to: folder.appending(path: "in"))
        let script = """
          import resource, subprocess, sys
          with open("in") as source, open("out", "w") as target:
              subprocess.run(sys.argv[1:], stdin=source, stdout=target)
          print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
          """
        let shelf = "\(try Desk.ownProducts())/dragboard-shelf"
        let peak = try TestProgram.run(
          [
            "sh", "-c", "cd \"$0\" && exec python3 -c \"$@\"", folder.path, script, shelf,
            "--read-preview", "\(extent)",
          ], ProcessInfo.processInfo.environment)
        return (
          try #require(Int(peak)), try Data(contentsOf: folder.appending(path: "out"))
        )
      }
      let idle = try peak(Data())
      let busy = try peak(picture(size.0, size.1))
      #expect(idle.output.isEmpty)
      #expect(busy.mebibytes - idle.mebibytes <= Self.limit)
      #expect(busy.output.first == UInt8(ascii: "S"))
      #expect((busy.output.count > 13) == (size.0 <= 4_000 && (extent == 96 || size.0 == 3_000)))
    }

    @Test("30 MiB of HTML take little memory, in the list and in the large preview")
    func hugeMarkup() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let part = "<p>Words of a <b>page</b></p>"
      let bytes = Array(String(repeating: part, count: (30 << 20) / part.utf8.count).utf8)
      let growth = try await growth(desk, reader, shows: "Words of a page") {
        try await desk.board.insert(bytes, as: .html)
      }
      #expect(growth < Self.limit)
      try await preview(1, on: desk, reader)
    }

    @Test("A text of 5 MB in one line takes little memory in the large preview")
    func longLine() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let growth = try await growth(desk, reader, shows: "xxxx") {
        try await desk.board.insert([String(repeating: "x", count: 5_000_000)])
      }
      #expect(growth < Self.limit)
      try await preview(1, on: desk, reader)
    }

    @Test("An address of 5 MB takes little memory", arguments: [true, false])
    func longAddress(isList: Bool) async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let address = "https://example.org/" + String(repeating: "x", count: 5_000_000)
      let link = Sample.link(to: address, titled: "Long")
      let growth = try await growth(desk, reader) {
        try await desk.board.insert(
          isList ? Array((address + "\r\n").utf8) : link.bytes, as: isList ? .uriList : link.type)
      }
      #expect(growth < Self.limit)
    }

    /// Shows the large preview of a row, and checks the memory.
    private func preview(_ row: Int, on desk: Desk, _ reader: ScreenReader) async throws {
      try await desk.select(desk.rows()[row], by: "Down")
      try desk.resetPeak()
      let before = try desk.peak()
      try desk.press("space")
      try await reader.wait(for: "text", "Text of the row")
      #expect(try desk.peak() - before < Self.limit)
    }

    @Test(
      "Marks are cut to eight for each letter, and a search skips them", arguments: [true, false])
    func marks(isMarkup: Bool) async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let text = "a" + String(repeating: "\u{301}\u{325}", count: 15_000) + "b"
      let growth = try await growth(desk, reader) {
        if isMarkup {
          try await desk.board.insert(Array(text.utf8), as: .html)
        } else {
          try await desk.board.insert([text])
        }
      }
      #expect(growth < Self.limit)
      let controls = try await reader.until { $0.name.unicodeScalars.contains("\u{325}") }
      for control in controls {
        #expect(
          control.name.unicodeScalars.count {
            $0.properties.canonicalCombiningClass != .notReordered
          } <= 8)
      }
      try await preview(1, on: desk, reader)
      try desk.answer("Preview", "Escape")
      try desk.press("ctrl+f")
      try await reader.until { $0.role == "entry" && $0.states.contains("focused") }
      try desk.press("a", "b")
      let row = try await desk.rows()[1]
      try await desk.until { try await desk.selection() == [row] }
    }

    /// Whether this process may mount file systems.
    static let mayMount = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    @Test(
      "Addresses on a file system that hangs do not stop later previews",
      .enabled(if: mayMount, "mounting needs root and /dev/fuse"))
    func hangingFileSystem() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let directory = "\(desk.folder)/hanging"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let mount = try desk.start(Peer.folder.appending(path: "hanging-mount").path, directory)
      defer {
        mount.kill()
        umount2(directory, Int32(MNT_DETACH))
      }
      #expect(mount.nextLine() == "mounted")
      try "x".write(toFile: "\(desk.folder)/note.txt", atomically: true, encoding: .utf8)
      for number in 0..<20 {
        let address = "file://\(directory)/\(number).png\r\n"
        try await desk.board.insert(Array(address.utf8), as: .uriList)
      }
      try await desk.board.insert(Array("file://\(desk.folder)/note.txt\r\n".utf8), as: .uriList)
      try await desk.openShelf(with: reader.variables)
      try await reader.wait(for: "list item", "note.txt, Plain text document")
      try await reader.wait(for: "list item", "19.png")
    }

    @Test("No text that a screen reader reads contains a scalar that can deceive the user")
    func deceptiveText() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let text = "\u{202E}gnp.exe"
      let path = "\(desk.folder)/\(text)"
      try "x".write(toFile: path, atomically: true, encoding: .utf8)
      let address = URL(fileURLWithPath: path).absoluteString
      try await desk.board.insert([text])
      let file = DragItem(attributes: ItemAttributes(name: text), [.init(.png, .data([1]))])
      let drag = try await desk.connection.beginDrag([file], as: "org.example.Drag")
      _ = try await desk.board.dropTarget.perform(drag.session.id, as: "org.example.Drag")
      try await desk.board.insert(Array("<p>\(text)</p>".utf8), as: .html)
      try await desk.board.insert(Array("\(address)\r\n".utf8), as: .uriList)
      let link = Sample.link(to: "https://example.org/\(text)", titled: text)
      try await desk.board.insert(link.bytes, as: link.type)
      try await desk.board.sections.insert(named: text)
      try await desk.board.move(desk.rows().suffix(1), toSection: 1, row: 0)
      _ = try await desk.connection.createBoard(named: text)
      let waiting = try await desk.connection.beginDrag([file], as: "org.example.Drag")
      try await desk.openShelf(with: reader.variables)
      for role in ["list item", "page tab", "label", "push button"] {
        try await expectHarmless(reader) { $0.role == role && $0.name.contains("gnp.exe") }
      }
      try await expectHarmless(reader) { $0.name.hasPrefix("\u{FFFD}gnp.exe, DOS/Windows") }
      try await desk.select(desk.rows()[0], by: "Home")
      try desk.press("space")
      _ = try desk.window(named: "Preview")
      try await expectHarmless(reader) { $0.role == "text" }
      try desk.answer("Preview", "Escape")
      try desk.press("Menu")
      try await expectHarmless(reader) { $0.role == "menu item" }
      try await reader.closeMenu(with: "Copy")
      try desk.press("Delete")
      try await expectHarmless(reader) { $0.name.hasSuffix("deleted") }
      try desk.press("ctrl+comma")
      try await expectHarmless(reader) { $0.name.hasPrefix("Move “") }
      withExtendedLifetime(waiting) {}
    }

    /// Waits for a control, and checks the names of all controls.
    private func expectHarmless(
      _ reader: ScreenReader, line: Int = #line, _ isShown: (Control) -> Bool
    ) async throws {
      for control in try await reader.until(line: line, has: isShown) {
        #expect(!control.name.unicodeScalars.contains("\u{202E}"), "line \(line): \(control)")
      }
    }
  }
}
