import TestSupport
import Testing

@testable import DBus

@Suite("Regression: the bus closed the connection for a path that begins like the reserved path")
struct PathsLikeTheReservedOne {
  @Test(
    "A call of a path that begins like the reserved path is refused, and the connection stays open",
    arguments: [
      "/org/freedesktop/DBus/Local", "/org/freedesktop/DBus/Local2",
      "/org/freedesktop/DBus/Localhost/a", "/org/freedesktop/DBus/Local/b",
    ] as [ObjectPath])
  func refused(path: ObjectPath) async throws {
    #expect(path.isReservedForLibrary)
    let message = OutgoingMessage.call("Member", of: nil, at: path, to: nil)
    #expect(message.refusal?.name == .invalidArgs)
    let bytes = try #require(message.wire(serial: 1))
    #expect(bytes.withUnsafeBytes { Message(wire: $0) } == nil, "libdbus reads it after all")
  }

  @Test("A call of another path is not refused")
  func others() throws {
    for path in ["/org/freedesktop/DBus/Loca", "/org/freedesktop/DBus", "/a"] as [ObjectPath] {
      #expect(!path.isReservedForLibrary)
      #expect(OutgoingMessage.call("Member", of: nil, at: path, to: nil).refusal == nil)
    }
  }
}
