import DragboardInterface

/// A drop that this client has accepted: it can load the items until `finish`.
///
/// A load may wait for the source to make the data; cancelling the task ends the wait.
public struct AcceptedDrop: Sendable {
  /// The session.
  public let session: DragSession
  /// The granted operation: copy or move; or forbidden: then the session is active as before.
  public let granted: DropOperation

  /// An item's plain text.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`, `loadFailed`; `limitsExceeded` past 64 MiB.
  public func text(ofItem item: Int) async throws(DragboardError) -> String {
    try await session.call(
      DragSessionInterface.loadText, timeout: DragboardConnection.unlimited, UInt32(index: item))
  }

  /// The bytes of an item's first representation that conforms to `type`.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`, `loadFailed`; `limitsExceeded` above 64 MiB:
  ///   use the file.
  public func data(
    ofItem item: Int, as type: ContentType = .any
  ) async throws(DragboardError) -> [UInt8] {
    try await session.call(
      DragSessionInterface.loadData, timeout: DragboardConnection.unlimited, UInt32(index: item),
      type.rawValue)
  }

  /// The same as a file: of any size, and cheaper from 8 KiB on.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`, `loadFailed`.
  public func file(
    ofItem item: Int, as type: ContentType = .any
  ) async throws(DragboardError) -> ReceivedFile {
    ReceivedFile(
      try await session.call(
        DragSessionInterface.loadFile, timeout: DragboardConnection.unlimited,
        UInt32(index: item), type.rawValue))
  }

  /// Ends the session, because this client has loaded all that it needs.
  ///
  /// - Throws: `sessionEnded`.
  public func finish() async throws(DragboardError) {
    try await session.call(DragSessionInterface.finish)
  }
}
