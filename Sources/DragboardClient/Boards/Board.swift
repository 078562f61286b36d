import DBus
import DragboardInterface

/// A board on the daemon: an ordered list of rows in sections.
///
/// A value that names the board and holds nothing of it; it is as good as its connection. Every method is a question to the daemon, and
/// throws `noSuchBoard` where the board is gone.
public struct Board: Sendable, Identifiable {
  /// The board's id, which stays when the board is renamed.
  public let id: BoardID
  /// Where it is asked.
  public let connection: DragboardConnection

  /// The board of that id, whether or not there is one.
  public init(_ id: BoardID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  init(_ path: ObjectPath, on connection: DragboardConnection) {
    self.init(BoardID(path), on: connection)
  }

  func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    timeout: Duration? = DragboardConnection.patience, _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    try await connection.reply(
      to: method, at: id.objectPath, timeout: timeout, repeat each arguments
    ).values
  }
}

/// A number as the wire takes it; one that is none there becomes one that no board has, so that the daemon refuses it by name.
extension UInt32 {
  init(index: Int) { self.init(clamping: index < 0 ? Int(UInt32.max) : index) }
}

/// A place to insert at as the wire takes it, where nil is the end.
extension Int32 {
  init(destination: Int?) {
    guard let destination else {
      self = -1
      return
    }
    self.init(clamping: destination < 0 ? Int(Int32.max) : destination)
  }
}
