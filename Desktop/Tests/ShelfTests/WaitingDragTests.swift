import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// Drags that a script begins and a person finishes with the pointer.
  @Suite("Drags that wait on the bus") struct WaitingDragTests {
    /// The only chip, at the lower edge of the shelf's window.
    private let chip = (x: 150, y: 520)
    /// The button of the chip that drops the drag on the board.
    private let button = (x: 303, y: 520)
    /// The button of the chip that dismisses the drag.
    private let dismissal = (x: 340, y: 520)
    /// A point in the drop target of the other application.
    private let target = (x: 650, y: 350)
    /// A point below all rows.
    private let end = (x: 150, y: 400)

    private func peer(on desk: Desk) throws -> TestProgram {
      let peer = try desk.start("drag-peer", "copy", "text/plain|peer")
      let window = try desk.window(named: "Peer")
      try desk.run("xdotool", "windowmove", "--sync", window, "500", "50")
      return peer
    }

    /// Begins a drag, and drags its chip over the list until the board proposes an operation.
    ///
    /// The drag is repeated, because the shelf may not have shown the chip yet.
    private func pickUp(_ items: [DragItem], on desk: Desk) async throws -> ActiveDrag {
      let drag = try await desk.connection.beginDrag(items, as: "org.example.Script")
      try await desk.until {
        try desk.drag(from: chip, to: end)
        if try await desk.isProposed(drag.session) { return true }
        try desk.run("xdotool", "mouseup", "1")
        return false
      }
      return drag
    }

    /// Checks that the source's drag has ended as a copy, and that the source has delivered these
    /// items.
    private func expectCopy(of drag: ActiveDrag, items: [Int] = [0]) async throws {
      let outcome = try await drag.outcome()
      #expect(outcome.operation == .copy)
      #expect(outcome.loaded == items)
      #expect(outcome.failed.isEmpty)
    }

    private let item = DragItem([
      .init("text/html", .data(Array("<b>Hi</b>".utf8))),
      .init(.plainText, .data(Array("Hi".utf8))),
    ])

    @Test("A drag is dropped into another application with all types, and ends as a copy")
    func dropOut() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer(on: desk)
      let drag = try await pickUp([item], on: desk)
      try desk.move(from: end, to: target)
      try desk.run("xdotool", "mouseup", "1")
      #expect(peer.nextLine() == "got text/html <b>Hi</b>")
      #expect(peer.nextLine() == "got text/plain;charset=utf-8 Hi")
      try await expectCopy(of: drag)
      #expect(try await desk.connection.sessions().isEmpty)
    }

    @Test("Several texts are dropped as one text")
    func several() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let peer = try peer(on: desk)
      let drag = try await pickUp([.text("one"), .text("two")], on: desk)
      try desk.move(from: end, to: target)
      try desk.run("xdotool", "mouseup", "1")
      #expect(peer.nextLine() == "got text/plain;charset=utf-8 one\\ntwo")
      try await expectCopy(of: drag, items: [0, 1])
    }

    @Test("A drag is dropped on the board at the pointer's position")
    func dropIn() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      try desk.run("dragboard", "add", "one", "two")
      let drag = try await pickUp([item], on: desk)
      try desk.move(from: end, to: (150, 58))
      try await desk.drop(when: .copy)
      try await desk.untilTexts(["Hi", "one", "two"])
      try await expectCopy(of: drag)
      let types = try await desk.board.row(at: RowPosition(section: 0, row: 0)).types
      #expect(types == ["text/html", .plainText])
    }

    @Test("A drag that is dropped outside of all targets keeps waiting")
    func droppedNowhere() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let drag = try await pickUp([item], on: desk)
      try desk.move(from: end, to: (900, 650))
      var events = drag.events.makeAsyncIterator()
      while let event = try await events.next() {
        if case .exited = event { break }
      }
      try desk.run("xdotool", "mouseup", "1")
      #expect(try await drag.session.info().state == .active)
      try desk.run("dragboard", "cancel", "\(drag.session.id)")
    }

    @Test("The button of a chip drops the drag on the board")
    func putByButton() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let drag = try await desk.connection.beginDrag([item], as: "org.example.Script")
      try await desk.until {
        try desk.run("xdotool", "mousemove", "\(button.x)", "\(button.y)", "click", "1")
        return try await desk.texts() == ["Hi"]
      }
      try await expectCopy(of: drag)
    }

    @Test("A chip shows the name, the type and the application in words")
    func words() async throws {
      let desk = try await Desk()
      let applications = "\(try #require(desk.environment["XDG_DATA_HOME"]))/applications"
      try FileManager.default.createDirectory(
        atPath: applications, withIntermediateDirectories: true)
      try """
      [Desktop Entry]
      Type=Application
      Name=Scanner
      Exec=true
      """.write(
        toFile: "\(applications)/org.example.Scanner.desktop", atomically: true, encoding: .utf8)
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let page = DragItem(
        suggestedName: "Report.pdf", [.init("application/pdf", .data(Array("%PDF".utf8)))])
      _ = try await desk.connection.beginDrag([page], as: "org.example.Scanner")
      try await reader.wait(for: "label", "Report.pdf")
      try await reader.wait(for: "label", "PDF document · from Scanner")
      _ = try await desk.connection.beginDrag([page, page, page], as: "org.example.Other")
      try await reader.wait(for: "label", "Report.pdf and 2 more")
      try await reader.wait(for: "push button", "Dismiss Report.pdf and 2 more")
    }

    @Test("A chip is dismissed by its other button, and the drag ends")
    func dismissal() async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let drag = try await desk.connection.beginDrag([item], as: "org.example.Script")
      try await desk.until {
        try desk.run("xdotool", "mousemove", "\(dismissal.x)", "\(dismissal.y)", "click", "1")
        return try await desk.connection.sessions().isEmpty
      }
      #expect(try await drag.outcome().operation == .cancel)
      #expect(try await desk.texts() == [])
    }

    @Test("A dismissed chip is hidden if only the source can cancel the drag, which continues")
    func hiding() async throws {
      let desk = try await Desk()
      let reader = try ScreenReader(at: desk)
      try await desk.openShelf(with: reader.variables)
      let drag = try desk.start("dragboard", "drag", "of a process")
      let button = try await reader.wait(for: "push button", "Dismiss")
      func isShown() throws -> Bool {
        try reader.controls().contains { $0.role == button.role && $0.name == button.name }
      }
      try await reader.click(button.role, button.name)
      try await desk.until { try !isShown() }
      #expect(try await desk.connection.sessions().map(\.info.state) == [.active])
      // The list is read again for each later drag.
      let later = DragItem(suggestedName: "later", [.init(.plainText, .data(Array("x".utf8)))])
      _ = try await desk.connection.beginDrag([later], as: "org.example.Script")
      try await reader.wait(for: button.role, "Dismiss later")
      #expect(try !isShown())
      drag.kill()
    }
  }
}
