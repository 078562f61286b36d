import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  @Test("Files are held out by the portal, too, where there is one", arguments: [true, false])
  func portal(isThere: Bool) async throws {
    let desk = try await Desk()
    let portal = isThere ? try desk.start([Peer.folder.appending(path: "file-portal").path]) : nil
    if let portal { #expect(portal.nextLine() == "serves") }
    try await desk.openShelf()
    let peer = try Peer(.gtk4, with: .text, asksForMove: false, at: desk)
    let file = try Sample.file.parts(in: desk.folder)
    _ = try await desk.fill([file, Sample.row("two")])
    try desk.screen.carry(from: Desk.middle(ofRow: 0), to: peer.open())
    for _ in 1...3 { try desk.screen.tremble(at: peer.open()) }
    try desk.screen.perform([.release])
    let got = peer.linesOfDrop()
    #expect(got.contains { $0.hasPrefix("got text/uri-list ") })
    let keys = got.filter { $0.hasPrefix("got application/vnd.portal.") }
    #expect(keys.isEmpty == !isThere)
    guard let portal else { return }
    // Of each name of the type: the key that the portal gave, and the file that it was given for it.
    #expect(
      Set(keys) == [
        "got application/vnd.portal.filetransfer \(Self.base64("1"))",
        "got application/vnd.portal.files \(Self.base64("2"))",
      ]
        || Set(keys) == [
          "got application/vnd.portal.files \(Self.base64("1"))",
          "got application/vnd.portal.filetransfer \(Self.base64("2"))",
        ])
    for _ in keys { #expect(portal.nextLine() == "added \(desk.folder)/Note 1.txt") }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
