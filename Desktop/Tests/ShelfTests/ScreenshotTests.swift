import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  /// The folder of the pictures for the README; nil takes none.
  private static let pictures = ProcessInfo.processInfo.environment["SHELF_TEST_PICTURES_OF_README"]

  @Test(
    "A picture of the shelf", .enabled(if: pictures != nil),
    arguments: ["light", "dark", "large", "right-to-left"])
  func picture(style: String) async throws {
    let path = "\(try #require(Self.pictures))/\(style).png"
    let desk = try await Desk()
    let portal =
      style == "dark" ? try desk.start([Peer.folder.appending(path: "settings-portal").path]) : nil
    if let portal { #expect(portal.nextLine() == "serves") }
    try desk.run("dragboard", "section", "rename", "main", "Today")
    try desk.run("dragboard", "add", "Call the garage about the brakes", "Buy stamps")
    try desk.run("dragboard", "add", "Packing list\nPassport, tickets\nRain jacket")
    try desk.run("dragboard", "section", "add", "Pictures")
    try desk.run("dragboard", "section", "add", "Reading")
    let home = try #require(desk.environment["HOME"])
    for (name, colours) in [("Lake", "#2d6a8f-#f4c95d"), ("Roofs", "#7a3b2e-#f2a65a")] {
      try desk.run("convert", "-size", "320x240", "gradient:\(colours)", "\(home)/\(name).png")
      try desk.run("dragboard", "add", "--at", "Pictures:", "--file", "\(home)/\(name).png")
    }
    try desk.run(
      "sh", "-c",
      """
      printf 'file:///home/ada/Documents/report.pdf\\r\\n' \
        | dragboard add --at Reading: --stdin --type text/uri-list
      printf 'https://www.swift.org/documentation/\\r\\n' \
        | dragboard add --at Reading: --stdin --type text/uri-list
      """)
    let settings = try #require(desk.environment["XDG_CONFIG_HOME"]) + "/gtk-4.0"
    try FileManager.default.createDirectory(
      atPath: settings, withIntermediateDirectories: true)
    // GNOME's settings: no desktop runs here to provide them.
    try """
    [Settings]
    gtk-font-name=Cantarell 11
    gtk-decoration-layout=:close
    """.write(
      toFile: settings + "/settings.ini", atomically: true, encoding: .utf8)
    let row = try await desk.board.snapshot().sections[0].items[1]
    let isMirrored = style == "right-to-left"
    let title = isMirrored ? "الرف" : "Shelf"
    let variables = isMirrored ? try desk.variables(of: "ar") : [:]
    // As a desktop's setting for large texts does.
    if style == "large" {
      try desk.run(
        "xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER",
        "Xft.dpi:\t144\n")
    }
    defer { _ = try? desk.run("xprop", "-root", "-remove", "RESOURCE_MANAGER") }
    try await desk.openShelf(titled: title, with: variables)
    try await desk.select(row, by: "Down")
    let window = try desk.window(named: title)
    // Until two pictures in a row are the same, something is still being drawn.
    var last = Data()
    try await desk.until {
      try desk.run("import", "-window", window, "-strip", path)
      let image = try Data(contentsOf: URL(fileURLWithPath: path))
      defer { last = image }
      return image == last
    }
  }
}
