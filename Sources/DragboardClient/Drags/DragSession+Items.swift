import DBus
import DragboardInterface

extension DragSession {
  /// Adds items in order.
  ///
  /// If an item is refused, the items before it stay in the session.
  ///
  /// - Returns: the index of the first added item.
  /// - Throws: `accessDenied` if the caller is not the source; `sessionEnded`; `limitsExceeded`;
  ///   `invalidArguments`.
  @discardableResult
  public func add(_ items: [DragItem]) async throws(DragboardError) -> Int {
    var first: UInt32?
    for item in items {
      let index = try await call(DragSessionInterface.addItem, item.attributes.name)
      first = first ?? index
      if item.attributes != ItemAttributes(name: item.attributes.name) {
        try await call(DragSessionInterface.setAttributes, index, item.attributes.wire.wire)
      }
      for representation in item.representations {
        try await register(representation, ofItem: index)
      }
    }
    return Int(first ?? 0)
  }

  /// Adds a representation to an item, as the last in order of fidelity.
  ///
  /// - Throws: the errors of ``add(_:)``; `noSuchItem`; `duplicateRepresentation`.
  public func register(
    _ representation: DragItem.Representation, ofItem item: Int
  ) async throws(DragboardError) {
    try await register(representation, ofItem: UInt32(index: item))
  }

  private func register(
    _ representation: DragItem.Representation, ofItem item: UInt32
  ) async throws(DragboardError) {
    let (type, visibility) = (representation.type.rawValue, representation.visibility.rawValue)
    switch representation.content {
    case .data(let bytes):
      try await call(DragSessionInterface.registerData, item, type, visibility, bytes)
    case .file(let source):
      try await call(
        DragSessionInterface.registerFile, timeout: DragboardConnection.unlimited, item, type,
        visibility, source.file)
    case .promise(let promise):
      let loader = await connection.export(promise, of: id)
      try await call(DragSessionInterface.registerPromise, item, type, visibility, loader)
      if let count = promise.expectedByteCount, count >= 0 {
        try await call(DragSessionInterface.setExpectedSize, item, type, UInt64(count))
      }
    }
  }
}

extension DragboardConnection {
  fileprivate func export(_ promise: Promise, of session: SessionID) -> ObjectPath {
    promises.export(promise, of: session)
  }
}
