import DBus
import DragboardInterface

/// A board of the daemon: an ordered list of rows in sections.
///
/// The value names the board and has nothing of its state. Every method is a call of the daemon, and
/// throws `noSuchBoard` if the board was deleted.
public struct Board: Sendable, Identifiable {
  /// The board's id, which stays when the board is renamed.
  public let id: BoardID
  /// The connection over which the board is called.
  public let connection: DragboardConnection

  /// The board of that id, whether or not there is one.
  public init(_ id: BoardID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  init(_ path: ObjectPath, on connection: DragboardConnection) {
    self.init(BoardID(path), on: connection)
  }
}

extension Board: RemoteObject {
  var objectPath: ObjectPath { id.objectPath }
}

/// An index on the wire. One that is out of its range becomes an index that no board has: the daemon
/// refuses it by name.
extension UInt32 {
  init(index: Int) { self.init(clamping: index < 0 ? Int(UInt32.max) : index) }
}

/// An index to insert at on the wire; nil is the end.
extension Int32 {
  init(destination: Int?) {
    guard let destination else {
      self = -1
      return
    }
    self.init(clamping: destination < 0 ? Int(Int32.max) : destination)
  }
}
