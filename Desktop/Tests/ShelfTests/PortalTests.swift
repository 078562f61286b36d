import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Test("Files are also offered through the portal, if it exists", arguments: [true, false])
  func portal(exists: Bool) async throws {
    let desk = try await Desk()
    let portal = exists ? try desk.start([Peer.folder.appending(path: "file-portal").path]) : nil
    if let portal { #expect(portal.nextLine() == "serves") }
    try await desk.openShelf()
    let peer = try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
    // The shelf does not share the files of a row whose source is another application.
    let file = try Sample.file.parts(in: desk.folder)[0]
    try await desk.board.insert(file.bytes, as: file.type)
    try await desk.board.insert(["two"])
    try await desk.click(row: 1, of: try await desk.rows())
    try desk.screen.carry(from: Desk.middle(ofRow: 0), to: peer.prepareDrop())
    for _ in 1...3 { try desk.screen.tremble(at: peer.prepareDrop()) }
    try desk.screen.perform([.release])
    let got = peer.linesOfDrop()
    #expect(got.contains { $0.hasPrefix("got text/uri-list ") })
    let keys = got.filter { $0.hasPrefix("got application/vnd.portal.") }
    let types = keys.map { String($0.split(separator: " ")[1]) }
    let portalTypes = ["application/vnd.portal.files", "application/vnd.portal.filetransfer"]
    #expect(types.sorted() == (exists ? portalTypes : []))
    for line in keys {
      let words = line.split(separator: " ")
      let data = try #require(Data(base64Encoded: String(words[2])))
      #expect(try Self.files(for: data, at: desk) == "(['\(desk.folder)/Note 1.txt'],)")
    }
  }

  @Test("A drag that offers only a key of the portal becomes the addresses of its files")
  func portalIn() async throws {
    let desk = try await Desk()
    let portal = try desk.start([Peer.folder.appending(path: "file-portal").path, "/tmp/a b.txt"])
    #expect(portal.nextLine() == "serves")
    try await desk.openShelf()
    let peer = try desk.start("drag-peer", "copy", "application/vnd.portal.filetransfer|given")
    _ = try desk.screen.place(windowTitled: "^Peer$", at: (550, 50), width: 300, height: 400)
    try desk.drag(from: (700, 150), to: (150, 450))
    try await desk.drop(when: .copy)
    try await desk.until { try await desk.board.info().count == 1 }
    let row = try await desk.rows()[0]
    #expect(try await desk.board.types(of: row) == [.uriList])
    let bytes = try await desk.board.file(of: row, as: .uriList).bytes()
    #expect(String(decoding: bytes, as: UTF8.self) == "file:///tmp/a%20b.txt\r\n")
    #expect(peer.nextLine() == "ended copy")
  }

  /// Returns the portal's answer for a key, as a sandboxed application receives it.
  private static func files(for key: Data, at desk: Desk) throws -> String {
    try desk.run(
      "gdbus", "call", "--session", "--dest", "org.freedesktop.portal.Documents",
      "--object-path", "/org/freedesktop/portal/documents", "--method",
      "org.freedesktop.portal.FileTransfer.RetrieveFiles",
      String(decoding: key.prefix { $0 != 0 }, as: UTF8.self), "{}")
  }
}
