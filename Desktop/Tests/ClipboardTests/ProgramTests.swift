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

  @Test(arguments: [1, 70_000, 64 << 20])
  func oneTypeOfXclipIsStoredAndPasted(_ byteCount: Int) async throws {
    try await check("xclip -quiet -selection clipboard -t image/png", byteCount, on: .x11)
  }

  @Test(.enabled(if: Display.all.contains(.sway)), arguments: [1, 70_000, 64 << 20])
  func oneTypeOfWlCopyIsStoredAndPasted(_ byteCount: Int) async throws {
    try await check("wl-copy --foreground --type image/png", byteCount, on: .sway)
  }

  private func check(_ command: String, _ byteCount: Int, on display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let type = try desk.type("image/png", byteCount: byteCount)
    let owner = try desk.start("\(command) < \(type.source)")
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == [.png])
    #expect(try desk.hash(of: row, type.name) == desk.hash(type.source))
    try await desk.copy(row)
    #expect(try desk.pastedHash(type.name) == desk.hash(type.source))
    owner.kill()
  }
}
