import DragModel
import Logging

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

  /// Moves many bytes out of memory, into a file of the repository's, without anybody's waiting.
  ///
  /// Where the disk does not take them they stay where they are.
  func moveToFile(_ type: ContentType, _ service: Service) {
    guard place.few == nil, let bytes = place.inMemory else { return }
    let makeFile = service.repository.makeSpool
    service.work {
      Result { () throws(RepositoryError) in
        try Bytes.memory(bytes).moved(as: type, makeFile: makeFile)
      }
    } then: { [self] moved in
      switch moved {
      case .success(let bytes): place = bytes
      case .failure(let error):
        service.log.warning("\(byteCount) bytes of a drag stay in memory: \(error.message)")
      }
    }
  }
}

extension ItemProvider {
  /// An item of one plain text that everybody may see.
  init(plainText text: String) {
    self.init()
    // The first representation of an item is neither one too many nor one that is there already.
    try? register(.plainText(text))
  }

  /// Moves what is large out of memory.
  func moveToFiles(_ service: Service) {
    for representation in representations { representation.moveToFile(service) }
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: EagerContent(.memory(Array(text.utf8))))
  }

  /// Moves what is large out of memory.
  func moveToFile(_ service: Service) {
    (content as? EagerContent)?.moveToFile(type, service)
  }
}
