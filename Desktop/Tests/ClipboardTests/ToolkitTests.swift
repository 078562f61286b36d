import DragboardClient
import Foundation
import TestSupport
import Testing

/// Copies and pastes of programs that are written with a toolkit.
@Suite(.serialized) struct ToolkitTests {
  private static let toolkits = ["gtk3", "gtk4", "qt5"]

  /// The types of a copy, and the number of bytes of each.
  private static let samples: [[(String, Int)]] = [
    [("application/x-a", 0)],
    [("application/x-a", 1)],
    [("text/html", 12), ("image/png", 60_000)],
    [
      ("application/x-e", 65_535), ("application/x-d", 0), ("image/gif", 3_000),
      ("application/x-b", 8_192), ("application/x-a", 8_193),
    ],
    [0, 1, 70_000, 4_096, 3_000_000, 65_537, 8_193, 300_000, 8_192, 12, 131_072, 5].enumerated()
      .map { ("application/x-test-\(($0 * 7) % 12)", $1) },
    [("application/x-large", 64 << 20)],
  ]

  @Test("Copies and pastes are equal", arguments: Display.withWindows, toolkits)
  func copiesAndPastesAreEqual(_ display: Display, _ toolkit: String) async throws {
    let desk = try await ClipboardDesk(display)
    for sample in Self.samples where Self.delivers(sample.map(\.1), toolkit, on: display) {
      try await check(
        try sample.map { try desk.type($0, byteCount: $1) },
        areLarge: sample.contains { $0.1 > 1 << 20 }, by: toolkit, on: desk)
    }
  }

  /// Returns whether a toolkit can deliver types of these sizes to other programs.
  ///
  /// On X11, GTK 4.8 never ends a transfer of 64 MiB. On GNOME, Qt 5 cuts off a type after 64 KiB.
  private static func delivers(_ sizes: [Int], _ toolkit: String, on display: Display) -> Bool {
    switch (display, toolkit) {
    case (.x11, "gtk4"): sizes.allSatisfy { $0 <= 3_000_000 }
    case (.mutter, "qt5"): sizes.allSatisfy { $0 < 64 << 10 }
    default: true
    }
  }

  @Test("A type that GNOME cuts off is not stored", .enabled(if: Display.all.contains(.mutter)))
  func aTypeThatGNOMECutsOffIsNotStored() async throws {
    let desk = try await ClipboardDesk(.mutter)
    let cut = try desk.own([try desk.type("image/png", byteCount: 70_000)], by: "qt5")
    let owner = try desk.own([try desk.type("image/gif", byteCount: 9)], by: "qt5")
    #expect(try await desk.untilRows(1)[0].types == ["image/gif"])
    cut.kill()
    owner.kill()
  }

  @Test("Pictures and files are equal", arguments: Display.withWindows, toolkits)
  func picturesAndFilesAreEqual(_ display: Display, _ toolkit: String) async throws {
    let desk = try await ClipboardDesk(display)
    let picture = try desk.file([])
    try desk.shell("convert -size 40x30 gradient:red-blue png:\(picture)")
    try await check([OfferedType(name: "image/png", source: picture)], by: toolkit, on: desk)
    let files = [
      try desk.type("text/uri-list", "file:///home/a%20b.txt\r\nfile:///home/%C3%BC\r\n"),
      try desk.type("text/plain;charset=utf-8", "/home/a b.txt\n/home/ü"),
      try desk.type("x-special/gnome-copied-files", "copy\nfile:///home/a%20b.txt"),
    ]
    // On X11, Qt adds a type to a list of files.
    let added = display == .x11 && toolkit == "qt5" ? ["text/x-moz-url"] : []
    try await check(files, adding: added, by: toolkit, on: desk)
  }

  /// Copies with the toolkit, compares the row, copies the row to the clipboard, and pastes it.
  private func check(
    _ types: [OfferedType], areLarge: Bool = false, adding added: [String] = [],
    by toolkit: String, on desk: ClipboardDesk
  ) async throws {
    let count = try await desk.rows().count
    let owner = try desk.own(types, by: toolkit)
    let row = try await desk.untilRows(count + 1, areLarge: areLarge)[0]
    let names = row.types.map(\.rawValue).filter { !added.contains($0) }
    // Mutter reports the types of a Wayland program in reverse order.
    let order = desk.display == .mutter ? types.reversed() : types
    #expect(names == order.map(\.name))
    for type in types {
      #expect(try desk.hash(of: row, type.name) == desk.hash(type.source), "\(type.name)")
    }
    try await desk.copy(row)
    owner.kill()
    // On a busy machine, a toolkit may cancel a paste: Qt 5 on Wayland waits only one second.
    try await ClipboardDesk.until(within: TestProgram.limit * (areLarge ? 2 : 1)) {
      guard let pasted = try? desk.pastedHashes(by: toolkit) else { return false }
      return try types.allSatisfy { try pasted[$0.name] == desk.hash($0.source) }
    }
  }
}
