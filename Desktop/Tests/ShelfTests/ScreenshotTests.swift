import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// The directory for the screenshots of the README; nil disables the screenshots.
  private static let pictures =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PICTURES_OF_README"]

  @Test(
    "A picture of the shelf", .enabled(if: pictures != nil),
    arguments: ["light", "dark", "large", "right-to-left", "waiting", "settings", "boards"])
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
    let papers = ["Lease", "Floor plan", "Inventory"].map { "\(home)/\($0).pdf" }
    for paper in papers { try "%PDF-1.4".write(toFile: paper, atomically: true, encoding: .utf8) }
    try TestProgram.run(
      ["dragboard", "add", "--at", "Reading:", "--link", "--file"] + papers, desk.environment)
    let stacked = try await desk.board.snapshot().sections[2].items
    try await desk.board.stack(stacked, as: "papers", inSection: 2, at: 0)
    try desk.run(
      "sh", "-c",
      """
      printf 'https://www.swift.org/documentation/\\r\\n' \
        | dragboard add --at Reading: --stdin --type text/uri-list
      """)
    let settings = try #require(desk.environment["XDG_CONFIG_HOME"]) + "/gtk-4.0"
    try FileManager.default.createDirectory(
      atPath: settings, withIntermediateDirectories: true)
    // The settings of GNOME, because no desktop runs here to provide them.
    try """
    [Settings]
    gtk-font-name=Cantarell 11
    gtk-decoration-layout=:close
    """.write(
      toFile: settings + "/settings.ini", atomically: true, encoding: .utf8)
    // A shelf that is not installed has no icons.
    let icons = try #require(desk.environment["XDG_DATA_HOME"]) + "/icons/hicolor/symbolic/apps"
    try FileManager.default.createDirectory(atPath: icons, withIntermediateDirectories: true)
    let icon = "org.dragboard.Shelf-symbolic.svg"
    try FileManager.default.copyItem(
      at: DataFilesTests.autostart.deletingLastPathComponent().appending(path: icon),
      to: URL(fileURLWithPath: "\(icons)/\(icon)"))
    let manager = try desk.start("openbox", "--sm-disable")
    defer { manager.kill() }
    let row = try await desk.board.snapshot().sections[0].items[1]
    let isMirrored = style == "right-to-left"
    let title = isMirrored ? "الرف" : "Shelf"
    let reader = style == "waiting" ? try ScreenReader(at: desk) : nil
    let variables = isMirrored ? try desk.variables(of: "ar") : reader?.variables ?? [:]
    // The setting of a desktop for large text.
    if style == "large" {
      try desk.run(
        "xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER",
        "Xft.dpi:\t144\n")
    }
    defer { _ = try? desk.run("xprop", "-root", "-remove", "RESOURCE_MANAGER") }
    try await desk.openShelf(titled: title, with: variables)
    if style == "large" {
      // The window is too low for the stack, which is below the other rows.
      let last = try await desk.board.snapshot().sections[2].items.suffix(1)
      try await desk.select(Set(last), by: "End")
      try await desk.select(Set(stacked), by: "Up")
    } else {
      try await desk.select(row, by: "Down")
    }
    let slow = Slow()
    defer { slow.finish() }
    if let reader { try await wait(on: desk, for: slow, reader) }
    let window = try open(style, on: desk) ?? desk.window(named: title)
    // Wait until two successive screenshots are equal: then nothing is being drawn any longer.
    var last = Data()
    try await desk.until {
      try desk.run("import", "-window", window, "-strip", path)
      let image = try Data(contentsOf: URL(fileURLWithPath: path))
      defer { last = image }
      return image == last
    }
  }

  /// Begins a slow drop, and drags that wait.
  private func wait(on desk: Desk, for slow: Slow, _ reader: ScreenReader) async throws {
    let film = DragItem(
      suggestedName: "Film.webm",
      [
        .init(
          "video/webm",
          .promise(
            Promise(expectedByteCount: 100) {
              try $0.write([UInt8](repeating: 0, count: 40))
              slow.wait()
            }))
      ])
    let drag = try await desk.connection.beginDrag([film], as: "org.example.Films")
    let target = desk.board.dropTarget
    Task { try await target.perform(drag.session.id, as: "org.example.Films") }
    let report = DragItem(
      suggestedName: "Report.pdf", [.init("application/pdf", .data(Array("%PDF".utf8)))])
    _ = try await desk.connection.beginDrag([report], as: "org.example.Scanner")
    try await desk.until {
      try await desk.connection.sessions().contains { $0.info.progress > 0.3 }
    }
    try await reader.wait(for: "progress bar", "Receiving one row")
  }

  /// Opens the settings window if its screenshot is wanted; returns its number.
  private func open(_ style: String, on desk: Desk) throws -> String? {
    guard ["settings", "boards"].contains(style) else { return nil }
    try desk.run("dragboard", "board", "add", "Work")
    try desk.run("dragboard", "board", "add", "Ideas")
    try desk.press("ctrl+comma")
    let window = try desk.window(named: "Preferences")
    try desk.run("xdotool", "windowfocus", "--sync", window)
    if style == "boards" {
      try desk.run(
        "xdotool", "key", "--delay", "150", "Right", "space", "Tab", "Down", "space")
    }
    return window
  }
}

/// Blocks another thread until the end of a test.
private final class Slow: Sendable {
  private let signal = DispatchSemaphore(value: 0)

  func wait() { signal.wait() }

  func finish() { signal.signal() }
}
