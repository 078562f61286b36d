import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("The start of the shelf with the session")
struct ShelfAutostartTests {
  private let folder: TemporaryFolder
  private let autostart: ShelfAutostart
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    autostart = try #require(
      ShelfAutostart(
        Environment(["HOME": "\(folder.path)/home", "XDG_CONFIG_DIRS": "/none:\(folder.path)/all"]))
    )
    path = "\(folder.path)/home/.config/autostart/org.dragboard.Shelf.desktop"
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Writes the file of all users.
  private func installForAll(_ text: String) throws {
    try Directories.create("\(folder.path)/all/autostart")
    try AtomicFile.write(
      Array(text.utf8), to: "\(folder.path)/all/autostart/org.dragboard.Shelf.desktop")
  }

  @Test("The file equals the file of the installer, and is removed again")
  func file() throws {
    #expect(!autostart.isOn)
    try autostart.turnOff()
    try autostart.turnOn(starting: "/usr/bin/dragboard-shelf")
    #expect(autostart.isOn)
    let installed = try Checkout.text(of: "Desktop/data/org.dragboard.Shelf.autostart.desktop")
    #expect(try text() == installed.replacing("Exec=", with: "Exec=/usr/bin/"))
    try autostart.turnOff()
    #expect(!autostart.isOn)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A file for all users starts the shelf, unless the user's file hides it")
  func forAll() throws {
    try installForAll("[Desktop Entry]\n")
    #expect(autostart.isOn)
    try autostart.turnOff()
    #expect(!autostart.isOn)
    #expect(try text().hasSuffix("\nHidden=true\n"))
    try AtomicFile.write(Array(try text().replacing("=true", with: " = true").utf8), to: path)
    #expect(!autostart.isOn)
    try autostart.turnOn(starting: "/usr/bin/dragboard-shelf")
    #expect(autostart.isOn)
    try installForAll("[Desktop Entry]\nHidden=true\n")
    try autostart.turnOff()
    #expect(!autostart.isOn && !FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "Without a home directory there is no file; the error names the file that cannot be written")
  func errors() throws {
    #expect(ShelfAutostart(Environment([:])) == nil)
    try AtomicFile.write([], to: "\(folder.path)/home")
    #expect(throws: FileError(path: "\(folder.path)/home/.config/autostart", code: ENOTDIR)) {
      try autostart.turnOn(starting: "/usr/bin/dragboard-shelf")
    }
  }

  @Test(
    "A path is quoted so that desktops read the same path",
    arguments: [
      ("/usr/bin/dragboard-shelf", "/usr/bin/dragboard-shelf"), ("/a b/c", "\"/a b/c\""),
      ("/100%/c", "/100%%/c"), ("/$x/`y`\"z\"", #""/\\$x/\\`y\\`\\"z\\"""#),
      (#"/back\slash"#, #""/back\\\\slash""#), ("/line\nfeed", #""/line\nfeed""#),
      ("/höhe", "\"/höhe\""),
    ])
  func quoting(path: String, quoted: String) {
    #expect(ShelfAutostart.quotedForExec(path) == quoted)
  }
}
