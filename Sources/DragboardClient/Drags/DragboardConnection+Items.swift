import DBus
import DragboardInterface

extension DragboardConnection {
  /// Adds items to a session, in order; gives the index of the first.
  @discardableResult
  func add(_ items: [DragItem], to session: DragSession) async throws(DragboardError) -> Int {
    var first: Int?
    for item in items {
      let index = try await add(item, to: session)
      first = first ?? index
    }
    return first ?? 0
  }

  private func add(_ item: DragItem, to session: DragSession) async throws(DragboardError) -> Int {
    let index = try await session.call(DragSessionInterface.addItem, item.suggestedName)
    for representation in item.representations {
      try await register(representation, ofItem: index, in: session)
    }
    return Int(index)
  }

  private func register(
    _ representation: DragItem.Representation, ofItem item: UInt32, in session: DragSession
  ) async throws(DragboardError) {
    let (type, visibility) = (
      representation.type.rawValue, representation.visibility.rawValue
    )
    switch representation.content {
    case .data(let bytes):
      try await session.call(DragSessionInterface.registerData, item, type, visibility, bytes)
    case .file(let source):
      try await session.call(
        DragSessionInterface.registerFile, timeout: Self.unlimited, item, type, visibility,
        source.file)
    case .promise(let promise):
      try await register(promise, type, visibility, ofItem: item, in: session)
    }
  }

  private func register(
    _ promise: Promise, _ type: String, _ visibility: String, ofItem item: UInt32,
    in session: DragSession
  ) async throws(DragboardError) {
    let loader = promises.export(promise, of: session.id)
    try await session.call(DragSessionInterface.registerPromise, item, type, visibility, loader)
    if let count = promise.expectedByteCount, count >= 0 {
      try await session.call(
        DragSessionInterface.setExpectedSize, item, type, UInt64(count))
    }
  }
}
