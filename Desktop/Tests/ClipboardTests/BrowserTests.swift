import DragboardClient
import Foundation
import TestSupport
import Testing

/// Copies and pastes of a browser.
@Suite(.serialized, .enabled(if: Display.all.contains(.sway))) struct BrowserTests {
  /// A page that shows a pasted text, and sets its title to the HTML source of the text.
  private static let page = """
    <!DOCTYPE html><meta charset="utf-8"><title>Page</title><p><b>Firefox</b> ß</p>
    <script>
      document.onpaste = ({ clipboardData: data }) => {
        document.title = "Page " + data.getData("text/plain") + "|" + data.getData("text/html")
      }
    </script>
    """

  @Test("A selection of Firefox is stored and pasted") func aSelectionOfFirefoxIsStoredAndPasted()
    async throws
  {
    let desk = try await ClipboardDesk(.x11)
    let page = desk.home.appending(path: "page.html")
    try Data(Self.page.utf8).write(to: page)
    let firefox = try desk.start(
      "mkdir $HOME/profile; exec firefox-esr --new-instance --profile $HOME/profile \(page.path) 2>&1"
    )
    func press(_ keys: String) throws {
      try desk.shell("xdotool search --name '^Page' windowfocus --sync key \(keys)")
    }
    try await desk.until { (try? desk.shell("xdotool search --name '^Page'")) != nil }
    try await desk.until {
      try press("ctrl+a ctrl+c")
      return try await !desk.rows().isEmpty
    }
    let copied = try await desk.rows()[0]
    #expect(copied.types.contains(.html))
    #expect(try await desk.board().text(of: copied.id).contains("Firefox ß"))
    let owner = try desk.own(
      try desk.type("text/html", "<i>back</i>"),
      try desk.type("text/plain;charset=utf-8", "back ä"))
    try await desk.until { try await desk.rows()[0].preview == "back ä" }
    try await desk.copy(try await desk.rows()[0])
    try await desk.until {
      try press("ctrl+v")
      let title = try desk.shell("xdotool search --name '^Page' getwindowname")
      return title.contains("back ä|") && title.contains("<i>back</i>")
    }
    for program in [firefox, owner] { program.kill() }
  }
}
