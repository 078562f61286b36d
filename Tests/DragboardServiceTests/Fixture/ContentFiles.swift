import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// Returns the names of the content files of the daemon on a bus; empty if the directory does not
/// exist.
func contentFiles(in bus: PrivateBus) throws -> [String] {
  let folder = bus.home.appending(path: "data/dragboard/contents").path
  guard FileManager.default.fileExists(atPath: folder) else { return [] }
  return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

extension BusClient {
  /// Makes an edit that does not change any row.
  ///
  /// With `--undo-steps 1`, no earlier edit can be undone afterwards.
  func forgetUndo(of board: ObjectPath = BusClient.board) throws(DBusError) {
    for name in ["other", "main"] {
      _ = try call(BoardInterface.renameSection, at: board, 0, name)
    }
  }

  /// Waits until `count` content files are left.
  ///
  /// The daemon removes unused files between calls. The test fails after 30 seconds.
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
