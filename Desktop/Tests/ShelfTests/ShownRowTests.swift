import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  /// The contents of rows, as a screen reader reads them.
  @Suite("The contents of rows") struct ShownRowTests {
    private func name(_ start: String, _ end: String = "") -> (Control) -> Bool {
      { $0.role == "list item" && $0.name.hasPrefix(start) && $0.name.hasSuffix(end) }
    }

    @Test(
      "A row shows its type, the size of a picture, the title of a link, and whether a file is missing"
    )
    func facts() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let image = try Sample.image.parts(in: desk.folder)[0]
      try await desk.board.insert(image.bytes, as: .png)
      let link = Sample.link(to: "https://example.org/", titled: "The Title")
      try await desk.board.insert(link.bytes, as: link.type)
      _ = try Sample.file.parts(in: desk.folder)
      for path in ["Note 1.txt", "Picture.png", "config", "gone.txt"] {
        let address = URL(fileURLWithPath: "\(desk.folder)/\(path)").absoluteString
        try await desk.board.insert(Array((address + "\r\n").utf8), as: .uriList)
      }
      let folder = URL(fileURLWithPath: desk.folder).lastPathComponent
      try await desk.openShelf(with: reader.variables)
      for isShown in [
        name("Image, 400 × 300 · PNG image · "), name("The Title, example.org"),
        name("Note 1.txt, Plain text document in \(folder)", " bytes"),
        name("Picture.png, 400 × 300 · PNG image in \(folder)"),
        name("config, Folder in \(folder)"), name("gone.txt, File not found"),
      ] {
        try await reader.until(has: isShown)
      }
    }

    @Test("A file whose name is not UTF-8 is found, and is missing only after its deletion")
    func nameInLatin1() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let name = "\(desk.folder)/caf$(printf '\\351').txt"
      try desk.run("sh", "-c", "printf coffee >\"\(name)\"")
      try await desk.board.insert(
        Array("file://\(desk.folder)/caf%E9.txt\r\n".utf8), as: .uriList)
      try await desk.openShelf(with: reader.variables)
      let folder = URL(fileURLWithPath: desk.folder).lastPathComponent
      try await reader.until(
        has: self.name("caf\u{fffd}.txt, Plain text document in \(folder)", " bytes"))
      try desk.run("sh", "-c", "rm \"\(name)\"")
      // The shelf reads the files again when its window becomes active.
      try await desk.until {
        try desk.press("ctrl+comma")
        try desk.answer("Preferences", "Escape")
        try await desk.untilClosed("Preferences")
        try desk.press("F5")
        return try reader.controls().contains(where: self.name("caf\u{fffd}.txt, File not found"))
      }
    }

    /// Returns the maximum saturation of the icon of a row, from 0 to 1.
    private func saturation(ofRow row: Int, on desk: Desk) throws -> Double {
      let text = try desk.run(
        "convert", "x:root", "-crop", "40x40+16+\(65 + 56 * row)", "-colorspace", "HSL", "-channel",
        "G", "-separate", "-format", "%[fx:maxima]", "info:")
      return try #require(Double(text))
    }

    @Test("A folder has a coloured folder icon, and a missing file does not")
    func icons() async throws {
      let desk = try await Desk()
      for path in ["config", "gone"] {
        try await desk.board.insert(Array("file://\(desk.folder)/\(path)\r\n".utf8), as: .uriList)
      }
      try await desk.openShelf()
      try await desk.until { try saturation(ofRow: 0, on: desk) > 0.5 }
      #expect(try saturation(ofRow: 1, on: desk) < 0.2)
    }

    @Test("Visible rows are read first")
    func order() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      let files = "\(desk.folder)/$(printf %03d $number).png"
      try desk.run(
        "sh", "-c",
        """
        convert -size 2000x2000 xc:gray +noise Random \(desk.folder)/large.png
        for number in $(seq 0 119); do ln \(desk.folder)/large.png "\(files)"; done
        rm \(desk.folder)/large.png
        dragboard add --link --file \(desk.folder)/*.png
        """)
      try await desk.openShelf(with: reader.variables)
      let isRead = { (control: Control) in
        control.role == "list item" && control.name.contains("2000 × 2000")
      }
      let isVisible = { (control: Control) in control.name < "006" }
      let isFarBelow = { (control: Control) in control.name >= "060" }
      let controls = try await reader.until {
        isRead($0) && (isVisible($0) || isFarBelow($0))
      }
      #expect(controls.count { $0.role == "list item" } > 66)
      // A picture takes a tenth of a second or more, so the last rows are read much later.
      #expect(controls.contains { isRead($0) && isVisible($0) })
    }

    @Test("After a search, the found row is visible, however far down it is")
    func reveal() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try desk.run("sh", "-c", "seq 2000 | dragboard add --lines")
      let rows = try await desk.rows()
      try await desk.openShelf(with: reader.variables)
      try await desk.select(rows[0], by: "Home")
      try desk.press("ctrl+f")
      try await reader.until { $0.role == "entry" && $0.states.contains("focused") }
      try desk.press("1", "5", "0", "7")
      try await desk.until { try await desk.selection() == [rows[1506]] }
      try desk.press("Escape")
      // The list has widgets only for the lines around the visible ones.
      try await reader.until {
        $0.role == "list item" && $0.name == "1507" && $0.states.contains("focused")
      }
    }

    @Test("A message names the locked row that was not deleted")
    func lockedRow() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try desk.run("dragboard", "add", "one", "two")
      try desk.run("dragboard", "lock", "1")
      try await desk.openShelf(with: reader.variables)
      try desk.press("ctrl+a", "Delete")
      try await reader.until { $0.name == "“one” deleted. “two” is locked" }
    }

    @Test("The editor warns before formatting is lost", arguments: [true, false])
    func formatting(isFormatted: Bool) async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      if isFormatted {
        try await desk.board.insert([
          (.html, .data(Array("<b>one</b>".utf8))), (.plainText, .data(Array("one".utf8))),
        ])
      } else {
        try await desk.board.insert(["one"])
      }
      try await desk.openShelf(with: reader.variables)
      try await desk.select(desk.rows()[0], by: "Home")
      try desk.press("F2")
      let button = isFormatted ? "Save Plain Text" : "Save"
      let controls = try await reader.until {
        $0.role == "push button" && $0.name == button
      }
      let warning = controls.first { $0.name == "Saving removes the formatting of this text." }
      #expect((warning != nil) == isFormatted)
    }
  }
}
