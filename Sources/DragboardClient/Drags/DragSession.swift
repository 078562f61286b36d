import DBus
import DragboardInterface

/// A drag session on the daemon: one drag, from its beginning to its end.
///
/// The value names the session and stores no state of the session. Every method calls the daemon,
/// and throws `noSuchSession` if the session ended more than a minute ago.
public struct DragSession: Sendable, Identifiable {
  /// The session's number.
  public let id: SessionID
  /// The connection over which the session is called.
  public let connection: DragboardConnection

  /// Names the session with an id.
  ///
  /// The session need not exist.
  public init(_ id: SessionID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  // MARK: Source and destination

  /// Returns the properties of the session.
  public func info() async throws(DragboardError) -> SessionInfo {
    try await SessionInfo(properties(of: DragSessionInterface.name))
  }

  /// Returns the types of an item that the caller may load, in order of fidelity.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func types(ofItem item: Int) async throws(DragboardError) -> [ContentType] {
    try await call(DragSessionInterface.getTypes, UInt32(index: item)).map { ContentType($0) }
  }

  /// Returns the numbers of bytes of the types that ``types(ofItem:)`` returns, in the same order.
  ///
  /// The number is 0 for a promise whose source has not set the expected size.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`; `unsupported` if the daemon is older than this library.
  public func sizes(ofItem item: Int) async throws(DragboardError) -> [Int] {
    try await call(DragSessionInterface.getSizes, UInt32(index: item)).map { Int(clamping: $0) }
  }

  /// Returns the types of an item that every client may see, in order of fidelity.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func publicTypes(ofItem item: Int) async throws(DragboardError) -> [ContentType] {
    try await call(DragSessionInterface.getPublicTypes, UInt32(index: item))
      .map { ContentType($0) }
  }

  /// Whether at least one item has a representation that conforms to `type`.
  ///
  /// - Throws: `sessionEnded`, `invalidArguments`.
  public func canLoad(_ type: ContentType) async throws(DragboardError) -> Bool {
    try await call(DragSessionInterface.canLoad, type.rawValue)
  }

  /// Returns the suggested name of an item's file; "" for none.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func suggestedName(ofItem item: Int) async throws(DragboardError) -> String {
    try await call(DragSessionInterface.getSuggestedName, UInt32(index: item))
  }

  /// Returns the attributes of an item.
  ///
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func attributes(ofItem item: Int) async throws(DragboardError) -> ItemAttributes {
    let wire = try await call(DragSessionInterface.getAttributes, UInt32(index: item))
    return ItemAttributes(WireItemAttributes(wire))
  }

  /// Returns the events of the session from now on.
  ///
  /// They end with the session.
  public func events() async throws(DragboardError) -> Events<SessionEvent> {
    try await connection.events(of: id)
  }

  // MARK: Source side

  /// Sets the stack of an item, which a drop on a board stores with the row; "" for none.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `noSuchItem`; `sessionEnded`.
  public func setStack(_ stack: String, ofItem item: Int) async throws(DragboardError) {
    let attributes = ["stack": Variant(.string(stack))]
    try await call(DragSessionInterface.setAttributes, UInt32(index: item), attributes)
  }

  /// Sets whether a drop may move the items; the default is true.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `sessionEnded`.
  public func setAllowsMove(_ allowsMove: Bool) async throws(DragboardError) {
    try await set(DragSessionInterface.allowsMove, to: allowsMove)
  }

  /// Sets whether only the source's application may accept the drop; the default is false.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `sessionEnded`.
  public func setRestrictedToApplication(_ isRestricted: Bool) async throws(DragboardError) {
    try await set(DragSessionInterface.restrictedToApplication, to: isRestricted)
  }

  /// Sets all attributes of an item except empty ones.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `noSuchItem`; `sessionEnded`.
  public func setAttributes(
    _ attributes: ItemAttributes, ofItem item: Int
  ) async throws(DragboardError) {
    try await call(DragSessionInterface.setAttributes, UInt32(index: item), attributes.wire.wire)
  }

  /// Sets the name of the machine on which the drag began; "" for this machine.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `sessionEnded`; `invalidArguments`.
  public func setMachine(_ machine: String) async throws(DragboardError) {
    try await set(DragSessionInterface.machine, to: machine)
  }

  /// Ends the session without a drop, or cancels a drop that is still loading.
  ///
  /// - Throws: `accessDenied` if the caller is not the source; `sessionEnded`.
  public func cancel() async throws(DragboardError) {
    try await call(DragSessionInterface.cancel)
  }

  // MARK: Destination side

  /// Accepts the drop.
  ///
  /// After this call, only this client can load the items, until it calls
  /// ``AcceptedDrop/finish()``.
  ///
  /// - Parameters:
  ///   - operation: copy or move.
  ///   - application: the identity of the destination.
  /// - Returns: the drop with the granted operation. After `forbidden`, the session stays active.
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
