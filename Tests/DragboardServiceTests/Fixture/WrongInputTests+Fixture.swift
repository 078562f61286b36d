import DBus
import DragboardInterface
import TestSupport
import Testing

extension WrongInputTests {
  /// An invalid call, the expected error, and words that its message must contain.
  struct Case {
    let what: String
    let call: OutgoingMessage
    let error: ErrorName
    let names: [String]

    init(_ what: String, _ call: OutgoingMessage, _ error: ErrorName, _ names: String...) {
      (self.what, self.call, self.error, self.names) = (what, call, error, names)
    }
  }

  /// A daemon with small limits, a board of two sections, and sessions of every kind.
  struct Fixture {
    let daemon: Daemon
    let client: BusClient
    let observer: BusClient
    /// Three rows: "a", "b", and a row that is neither editable nor movable.
    let items: [String]
    /// A session of "org.x" with one item of two types, a session of the observer, and an ended
    /// session.
    let session, own, ended: ObjectPath
    let unknownItem = "00000000-0000-8000-8000-000000000000"

    init() throws {
      daemon = try Daemon(
        "--max-rows", "6", "--max-sections", "3", "--max-boards", "3", "--max-items", "4",
        "--max-representation-bytes", "100", "--max-session-bytes", "150", "--max-bytes", "250",
        "--max-sessions", "5", "--max-sessions-per-application", "3")
      client = try daemon.client()
      observer = try daemon.client()
      items = try client.call(BoardInterface.insertTexts, 0, 0, ["a", "b", "c"])
      _ = try client.call(BoardInterface.setEditable, items[2], false)
      _ = try client.call(BoardInterface.setMovable, items[2], false)
      _ = try client.call(BoardInterface.insertSection, "second", -1)
      _ = try client.call(ManagerInterface.createBoard, at: Dragboard.root, "other")
      session = try client.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["t"])
      own = try observer.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "", ["t"])
      ended = try client.call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.x", ["t"])
      _ = try client.call(DragSessionInterface.cancel, at: ended)
      _ = (client.takeSignals(), observer.takeSignals())
    }

    /// Returns everything that the calls could have changed.
    func everything() throws -> [String] {
      var all = ["\(try observer.state())"]
      all.append("\(try observer.call(ManagerInterface.getBoard, at: Dragboard.root, "other"))")
      all.append("\(try observer.get(ManagerInterface.boards, at: Dragboard.root))")
      all.append("\(try observer.get(ManagerInterface.sessions, at: Dragboard.root))")
      for session in [session, own] {
        all.append("\(try observer.get(DragSessionInterface.itemCount, at: session))")
        all.append("\(try observer.get(DragSessionInterface.state, at: session))")
        all.append("\(try observer.get(DragSessionInterface.operation, at: session))")
        all.append("\(try observer.get(DragSessionInterface.allowsMove, at: session))")
        all.append("\(try observer.call(DragSessionInterface.getTypes, at: session, 0))")
      }
      return all
    }

    /// Makes every call, and compares the error with the expected error.
    func refuse(_ cases: [Case]) throws {
      let before = try everything()
      for wrong in cases {
        switch client.answers(to: [wrong.call])[0] {
        case .success: Issue.record("\(wrong.what): done")
        case .failure(let error):
          #expect(error.name == wrong.error, "\(wrong.what): \(error)")
          #expect(error.hasClearForm, "\(wrong.what): \(error)")
          for name in wrong.names {
            #expect(error.message.contains(name), "\(wrong.what): \(error)")
          }
        }
        #expect(try everything() == before, "\(wrong.what)")
      }
      #expect(observer.takeSignals().map(\.member) == [])
    }
  }
}
