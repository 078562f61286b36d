import DBus
import DragboardInterface

/// A drag session on the daemon: one drag, from pick-up to conclusion.
///
/// A value that names the session and holds nothing of it. Every method is a question to the daemon, and throws `noSuchSession` where the
/// session ended more than a minute ago.
public struct DragSession: Sendable, Identifiable {
  /// The session's number.
  public let id: SessionID
  /// Where it is asked.
  public let connection: DragboardConnection

  /// The session of that number, whether or not there is one.
  public init(_ id: SessionID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  // MARK: Either side

  /// Who drags, how far it has come, and what may be done with it.
  public func info() async throws(DragboardError) -> SessionInfo {
    try await SessionInfo(properties(of: DragSessionInterface.name))
  }

  /// What the caller may see of an item's types, in order of fidelity.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func types(ofItem item: Int) async throws(DragboardError) -> [ContentType] {
    try await call(DragSessionInterface.getTypes, UInt32(index: item)).map { ContentType($0) }
  }

  /// Whether at least one item has a representation that conforms to `type`.
  ///
  /// - Throws: `sessionEnded`, `invalidArguments`.
  public func canLoad(_ type: ContentType) async throws(DragboardError) -> Bool {
    try await call(DragSessionInterface.canLoad, type.rawValue)
  }

  /// What a file of the item would be called; "" where nobody has said.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func suggestedName(ofItem item: Int) async throws(DragboardError) -> String {
    try await call(DragSessionInterface.getSuggestedName, UInt32(index: item))
  }

  /// What happens to the session from now on.
  ///
  /// It ends when the session does; at once where the session has ended.
  public func events() async throws(DragboardError) -> Events<SessionEvent> {
    try await connection.events(of: id)
  }

  // MARK: Source side

  /// Says whether a drop may move; true at the beginning.
  ///
  /// - Throws: `accessDenied` where the caller is not the source; `sessionEnded`.
  public func setAllowsMove(_ allowsMove: Bool) async throws(DragboardError) {
    try await set(DragSessionInterface.allowsMove, to: allowsMove)
  }

  /// Says whether only the source may take the drop; false at the beginning.
  ///
  /// - Throws: `accessDenied` where the caller is not the source; `sessionEnded`.
  public func setRestrictedToApplication(_ isRestricted: Bool) async throws(DragboardError) {
    try await set(DragSessionInterface.restrictedToApplication, to: isRestricted)
  }

  /// Ends the session without a drop, or breaks off a drop that is still loading.
  ///
  /// - Throws: `accessDenied` where the caller is not the source; `sessionEnded`.
  public func cancel() async throws(DragboardError) {
    try await call(DragSessionInterface.cancel)
  }

  // MARK: Destination side

  /// Takes the drop: from then on this client alone may load, until it has finished.
  ///
  /// - Parameters:
  ///   - operation: copy or move.
  ///   - application: the identity of the destination.
  /// - Returns: the drop, with what was granted; where that is `forbidden` the session has ended.
  /// - Throws: `sessionEnded`, `invalidArguments`, `accessDenied`.
  public func accept(
    _ operation: DropOperation = .copy, as application: Application = .thisConnection
  ) async throws(DragboardError) -> AcceptedDrop {
    let granted = try await call(
      DragSessionInterface.accept, application.id, operation.rawValue)
    return AcceptedDrop(session: self, granted: try DropOperation(wire: granted))
  }
}

extension DragSession: RemoteObject {
  var objectPath: ObjectPath { id.objectPath }
}
