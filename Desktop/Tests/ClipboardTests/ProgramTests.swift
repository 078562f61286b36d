import DragboardClient
import Foundation
import Testing

/// Copies and pastes of real programs.
@Suite(.serialized) struct ProgramTests {
  private static let text = "Grüße\nfrom a program"

  @Test(arguments: ["xclip -quiet -selection clipboard", "xsel --nodetach -bi"])
  func aTextOfAnXProgramIsStored(_ command: String) async throws {
    let desk = try await ClipboardDesk(.x11)
    let path = try desk.file(Array(Self.text.utf8))
    let owner = try desk.start("\(command) < \(path)")
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().text(of: row.id) == Self.text)
    owner.kill()
    try await desk.until { try desk.offeredNames().contains("TEXT") }
    for paste in ["xclip -o -selection clipboard", "xsel -bo"] {
      #expect(try desk.shell(paste) == Self.text)
    }
  }

  @Test func severalTypesOfAQtProgramAreStoredAndPasted() async throws {
    let desk = try await ClipboardDesk(.x11)
    let picture = ClipboardDesk.noise(2_000_000)
    let script = """
      import sys
      from PyQt5.QtCore import QMimeData
      from PyQt5.QtWidgets import QApplication
      application = QApplication(sys.argv)
      data = QMimeData()
      data.setData("text/html", b"<i>Qt</i>")
      data.setText("Qt")
      data.setData("application/x-test", open(sys.argv[1], "rb").read())
      application.clipboard().setMimeData(data)
      application.exec_()
      """
    let (program, file) = (try desk.file(Array(script.utf8)), try desk.file(picture))
    let owner = try desk.start("/usr/bin/python3 \(program) \(file)")
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == [.html, .plainText, "application/x-test"])
    #expect(try await desk.board().text(of: row.id) == "Qt")
    #expect(try await desk.board().data(of: row.id, as: "application/x-test") == picture)
    owner.kill()
    try await desk.until { try desk.offeredNames().contains("TEXT") }
    let paste = """
      import hashlib, sys
      from PyQt5.QtWidgets import QApplication
      application = QApplication(sys.argv)
      data = application.clipboard().mimeData()
      print(data.text(), data.html())
      print(hashlib.sha256(bytes(data.data("application/x-test"))).hexdigest(), " -")
      """
    #expect(
      try desk.shell("/usr/bin/python3 \(try desk.file(Array(paste.utf8)))")
        == "Qt <i>Qt</i>\n\(try desk.hash(file))")
  }

  @Test func aTextOfAGTKProgramIsStoredAndPasted() async throws {
    let desk = try await ClipboardDesk(.x11)
    func script(_ last: String) throws -> String {
      try desk.file(
        Array(
          """
          import gi
          gi.require_version("Gtk", "3.0")
          from gi.repository import Gtk, Gdk
          clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
          \(last)
          """.utf8))
    }
    let copy = try script("clipboard.set_text('GTK ß', -1); Gtk.main()")
    let owner = try desk.start("/usr/bin/python3 \(copy)")
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().text(of: row.id) == "GTK ß")
    owner.kill()
    try await desk.until { try desk.offeredNames().contains("TEXT") }
    let paste = try script("print(clipboard.wait_for_text())")
    #expect(try desk.shell("/usr/bin/python3 \(paste)") == "GTK ß")
  }

  @Test(.enabled(if: Display.all.contains(.sway)))
  func aTextOfWlCopyIsStored() async throws {
    let desk = try await ClipboardDesk(.sway)
    let path = try desk.file(Array(Self.text.utf8))
    let owner = try desk.start("wl-copy --foreground < \(path)")
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == [.plainText])
    #expect(try await desk.board().text(of: row.id) == Self.text)
    owner.kill()
    try await desk.until { try desk.offeredNames().contains("TEXT") }
    #expect(try desk.shell("wl-paste -n") == Self.text)
  }
}
