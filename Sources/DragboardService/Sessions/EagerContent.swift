import DragModel

/// Bytes that the source gave when it registered them.
struct EagerContent: LoadableContent {
  let data: [UInt8]
  var byteCount: Int { data.count }
  func bytes() -> [UInt8] { data }
}

extension ItemProvider {
  /// An item of one plain text that everybody may see.
  init(plainText text: String) {
    self.init()
    // The first representation of an item is neither one too many nor one that is there already.
    try? register(.plainText(text))
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: EagerContent(data: Array(text.utf8)))
  }
}
