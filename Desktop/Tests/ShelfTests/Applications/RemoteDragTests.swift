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
}

extension Desk {
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
