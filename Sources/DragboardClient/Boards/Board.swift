import DBus
import DragboardInterface

/// A board of the daemon: an ordered list of rows in sections.
///
/// The value names the board and stores no state of the board. Every method calls the daemon, and
/// throws `noSuchBoard` if the board was deleted.
public struct Board: Sendable, Identifiable {
  /// The board's id, which does not change if the board is renamed.
  public let id: BoardID
  /// The connection over which the board is called.
  public let connection: DragboardConnection

  /// Names the board with an id.
  ///
  /// The board need not exist.
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

/// The conversion of an index to the wire.
///
/// A negative or too large index becomes an index that no board has. So the daemon refuses it with
/// an error that names the argument.
extension UInt32 {
  init(index: Int) { self.init(clamping: index < 0 ? Int(UInt32.max) : index) }
}

/// The conversion of the index of an insertion to the wire; nil means the end of the section.
extension Int32 {
  init(destination: Int?) {
    guard let destination else {
      self = -1
      return
    }
    self.init(clamping: destination < 0 ? Int(Int32.max) : destination)
  }
}
