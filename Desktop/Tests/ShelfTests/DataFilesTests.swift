import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite("The desktop's files") struct DataFilesTests {
  private static let folder = Desk.data

  /// The desktop file that starts the shelf with the session.
  static let autostart = URL(fileURLWithPath: "\(folder)/org.dragboard.Shelf.autostart.desktop")

  @Test(
    "The desktop's files conform to their specifications",
    arguments: [
      ["desktop-file-validate", "org.dragboard.Shelf.desktop"],
      ["desktop-file-validate", "org.dragboard.Shelf.autostart.desktop"],
      ["desktop-file-validate", "send-to/thunar-sendto-shelf.desktop"],
      ["appstreamcli", "validate", "--no-net", "org.dragboard.Shelf.metainfo.xml"],
      ["xmllint", "--noout", "org.dragboard.Shelf.svg"],
      ["xmllint", "--noout", "org.dragboard.Shelf-symbolic.svg"],
    ])
  func validity(command: [String]) throws {
    let file = try #require(command.last)
    try TestProgram.run(
      command.dropLast() + ["\(Self.folder)/\(file)"], ProcessInfo.processInfo.environment)
  }

  @Test(
    "The scripts of the file managers put files on the shelf",
    arguments: ["nautilus-send-to-shelf", "send-to-shelf"])
  func scripts(name: String) async throws {
    let desk = try await Desk()
    try await desk.board.settings.setAcceptedTypes([.any])
    let home = try #require(desk.environment["HOME"])
    for (name, text) in [("a b.txt", "one"), ("c.txt", "two")] {
      try text.write(toFile: "\(home)/\(name)", atomically: true, encoding: .utf8)
    }
    let files = ["\(home)/a b.txt", "\(home)/c.txt"]
    var environment = desk.environment
    environment["NAUTILUS_SCRIPT_SELECTED_FILE_PATHS"] = files.joined(separator: "\n") + "\n"
    let arguments = name == "send-to-shelf" ? files : []
    try TestProgram.run(["\(Self.folder)/send-to/\(name)"] + arguments, environment)
    let rows = try await desk.board.page(count: 10).rows
    #expect(rows.map(\.types.first) == [.uriList, .uriList])
    let first = try await desk.board.data(of: rows[0].id, as: .uriList)
    #expect(String(decoding: first, as: UTF8.self) == "file://\(home)/a%20b.txt\r\n")
    let stacks = Set(rows.map(\.attributes.stack))
    #expect(stacks.count == 1 && !stacks.contains(""))
  }
}

extension Desk {
  /// `Desktop/data`.
  static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "data").path
}
