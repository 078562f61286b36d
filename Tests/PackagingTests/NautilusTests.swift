import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("'Send to Shelf' in Nautilus, by its extension")
struct NautilusTests {
  /// A program that loads the extension with a stand-in for Nautilus, and activates its menu item
  /// for some files.
  private static let nautilus = """
    import runpy, sys, types
    import gi.repository
    from gi.repository import Gio

    class MenuItem:
        def __init__(self, **properties):
            self.label = properties["label"]
        def connect(self, signal, chosen):
            self.chosen = chosen

    class File:
        def __init__(self, uri):
            self.get_location = lambda: Gio.File.new_for_uri(uri)
            self.is_directory = lambda: uri.endswith("/")

    gi.repository.Nautilus = types.SimpleNamespace(MenuItem=MenuItem, MenuProvider=type("MenuProvider", (), {}))
    extension = runpy.run_path(sys.argv[1], run_name="send_to_shelf")["SendToShelf"]()
    for item in extension.get_file_items([File(uri) for uri in sys.argv[2:]]):
        print(item.label)
        item.chosen(item)
    """

  private func choose(_ uris: [String], on daemon: Daemon) throws -> CommandResult {
    let source = try Checkout.text(of: "Desktop/data/send-to/nautilus_send_to_shelf.py")
    let path = daemon.bus.home.appending(path: "extension.py")
    try Data(source.replacing("/usr/bin/dragboard", with: builtProduct("dragboard")).utf8)
      .write(to: path)
    return try daemon.run("/usr/bin/python3", ["-B", "-c", Self.nautilus, path.path] + uris)
  }

  @Test("References to the selected files are added to the board in order")
  func files() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let files = ["one.txt", "two words.txt"].map { daemon.bus.home.appending(path: $0) }
    for file in files { try Data("text".utf8).write(to: file) }
    let result = try choose(files.map(\.absoluteString), on: daemon)
    #expect(result.errors == "")
    try #require(result.output == "Send to Shelf\n")
    _ = client.next("Changed")
    #expect(try client.call(BoardInterface.getTexts, 0, 0, 9) == files.map(\.path))
  }

  @Test(
    "Files of other machines have no menu item",
    arguments: [["sftp://server/a"], ["file:///tmp/a", "sftp://server/a"]])
  func others(uris: [String]) throws {
    let result = try choose(uris, on: Daemon())
    #expect(result.errors == "")
    #expect(result.output == "")
  }
}
