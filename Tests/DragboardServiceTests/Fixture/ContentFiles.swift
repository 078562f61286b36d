import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The files of large contents that lie beside the database on that bus, by name; [] where nothing
/// has ever been large.
func contentFiles(in bus: PrivateBus) throws -> [String] {
  let folder = bus.home.appending(path: "data/dragboard/contents").path
  guard FileManager.default.fileExists(atPath: folder) else { return [] }
  return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

extension BusClient {
  /// Makes an edit that does not change any row: with `--undo-steps 1` no earlier edit can be
  /// undone.
  func forgetUndo(of board: ObjectPath = BusClient.board) throws(DBusError) {
    for name in ["other", "main"] {
      _ = try call(BoardInterface.renameSection, at: board, 0, name)
    }
  }

  /// Waits until `count` files of large contents are left on that bus.
  ///
  /// Unused files are removed a little later, between calls. The test fails after 30 seconds.
  func waitForContentFiles(
    _ count: Int, on bus: PrivateBus, at location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    var files = try contentFiles(in: bus)
    while files.count != count {
      try #require(ContinuousClock.now < deadline, "\(files)", sourceLocation: location)
      _ = try get(ManagerInterface.dragging, at: Dragboard.root)
      files = try contentFiles(in: bus)
    }
  }
}
