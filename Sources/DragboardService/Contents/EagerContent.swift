import DragModel

/// Bytes that the source gave when it registered them.
///
/// Unchecked, because it is confined to the connection's loop, as all of the service is.
final class EagerContent: LoadableContent, @unchecked Sendable {
  let byteCount: Int
  private var place: Bytes

  init(_ bytes: Bytes) {
    byteCount = bytes.byteCount
    place = bytes
  }

  func bytes() -> Bytes { place }

  /// Whether many bytes are in memory.
  var isLarge: Bool { place.few == nil && place.inMemory != nil }

  /// Moves the bytes from memory to a file, on another thread.
  ///
  /// If the disk does not take them, they stay in memory.
  func moveToFile(
    _ type: ContentType, _ scheduler: Scheduler, makeFile: @escaping SpoolMaker
  ) {
    guard let bytes = place.inMemory else { return }
    scheduler.work {
      Result { () throws(RepositoryError) in
        try Bytes.memory(bytes).moved(as: type, makeFile: makeFile)
      }
    } then: { [self] _, moved in
      if case .success(let bytes) = moved { place = bytes }
    }
  }
}

extension ItemProvider {
  /// An item of one plain text that everybody may see.
  init(plainText text: String) {
    self.init()
    // The first representation of an item exceeds no limit, and its type does not occur twice.
    try? register(.plainText(text))
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: EagerContent(.memory(Array(text.utf8))))
  }
}
