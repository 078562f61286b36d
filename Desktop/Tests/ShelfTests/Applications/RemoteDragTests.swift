import DragboardClient
import Foundation
import Synchronization
import TestSupport
import Testing

extension ShelfTests.ApplicationTests {
  @Test(
    "A promise on another machine is dropped through the shelf on an editor",
    arguments: Editor.Kind.repeated)
  func remotePromise(_ kind: Editor.Kind) async throws {
    let (anna, desk) = (try await Desk(), try await Desk())
    let links = try await desk.link(with: anna)
    defer { for link in links { link.kill() } }
    try await desk.openShelf()
    let editor = try Editor(kind, at: desk)
    let name = "out, \(kind.rawValue) (\(kind.toolkit)), promise of another machine"
    try await Rounds(name, at: desk).run { picture in
      let place = try await editor.prepareDrop()
      let loads = Mutex(0)
      let drag = try await anna.connection.beginDrag([
        DragItem([
          .init(
            .plainText,
            .promise(
              Promise { writer in
                loads.withLock { $0 += 1 }
                try writer.write(Array("promised on anna".utf8))
              }))
        ])
      ])
      try await desk.carryChip(to: place)
      try picture("amid")
      let early = loads.withLock(\.self)
      // Qt reads the data as soon as the pointer is over its window.
      #expect(early == 0 || kind == .featherpad)
      try desk.screen.perform([.release])
      try await editor.untilReceived([
        Sample.Part(type: .plainText, bytes: Array("promised on anna".utf8))
      ])
      let outcome = try await drag.outcome()
      #expect(outcome.operation == .copy)
      #expect(outcome.loaded == [0])
      try await desk.untilQuiet()
    }
  }

  /// The size of the file that another machine drags, in MiB.
  private static let fileSize =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_FILE_MIB"].flatMap(Int.init) ?? 1_024

  @Test(
    "A file on another machine is dropped through the shelf on a file manager, with progress and Cancel",
    .enabled(if: !WaylandScreen.isUsed))
  func remoteFile() async throws {
    let (anna, desk) = (try await Desk(), try await Desk())
    let links = try await desk.link(with: anna)
    defer { for link in links { link.kill() } }
    try anna.run("dragboard", "link", "drags", "files")
    let path = "\(anna.folder)/large.bin"
    try anna.run("sh", "-c", "head -c \(Self.fileSize)M /dev/urandom > \"$HOME/large.bin\"")
    let reader = try ScreenReader(at: desk)
    try await desk.board.settings.setAcceptedTypes([.any])
    try await desk.openShelf(with: reader.variables)
    let manager = try FileManagerGuest(.thunar, withFile: false, at: desk)
    let name = "out, thunar (GTK 3), file of \(Self.fileSize) MiB of another machine"
    try await Rounds(name, at: desk).run { picture in
      let place = try await manager.prepareDrop()
      let cancelled = try await anna.dragFile(path)
      try await desk.carryChip(to: place)
      try await reader.click("push button", "Cancel: Sending one item")
      try desk.screen.perform([.release])
      #expect(try await cancelled.outcome().operation == .cancel)
      try await desk.untilQuiet()
      #expect(try manager.names == [])

      let start = ContinuousClock.now
      let drag = try await anna.dragFile(path)
      try await desk.carryChip(to: place)
      try await reader.wait(for: "progress bar", "Sending one item")
      try picture("amid")
      // Thunar accepts the drop when it has the address of the file, that is, when the file has arrived.
      try await desk.until {
        try !reader.controls().contains { $0.name.hasPrefix("Sending one item") }
      }
      for _ in 1...15 { try desk.screen.tremble(at: place) }
      try desk.screen.perform([.release])
      let outcome = try await drag.outcome()
      #expect(outcome.operation == .copy)
      #expect(outcome.loaded == [0])
      try await desk.until {
        guard let file = try manager.files().first else { return false }
        return (try? desk.run("cmp", path, file.path)) != nil
      }
      print("\(name): \(ContinuousClock.now - start)")
      try await desk.untilQuiet()
    }
  }
}

extension Desk {
  /// Inserts a row with the address of a file, and drags it, as the shelf does.
  fileprivate func dragFile(_ path: String) async throws -> ActiveDrag {
    let item = DragItem([.init(.uriList, .data(Array("file://\(path)\r\n".utf8)))])
    let drop = try await connection.beginDrag([item], as: "org.dragboard.Shelf.Drop").session
    let row = try await board.dropTarget.perform(drop.id, inSection: 0, as: "tests").items[0]
    return try await board.beginDrag(of: [row], as: "org.dragboard.Shelf")
  }

  /// Connects this desktop as "bert" and another desktop as "anna", over a server of their own.
  ///
  /// - Returns: the server and the links.
  fileprivate func link(with anna: Desk) async throws -> [TestProgram] {
    let server = try start(
      "/usr/sbin/nats-server", "-js", "-a", "127.0.0.1", "-p", "-1", "-sd", "\(folder)/nats",
      "--ports_file_dir", folder)
    var url = ""
    try await until {
      let names = try FileManager.default.contentsOfDirectory(atPath: self.folder)
      guard let name = names.first(where: { $0.hasPrefix("nats-server") }) else { return false }
      let ports = try String(contentsOfFile: "\(self.folder)/\(name)", encoding: .utf8)
      guard let found = ports.firstMatch(of: /nats:\/\/127\.0\.0\.1:\d+/) else { return false }
      url = String(found.0)
      return true
    }
    // The server listens before JetStream is ready.
    try await until {
      (try? anna.run("dragboard", "link", "setup", url, "--name", "anna")) != nil
    }
    let line = try anna.run("dragboard", "link", "invite")
    try run("dragboard", "link", "join", line, "--name", "bert")
    return [server] + (try [anna, self].map { try $0.start("dragboard-link", "run") })
  }

  /// Drags the chip of the only waiting drag over the list, and from there to another application.
  ///
  /// The drag is repeated, because the shelf may not have shown the chip yet.
  fileprivate func carryChip(to place: Point) async throws {
    let list = (x: 150, y: 400)
    try await until {
      guard
        let remote = try await self.connection.sessions().first(where: {
          $0.info.machine == "anna"
        })
      else { return false }
      try self.drag(from: (150, 520), to: list)
      if try await self.isProposed(remote.session) { return true }
      try self.screen.perform([.release])
      return false
    }
    try move(from: list, to: place)
    // On a busy machine, an application accepts a drag late, and a drop before that is refused.
    for _ in 1...15 { try screen.tremble(at: place) }
  }
}
