import DragboardClient
import Foundation
import TestSupport
import Testing

/// Selected texts, which become rows of a board of their own.
@Suite(.serialized) struct SelectionTests {
  /// The displays that report the primary selection.
  static let displays = Display.all.filter { [.x11, .sway, .labwc, .kwin].contains($0) }

  private func set(_ property: String, _ value: String, on desk: ClipboardDesk) throws {
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", property, "<\(value)>")
  }

  @Test("Selected texts are stored on their own board if the user wants this", arguments: displays)
  func selectedTextsAreStoredOnTheirOwnBoard(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let editor = try desk.startFocusPeer("dragboard-editor")
    let keyboard = try desk.pressKeys()
    try editor.send("select 1")
    #expect(editor.nextLine() == "done")
    try editor.send("copy 1 keep")
    #expect(editor.nextLine() == "done")
    // Without the setting, only the copy is stored.
    try await desk.untilRows(1)
    #expect(try await !desk.connection.boards().contains { $0.info.name == "selections" })
    try set("StoresSelections", "true", on: desk)
    try editor.send("select 1")
    #expect(editor.nextLine() == "done")
    let board = try await desk.untilSelections(["dragboard-editor-3"])
    #expect(try await board.page(count: 1).rows.first?.source == "/clipboard")
    #expect(try await desk.rows().map(\.preview) == ["dragboard-editor-2"])
    try set("StoresSelections", "false", on: desk)
    try editor.send("select 1")
    #expect(editor.nextLine() == "done")
    try set("StoresSelections", "true", on: desk)
    try editor.send("select 1")
    #expect(editor.nextLine() == "done")
    try await desk.untilSelections(["dragboard-editor-5", "dragboard-editor-3"])
    for program in [editor, keyboard] { program?.kill() }
  }

  @Test("Only the last of several selections is stored", arguments: displays)
  func onlyTheLastOfSeveralSelectionsIsStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    try set("StoresSelections", "true", on: desk)
    let editor = try desk.startFocusPeer("dragboard-editor")
    let keyboard = try desk.pressKeys()
    if display == .x11 {
      // The button is pressed while the program claims the selection ten times.
      try desk.shell("xdotool mousemove 300 300 mousedown 1")
      try editor.send("select 10")
      #expect(editor.nextLine() == "done")
      try desk.shell("sleep 0.5; xdotool mouseup 1")
    } else {
      try editor.send("select 3")
      #expect(editor.nextLine() == "done")
    }
    try await desk.untilSelections(["dragboard-editor-\(display == .x11 ? 10 : 3)"])
    for program in [editor, keyboard] { program?.kill() }
  }

  @Test("A selection of an excluded application is not stored", arguments: displays)
  func aSelectionOfAnExcludedApplicationIsNotStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    try set("StoresSelections", "true", on: desk)
    try set("ExcludedApplications", "['dragboard-manager']", on: desk)
    let editor = try desk.startFocusPeer("dragboard-editor")
    let manager = try desk.startFocusPeer("dragboard-manager")
    let keyboard = try desk.pressKeys()
    for _ in 1...3 {
      try manager.send("select 1")
      #expect(manager.nextLine() == "done")
      // Longer than the time after which a selection is stored.
      try await Task.sleep(for: .milliseconds(2_500))
    }
    try manager.send("hide")
    #expect(manager.nextLine() == "hidden")
    try await Task.sleep(for: .milliseconds(1_500))
    try editor.send("select 1")
    #expect(editor.nextLine() == "done")
    try await desk.untilSelections(["dragboard-editor-1"])
    for program in [editor, manager, keyboard] { program?.kill() }
  }

  @Test("A selection with the mark of a secret is never requested")
  func aSelectionWithTheMarkOfASecretIsNeverRequested() async throws {
    let desk = try await ClipboardDesk(.x11)
    try set("StoresSelections", "true", on: desk)
    let owner = try desk.start(
      "printf secret | xclip -quiet -selection primary -t x-kde-passwordManagerHint")
    try await desk.until {
      (try? desk.shell("xclip -o -selection primary -t TARGETS"))?
        .contains("x-kde-passwordManagerHint") == true
    }
    owner.kill()
    let other = try desk.start("printf open | xclip -quiet -selection primary")
    try await desk.untilSelections(["open"])
    other.kill()
  }
}

extension ClipboardDesk {
  /// Waits until the board of selections has exactly these texts.
  @discardableResult
  func untilSelections(_ texts: [String], line: Int = #line) async throws -> Board {
    try await until(line: line) {
      guard let board = try? await self.connection.board(named: "selections") else { return false }
      return try await board.page(count: 100).rows.map(\.preview) == texts
    }
    return try await connection.board(named: "selections")
  }
}
