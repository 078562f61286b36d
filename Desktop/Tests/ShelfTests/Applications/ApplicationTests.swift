import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// Drags between the shelf and other applications.
  ///
  /// Each is repeated several times.
  @Suite("Drags with other applications", .enabled(if: Rounds.number != nil))
  struct ApplicationTests {
    /// A drag of a sample as a copy or a move, and the toolkit of the other program.
    struct PeerCase: CustomStringConvertible {
      let toolkit: Peer.Toolkit
      let sample: Sample
      let isMove: Bool
      var description: String {
        "\(toolkit.rawValue), \(sample.rawValue), \(isMove ? "move" : "copy")"
      }

      static let all = Peer.Toolkit.installed.flatMap { toolkit in
        Sample.allCases.flatMap { sample in
          [false, true].map { PeerCase(toolkit: toolkit, sample: sample, isMove: $0) }
        }
      }
      /// Under sway, a held key cannot request a move.
      static let incoming = all.filter { !$0.isMove || !WaylandScreen.isUsed }
    }

    @Test("A peer's drag is dropped at the pointer's position", arguments: PeerCase.incoming)
    func peerIn(_ drag: PeerCase) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let parts = try drag.sample.parts(in: desk.folder)
      let peer = try Peer(drag.toolkit, with: drag.sample, asksForMove: false, at: desk)
      try await Rounds("in, \(drag)", at: desk).run { picture in
        try await desk.dropIn(from: peer, asMove: drag.isMove, expecting: parts, picture)
      }
    }

    @Test("A row is dropped on a peer with all its types", arguments: PeerCase.all)
    func peerOut(_ drag: PeerCase) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let parts = try drag.sample.parts(in: desk.folder)
      let peer = try Peer(drag.toolkit, with: drag.sample, asksForMove: drag.isMove, at: desk)
      // Under sway, no key requests a move, so the row remains.
      let isMove = drag.isMove && !WaylandScreen.isUsed
      // There, a file is only copied without Shift, and this peer takes only moves.
      let isRefused =
        WaylandScreen.isUsed && drag.isMove && drag.sample == .file && drag.toolkit == .gtk4
      try await Rounds("out, \(drag)", at: desk).run { picture in
        guard !isRefused else {
          return try await desk.dropOutRefused(parts, on: peer, picture)
        }
        try await desk.dropOut(
          parts, on: peer, isMove: isMove, holding: isMove ? "Shift_L" : nil, picture)
      }
    }

    @Test("A row is moved within the shelf")
    func within() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try await Rounds("within, one of three rows to the end", at: desk).run { picture in
        let before = try await desk.fill(["one", "two", "three"].map(Sample.row))
        let place = Desk.gap(aboveRow: 3)
        try await desk.carry(row: 0, to: place)
        try await desk.hover(at: place, until: .move, row: 2)
        try picture("amid")
        try desk.screen.perform([.release])
        try await desk.until { try await desk.rows() == [before[1], before[2], before[0]] }
        try await desk.untilQuiet()
      }
    }

    @Test(
      "A drag that is cancelled over the shelf changes nothing", arguments: Desk.cancellable)
    func cancelledIn(_ toolkit: Peer.Toolkit) async throws {
      try await leavesNothing(toolkit, isIncoming: true) { desk, peer in
        let place = Desk.gap(aboveRow: 1)
        try desk.screen.carry(from: peer.prepareDrag(), to: place)
        try await desk.hover(at: place, until: .copy, row: 1)
      }
    }

    @Test(
      "A drag of a row that is cancelled over a peer changes nothing",
      arguments: Peer.Toolkit.installed)
    func cancelledOut(_ toolkit: Peer.Toolkit) async throws {
      try await leavesNothing(toolkit, isIncoming: false) { desk, peer in
        try await desk.carry(row: 0, to: peer.prepareDrop())
      }
    }

    /// Starts a drag between a peer and the shelf, cancels it, and checks that the rows have not
    /// changed.
    private func leavesNothing(
      _ toolkit: Peer.Toolkit, isIncoming: Bool, _ carry: (Desk, Peer) async throws -> Void
    ) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try Peer(toolkit, with: .text, asksForMove: !isIncoming, at: desk)
      let name = "\(isIncoming ? "in" : "out"), \(toolkit.rawValue), \(desk.cancellation)"
      try await Rounds(name, at: desk).run { picture in
        let before = try await desk.fill([Sample.row("one"), Sample.row("two")])
        try await carry(desk, peer)
        try picture("amid")
        try desk.cancelDrag()
        if isIncoming { try peer.untilCancelled() }
        try await desk.untilQuiet()
        try await desk.expect(rows: before)
      }
    }

    @Test(
      "An editor's text is dropped at the pointer's position", arguments: Editor.Kind.repeated,
      [false, true])
    func editorIn(_ kind: Editor.Kind, isMove: Bool) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let editor = try Editor(kind, at: desk)
      let name = "in, \(kind.rawValue) (\(kind.toolkit)), text, \(isMove ? "move" : "copy")"
      try await Rounds(name, at: desk).run { picture in
        try await desk.dropIn(from: editor, asMove: isMove, expecting: Editor.parts, picture)
      }
    }

    @Test(
      "A row is dropped on an editor", arguments: Editor.Kind.repeated, [false, true])
    func editorOut(_ kind: Editor.Kind, isMove: Bool) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let editor = try Editor(kind, at: desk)
      let parts = try Sample.text.parts(in: desk.folder)
      let name = "out, \(kind.rawValue) (\(kind.toolkit)), text, \(isMove ? "move" : "copy")"
      try await Rounds(name, at: desk).run { picture in
        try await desk.dropOut(
          parts, on: editor, isMove: isMove, holding: isMove ? "Shift_L" : "Control_L", picture)
      }
    }

    @Test(
      "A file manager's file is dropped at the pointer's position",
      arguments: FileManagerGuest.Kind.repeated)
    func fileIn(_ kind: FileManagerGuest.Kind) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let manager = try FileManagerGuest(kind, withFile: true, at: desk)
      try await Rounds("in, \(kind.rawValue) (\(kind.toolkit)), file, copy", at: desk).run {
        picture in
        try await desk.dropIn(from: manager, asMove: false, expecting: manager.parts, picture)
      }
    }

    @Test(
      "A file manager creates a file from a row", arguments: FileManagerGuest.Kind.repeated,
      [Sample.file, .image])
    func fileOut(_ kind: FileManagerGuest.Kind, sample: Sample) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let manager = try FileManagerGuest(kind, withFile: false, at: desk)
      for isMove in [false, true] {
        let name =
          "out, \(kind.rawValue) (\(kind.toolkit)), \(sample.rawValue), \(isMove ? "move" : "copy")"
        try await Rounds(name, at: desk).run { picture in
          try await desk.dropOut(
            sample.parts(in: desk.folder), on: manager, isMove: isMove,
            holding: isMove ? "Shift_L" : "Control_L", picture)
        }
      }
    }

    @Test("A file manager creates a text file from a text", arguments: FileManagerGuest.Kind.direct)
    func textOut(_ kind: FileManagerGuest.Kind) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let manager = try FileManagerGuest(kind, withFile: false, at: desk)
      try await Rounds("out, \(kind.rawValue) (\(kind.toolkit)), text, copy", at: desk).run {
        picture in
        try await desk.dropOut(
          Sample.text.parts(in: desk.folder), on: manager, isMove: false, picture)
        #expect(try manager.names.allSatisfy { $0.hasSuffix(".txt") })
      }
    }

    @Test(
      "A picture of a web page becomes a file with its name and bytes",
      arguments: FileManagerGuest.Kind.repeated)
    func webPictureOut(_ kind: FileManagerGuest.Kind) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let manager = try FileManagerGuest(kind, withFile: false, at: desk)
      let parts = try Sample.webPicture(in: desk.folder)
      try await Rounds("out, \(kind.rawValue) (\(kind.toolkit)), web picture, copy", at: desk).run {
        picture in
        try await desk.dropOut(parts, on: manager, isMove: false, holding: "Control_L", picture)
        #expect(try manager.names == ["Photo 1.jpg"])
      }
    }

    @Test(
      "Without a modifier key, a file manager copies the file of a row",
      arguments: FileManagerGuest.Kind.direct)
    func noModifier(_ kind: FileManagerGuest.Kind) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let manager = try FileManagerGuest(kind, withFile: false, at: desk)
      let name = "out, \(kind.rawValue) (\(kind.toolkit)), file, no key"
      try await Rounds(name, at: desk).run { picture in
        try await desk.dropOut(
          Sample.file.parts(in: desk.folder), on: manager, isMove: false, picture)
        #expect(FileManager.default.fileExists(atPath: "\(desk.folder)/Note 1.txt"))
      }
    }

    @Test("A board can remove rows after they were dragged out")
    func removal() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let editor = try Editor(.mousepad, at: desk)
      try desk.activate("remove-dragged-out")
      let parts = try Sample.text.parts(in: desk.folder)
      try await Rounds("out, mousepad (GTK 3), text, removed", at: desk).run { picture in
        let place = try await editor.prepareDrop()
        let before = try await desk.fill([Sample.row("one"), parts, Sample.row("two")])
        try await desk.carry(row: 1, to: place)
        try desk.screen.perform([.release])
        try await editor.untilReceived(parts)
        try await desk.until { try await desk.rows() == [before[0], before[2]] }
        try picture("removed")
        try desk.activate("undo")
        try await desk.until { try await desk.rows() == before }
      }
    }

    @Test(
      "A drag from a web page is dropped at the pointer's position",
      arguments: [Sample.html, .image])
    func pageIn(_ sample: Sample) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let browser = try Browser(with: sample, at: desk)
      try await Rounds("in, Firefox, \(sample.rawValue), copy", at: desk).run { picture in
        try await desk.dropIn(from: browser, asMove: false, expecting: browser.parts, picture)
      }
    }

    @Test("A row is dropped on a web page", arguments: Sample.allCases)
    func pageOut(_ sample: Sample) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let browser = try Browser(with: sample, at: desk)
      try await Rounds("out, Firefox, \(sample.rawValue), copy", at: desk).run { picture in
        try await desk.dropOut(
          sample.parts(in: desk.folder), on: browser, isMove: false, picture)
      }
    }
  }
}

extension Desk {
  /// Drags from another application to a position between two rows, and checks the rows afterwards.
  func dropIn(
    from guest: any Guest, asMove isMove: Bool, expecting parts: [Sample.Part],
    _ picture: (String) throws -> Void
  ) async throws {
    let before = try await step("the shelf does not show its rows") {
      try await fill([Sample.row("one"), Sample.row("two")])
    }
    let place = Self.gap(aboveRow: 1)
    try await step("the shelf proposes no place for the drag") {
      try await carry(from: guest, to: place, holding: isMove ? "Shift_L" : nil)
      try await hover(at: place, until: .copy, row: 1)
    }
    try picture("amid")
    try screen.perform([.release] + (isMove ? [.releaseKey("Shift_L")] : []))
    try await step("the program does not report the end of its drag") {
      try await guest.untilDelivered(asMove: isMove)
    }
    try await step("the drag does not end on the bus") { try await untilQuiet() }
    try await step("the board does not have the dropped row") {
      let rows = try await rows()
      guard rows.count == 3, [rows[0], rows[2]] == before else {
        throw TestProgram.Failure(description: "the rows are \(try await texts())")
      }
      try await step("the row lacks a type or has other bytes") {
        try await expect(rows[1], is: parts)
      }
    }
  }

  /// Drags the second of three rows to an application that does not take it, and checks that the drag
  /// is cancelled.
  func dropOutRefused(
    _ parts: [Sample.Part], on guest: any Guest, _ picture: (String) throws -> Void
  ) async throws {
    let place = try await guest.prepareDrop()
    let before = try await fill([Sample.row("one"), parts, Sample.row("two")])
    try await carry(row: 1, to: place)
    guard let session = try await connection.sessions().last?.session else {
      throw TestProgram.Failure(description: "the drag of the row has ended")
    }
    let events = try await session.events()
    try picture("amid")
    try screen.perform([.release])
    var end: DropOperation?
    for try await case .ended(let operation) in events { end = operation }
    guard end == .cancel else {
      throw TestProgram.Failure(description: "the drag has ended by \(end.map { "\($0)" } ?? "-")")
    }
    try await untilQuiet()
    try await expect(rows: before)
  }

  /// Drags the second of three rows to another application, and checks the rows afterwards.
  func dropOut(
    _ parts: [Sample.Part], on guest: any Guest, isMove: Bool, holding key: String? = nil,
    _ picture: (String) throws -> Void
  ) async throws {
    let place = try await guest.prepareDrop()
    let before = try await step("the shelf does not show its rows") {
      try await fill([Sample.row("one"), parts, Sample.row("two")])
    }
    try await step("the drag of the row does not begin") {
      try await carry(row: 1, to: place, holding: key)
    }
    try picture("amid")
    try screen.perform([.release])
    if let key {
      // Some applications check the modifier keys when they handle the drop. If no key is held,
      // they ask the user for an operation.
      try await untilQuiet()
      try screen.perform([.releaseKey(key)])
    }
    try await step("the program does not receive the content of the row") {
      try await guest.untilReceived(parts)
    }
    try await step("the drag does not end on the bus") { try await untilQuiet() }
    let after = isMove ? [before[0], before[2]] : before
    do {
      try await step("the board has other rows afterwards") {
        try await until { try await self.rows() == after }
      }
    } catch {
      guard try await rows() == [before[0], before[2]] else { throw error }
      throw FailedStep(words: "the row was moved instead of copied", cause: error)
    }
  }
}
