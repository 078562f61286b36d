import DragboardInterface

/// A drop that this client has accepted.
///
/// The client can load the items until it calls `finish`.
///
/// A load waits if the source has to produce the data. Cancelling the task ends the wait.
public struct AcceptedDrop: Sendable {
  /// The session.
  public let session: DragSession
  /// The granted operation: copy, move or forbidden.
  ///
  /// If it is forbidden, the session stays active.
  public let granted: DropOperation

  /// Returns an item's plain text.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`, `loadFailed`; `limitsExceeded` if it exceeds
  ///   64 MiB.
  public func text(ofItem item: Int) async throws(DragboardError) -> String {
    try await session.call(
      DragSessionInterface.loadText, timeout: DragboardConnection.unlimited, UInt32(index: item))
  }

  /// Returns the bytes of an item's first representation that conforms to `type`.
  ///
  /// - Throws: `noSuchItem`, `noSuchRepresentation`, `loadFailed`; `limitsExceeded` if they exceed
  ///   64 MiB: call ``file(ofItem:as:)`` instead.
  public func data(
    ofItem item: Int, as type: ContentType = .any
  ) async throws(DragboardError) -> [UInt8] {
    try await session.call(
      DragSessionInterface.loadData, timeout: DragboardConnection.unlimited, UInt32(index: item),
      type.rawValue)
  }

  /// Returns the bytes of an item's first representation that conforms to `type`, as a file.
  ///
  /// The file can have any size. From 8 KiB on, a file costs less than bytes in a reply.
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

  /// Passes the bytes of a promise to `body` as they arrive from the source.
  ///
  /// The daemon does not store the bytes, so their number is not limited. The daemon does not check
  /// them, either.
  ///
  /// - Parameters:
  ///   - item: the index of the item.
  ///   - type: the type; the first representation that conforms to it is loaded.
  ///   - body: receives the bytes, in order, in chunks of at most 1 MiB. It runs on a separate thread,
  ///     so it may block. If it throws an error, the load ends.
  /// - Throws: the error of `body`; `noSuchItem`, `noSuchRepresentation`; `loadFailed` if the source
  ///   fails, perhaps after some bytes; `invalidArguments` if the representation is not a promise, and
  ///   `unsupported` if the daemon is older than this library: call ``file(ofItem:as:)`` instead.
  public func receive(
    item: Int, as type: ContentType = .any,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let reader = try PipeReader()
    try reader.start(body)
    do {
      try await reader.withWriteEnd { (pipe) async throws(DragboardError) in
        try await session.call(
          DragSessionInterface.loadToPipe, timeout: DragboardConnection.unlimited,
          UInt32(index: item), type.rawValue, pipe)
      }
    } catch {
      reader.cancel()
      throw reader.failure ?? error
    }
    try await reader.end()
  }

  /// Ends the session.
  ///
  /// Call it after the last load.
  ///
  /// - Throws: `sessionEnded`.
  public func finish() async throws(DragboardError) {
    try await session.call(DragSessionInterface.finish)
  }

  /// Ends the session with cancel, because this client cannot store the items.
  ///
  /// An accepted session cannot become active again, but its source can begin a new one with the same items.
  ///
  /// - Throws: `sessionEnded`.
  public func giveBack() async throws(DragboardError) { try await finish(loaded: [], failed: []) }

  /// Ends the session for a destination that passes the items on.
  ///
  /// - Parameters:
  ///   - loaded: the items that have arrived; if it is empty, the session ends with cancel.
  ///   - failed: the items that have not arrived.
  /// - Throws: `noSuchItem`; `sessionEnded`.
  public func finish(loaded: [Int], failed: [Int]) async throws(DragboardError) {
    try await session.call(
      DragSessionInterface.finishItems, loaded.map { UInt32(index: $0) },
      failed.map { UInt32(index: $0) })
  }
}
