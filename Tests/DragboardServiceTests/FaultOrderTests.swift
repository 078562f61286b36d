import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The order of faults in section 13.1 of the specification, for callers of each kind.
@Suite(
  "The first of two faults is reported",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct FaultOrderTests {
  /// A call with two faults, and the fault that is reported.
  struct Case {
    let method: String
    let what: String
    /// The error for unsandboxed callers, and the error for other callers.
    let error, boxed: ErrorName
    let call: (FaultScene, FaultScene.Peer) throws -> OutgoingMessage

    init(
      _ method: String, _ what: String, _ error: ErrorName, boxed: ErrorName? = nil,
      _ call: @escaping (FaultScene, FaultScene.Peer) throws -> OutgoingMessage
    ) {
      (self.method, self.what, self.error, self.boxed) = (method, what, error, boxed ?? error)
      self.call = call
    }
  }

  @Test("Every caller gets the first fault of a call, and the call changes nothing")
  func order() throws {
    let scene = try FaultScene()
    let before = try scene.everything()
    for peer in scene.callers {
      for wrong in Self.cases {
        let what = "\(wrong.method), \(wrong.what), \(peer.kind)"
        switch peer.client.answers(to: [try wrong.call(scene, peer)])[0] {
        case .success: Issue.record("\(what): done")
        case .failure(let error):
          let expected = peer.kind == "unsandboxed" ? wrong.error : wrong.boxed
          #expect(error.name == expected, "\(what): \(error)")
          #expect(error.hasClearForm, "\(what): \(error)")
        }
      }
    }
    #expect(try scene.everything() == before)
  }

  /// The methods whose calls cannot have two faults of different ranks.
  private static let simple: Set = [
    "Manager.GetBoard", "Manager.GetDeletedBoards", "Board.GetRows", "Board.GetTexts",
    "Board.GetIndexPath", "Board.GetTypes", "Board.GetText", "Board.Search", "Board.FindRows",
    "Board.GetSnapshot",
    "Board.GetChanges", "Board.GetHistory", "Board.Clear", "Board.Erase", "DropTarget.CanHandle",
    "DragSession.GetTypes", "DragSession.GetSizes", "DragSession.GetPublicTypes",
    "DragSession.GetSuggestedName",
    "DragSession.GetAttributes", "View.Deselect", "View.SetReselect", "View.SetEditing",
    "View.Close",
  ]

  @Test("Every method of the contract has a case, or cannot have two faults")
  func coverage() throws {
    var methods: Set<String> = []
    for name in ["Manager", "Board", "DragSource", "DropTarget", "Views", "DragSession", "View"] {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(
          path: "../../Sources/DragboardInterface/Interfaces/\(Dragboard.busName).\(name).xml")
      for line in try InterfaceDocument(String(contentsOf: file, encoding: .utf8)).lines {
        let parts = line.split(separator: "/")
        guard parts.count > 1, parts[1].hasPrefix("method ") else { continue }
        methods.insert("\(name).\(parts[1].dropFirst("method ".count))")
      }
    }
    let covered = Set(Self.cases.map(\.method)).union(Self.simple)
    #expect(methods.subtracting(covered).sorted() == [])
    #expect(methods.count > 60)
  }
}
