import DragboardClient
import Foundation
import TestSupport
import Testing

/// Imports from real clipboard managers.
@Suite(.serialized, .enabled(if: Display.all.contains(.sway))) struct ImportTests {
  /// Returns a desktop with a picture, and without a bridge, which would store the managers'
  /// copies.
  private func desk() async throws -> ClipboardDesk {
    let desk = try await ClipboardDesk(.x11)
    desk.bridge.kill()
    try desk.shell("convert -size 40x30 gradient:red-blue -depth 8 png:$HOME/a.png")
    return desk
  }

  @Test("Entries of CopyQ") func entriesOfCopyQ() async throws {
    let desk = try await desk()
    let server = try desk.start("exec copyq >/dev/null 2>&1")
    try await desk.until { (try? desk.shell("copyq count 2>&1")) == "0" }
    try desk.shell(
      """
      copyq write 0 text/plain 'plain ä'
      copyq write 0 text/html '<b>x</b>' text/plain x
      copyq write 0 image/png - < $HOME/a.png
      copyq write 0 text/plain pinned application/x-copyq-item-pinned ''
      copyq write 0 text/plain tagged application/x-copyq-tags work
      """)
    #expect(try desk.shell("dragboard clipboard import copyq") == "Imported 5 rows.")
    let rows = try await desk.rows()
    #expect(
      rows.map(\.types)
        == [[.plainText], [.plainText], [.png], [.html, .plainText], [.plainText]])
    #expect(rows.map(\.preview) == ["tagged", "pinned", "", "x", "plain ä"])
    #expect(rows.map(\.isPinned) == [false, true, false, false, false])
    #expect(try desk.hash(of: rows[2], "image/png") == desk.shell("sha256sum < $HOME/a.png"))
    server.kill()
  }

  @Test("Entries of GPaste") func entriesOfGPaste() async throws {
    let desk = try await desk()
    let server = try desk.start(
      """
      mkdir -p $XDG_CONFIG_HOME/glib-2.0/settings
      printf '[org/gnome/GPaste]\\nimages-support=true\\n' > $XDG_CONFIG_HOME/glib-2.0/settings/keyfile
      GSETTINGS_BACKEND=keyfile exec /usr/libexec/gpaste/gpaste-daemon 2>/dev/null
      """)
    try ClipboardDesk.wait(for: "org.gnome.GPaste", desk.environment)
    func untilEntries(_ count: Int) async throws {
      try await desk.until { try desk.shell("gpaste-client history-size") == "\(count)" }
    }
    try desk.shell("gpaste-client add '[Image] ä'; gpaste-client add-password name secret")
    let uris = "file:///home/a%20b.txt\r\nfile:///home/%C3%BC\r\n"
    let files = try desk.own([try desk.type("text/uri-list", uris)], by: "qt5")
    try await untilEntries(3)
    let picture = try desk.start("xclip -quiet -selection clipboard -t image/png < $HOME/a.png")
    try await untilEntries(4)
    #expect(try desk.shell("dragboard clipboard import gpaste") == "Imported 3 rows.")
    let rows = try await desk.rows()
    #expect(rows.map(\.types) == [[.png], [.uriList], [.plainText]])
    #expect(try await desk.board().text(of: rows[2].id) == "[Image] ä")
    #expect(try await desk.board().data(of: rows[1].id) == Array(uris.utf8))
    // GPaste encodes the picture again, so its bytes differ.
    let stored = try desk.shell(
      "dragboard get \(rows[0].id) --board clipboard | convert png:- -depth 8 rgb:- | sha256sum")
    #expect(try stored == desk.shell("convert $HOME/a.png -depth 8 rgb:- | sha256sum"))
    for program in [server, files, picture] { program.kill() }
  }
}
