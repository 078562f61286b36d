import DBus
import DragboardInterface
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

/// A type could be any two tokens of RFC 2045, which can contain a shell command.
@Suite("Regression: a type could contain shell syntax")
struct TypesWithShellSyntax {
  static let type = "x/${a-`wl-paste|sh`}"

  @Test("No call accepts a type with shell syntax")
  func refusal() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    expect(.invalidArgs, naming: "type") { try client.register(Self.type, "x", of: session) }
    expect(.invalidArgs, naming: "type") {
      _ = try client.call(BoardInterface.insertData, 0, 0, Self.type, [1])
    }
    expect(.invalidArgs, naming: "types") {
      try client.call(BoardInterface.setAcceptedTypes, [Self.type])
    }
  }

  @Test("A stored row whose type has shell syntax is listed, read, dragged and dropped")
  func storedRow() throws {
    let daemon = try Daemon()
    let row = try store(Self.type, on: daemon)
    let client = try daemon.client()
    #expect(try client.call(BoardInterface.getTypes, row) == [Self.type])
    #expect(try client.call(BoardInterface.getData, row, Self.type) == [0x78])
    #expect(try client.call(BoardInterface.getData, row, "X/*") == [0x78])
    #expect(try client.get(BoardInterface.acceptedTypes) == [Self.type])
    let session = try client.call(DragSourceInterface.beginDrag, "org.source", [row])
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == [Self.type])
    #expect(try client.call(DragSessionInterface.canLoad, at: session, Self.type))
    #expect(try client.call(DragSessionInterface.loadData, at: session, 0, Self.type) == [0x78])
    let copy = try #require(try client.drop(session).items.first)
    #expect(try client.call(BoardInterface.getTypes, copy) == [Self.type])
  }

  /// Stores a row of that type, and a board that accepts it, as an earlier release did.
  private func store(_ type: String, on daemon: Daemon) throws -> String {
    let client = try daemon.client()
    let row = try client.call(BoardInterface.insertData, 0, 0, "x/y", [0x78])
    try client.call(BoardInterface.setAcceptedTypes, ["x/y"])
    #expect(daemon.terminate() == .exited(0))
    do {
      let folder = daemon.bus.home.path + "/data/dragboard"
      let lock = try StoreLock(directory: folder, timeout: .seconds(5))
      try Database(path: folder + "/boards.db", holding: lock).execute(
        """
        UPDATE representation SET type = '\(type)' WHERE type = 'x/y';
        UPDATE board SET accepted_types = '\(type)'
        """)
    }
    try daemon.start()
    return row
  }
}
