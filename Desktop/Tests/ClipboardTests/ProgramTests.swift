import DragboardClient
import Foundation
import TestSupport
import Testing

/// Copies and pastes of real programs.
@Suite(.serialized) struct ProgramTests {
  private static let text = "Grüße\nfrom a program"

  @Test(
    "A text of an X program is stored",
    arguments: ["xclip -quiet -selection clipboard", "xsel --nodetach -bi"])
  func aTextOfAnXProgramIsStored(_ command: String) async throws {
    let desk = try await ClipboardDesk(.x11)
    let path = try desk.file(Array(Self.text.utf8))
    let owner = try desk.start("\(command) < \(path)")
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().text(of: row.id) == Self.text)
    owner.kill()
    // At first, the clipboard is empty.
    try await desk.until { (try? desk.offeredNames())?.contains("TEXT") == true }
    for paste in ["xclip -o -selection clipboard", "xsel -bo"] {
      #expect(try desk.shell(paste) == Self.text)
    }
  }

  /// Returns a command that copies a text and runs until another program copies.
  private static func copy(_ number: Int, on display: Display) -> String {
    let text = "printf 'copy \(number)'"
    return switch display {
    case .x11, .openbox: "\(text) | xclip -quiet -selection clipboard 2>/dev/null"
    case .sway: "\(text) | wl-copy --foreground"
    case .ext, .labwc, .kwin:
      "\(text) > ~/\(number); exec clipboard-peer 'text/plain;charset=utf-8'=$HOME/\(number)"
    case .mutter, .lockableMutter, .gnomeShell, .gnomeExtension:
      "\(text) > ~/\(number); exec \(ClipboardDesk.mutterPeer) own"
        + " 'text/plain;charset=utf-8'=$HOME/\(number)"
    }
  }

  @Test("Each of a hundred copies is stored", arguments: Display.all)
  func eachOfAHundredCopiesIsStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    var programs: [TestProgram] = []
    for number in 1...100 {
      let owner = try desk.start(Self.copy(number, on: display))
      try await desk.untilRows(number)
      programs.append(owner)
    }
    let texts = try await desk.board().texts(count: 200)
    #expect(texts == (1...100).reversed().map { "copy \($0)" })
  }

  /// If copies follow each other closely, a superseded copy may be missing, but every stored copy
  /// is correct.
  @Test("The last of a hundred quick copies is stored", arguments: Display.all)
  func theLastOfAHundredQuickCopiesIsStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let commands = (1...100).map { "(\(Self.copy($0, on: display))) >/dev/null & sleep 0.03" }
    let remaining = "$(jobs -rp | wc -l)"
    let owners = try desk.start(
      commands.joined(separator: "\n")
        + "\nwhile ((\(remaining) > 1)); do sleep 0.1; done; echo one; wait")
    // Every program but the last owner exits. On a busy machine, any of them may be the last.
    try await desk.until { owners.nextLine() == "one" }
    let pasted = try desk.pastedHash(display == .x11 ? "UTF8_STRING" : "text/plain;charset=utf-8")
    try await desk.until {
      guard let row = try await desk.rows().first else { return false }
      return try desk.hash(of: row, "text/plain;charset=utf-8") == pasted
    }
    let numbers = try await desk.board().texts(count: 200).compactMap {
      Int($0.split(separator: " ")[1])
    }
    #expect(numbers.count == Set(numbers).count)
    #expect(Set(numbers).isSubset(of: 1...100))
    owners.kill()
  }

  @Test("A text of wl-copy is stored", .enabled(if: Display.all.contains(.sway)))
  func aTextOfWlCopyIsStored() async throws {
    let desk = try await ClipboardDesk(.sway)
    let path = try desk.file(Array(Self.text.utf8))
    let owner = try desk.start("wl-copy --foreground < \(path)")
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == [.plainText])
    #expect(try await desk.board().text(of: row.id) == Self.text)
    owner.kill()
    // At first, the clipboard is empty.
    try await desk.until { (try? desk.offeredNames())?.contains("TEXT") == true }
    #expect(try desk.shell("wl-paste -n") == Self.text)
  }

  @Test("One type of xclip is stored and pasted", arguments: [1, 70_000, 64 << 20])
  func oneTypeOfXclipIsStoredAndPasted(_ byteCount: Int) async throws {
    try await check("xclip -quiet -selection clipboard -t image/png", byteCount, on: .x11)
  }

  @Test(
    "One type of wl-copy is stored and pasted", .enabled(if: Display.all.contains(.sway)),
    arguments: [1, 70_000, 64 << 20])
  func oneTypeOfWlCopyIsStoredAndPasted(_ byteCount: Int) async throws {
    try await check("wl-copy --foreground --type image/png", byteCount, on: .sway)
  }

  private func check(_ command: String, _ byteCount: Int, on display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let type = try desk.type("image/png", byteCount: byteCount)
    let owner = try desk.start("\(command) < \(type.source)")
    let row = try await desk.untilRows(1, areLarge: byteCount > 1 << 20)[0]
    #expect(row.types == [.png])
    #expect(try desk.hash(of: row, type.name) == desk.hash(type.source))
    try await desk.copy(row)
    #expect(try desk.pastedHash(type.name) == desk.hash(type.source))
    owner.kill()
  }
}
