import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Regression: the files of a client's first call stayed open after the answer")
struct FirstCallKept {
  @Test("The files of a call that waited for the identification of its caller are closed")
  func files() throws {
    let daemon = try Daemon()
    let known = try daemon.client()
    #expect(try known.get(BoardInterface.count) == 0)
    let before = try Self.descriptors(of: daemon)
    let file = try TestFile.memory([0x61])
    expect(.unknownObject) {
      try daemon.client().call(
        DragSessionInterface.registerFile, at: "/org/dragboard/Dragboard1/session/9", 0,
        "text/plain", "all", file)
    }
    // The answered calls have been released by now.
    #expect(try known.get(BoardInterface.count) == 0)
    #expect(try Self.descriptors(of: daemon) == before)
  }

  private static func descriptors(of daemon: Daemon) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.id)/fd").sorted()
  }
}
