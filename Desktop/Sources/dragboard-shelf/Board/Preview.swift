import CGtk4
import DragboardClient
import ShelfModel

/// The preview of a row, read from its contents.
struct Preview {
  /// The first lines, or the file name.
  var title: String?
  /// The small line below.
  var detail: String?
  /// A small picture: a GdkTexture.
  var picture: Owned?
  /// The desktop's icon for its kind of file: a GIcon.
  var icon: Owned?
  /// The addresses in the row.
  var addresses: [String] = []
}

/// A reader and cache of previews, which reads rows one at a time as they become visible.
final class Previews {
  private let board: Board
  private var known: [ItemID: Preview] = [:]
  private var wanted: [RowFacts] = []
  private var isReading = false
  private let didRead: (ItemID) -> Void

  /// The maximum number of cached previews.
  private static let capacity = 512
  /// The maximum size of a row that is read for a preview, in bytes.
  private static let maxBytes = 32 << 20

  /// Creates the previews of a board's rows; `didRead` is called with each row whose preview has
  /// changed.
  init(_ board: Board, didRead: @escaping (ItemID) -> Void) {
    self.board = board
    self.didRead = didRead
  }

  /// Returns the preview of a row; nil if there is none yet.
  subscript(item: ItemID) -> Preview? { known[item] }

  /// Reads a row's preview if its contents add to the known facts.
  func want(_ row: RowFacts) {
    guard known[row.id] == nil, row.byteCount <= Self.maxBytes, row.needsReading,
      !wanted.contains(where: { $0.id == row.id })
    else { return }
    // Rows that have scrolled out of sight matter less than the present ones.
    wanted.append(row)
    if wanted.count > 64 { wanted.removeFirst() }
    read()
  }

  /// Discards the preview of a row, which is read again when needed.
  func forget(_ item: ItemID) { known[item] = nil }

  /// Discards all previews.
  func forgetAll() { known = [:] }

  private func read() {
    guard !isReading, let row = wanted.popLast() else { return }
    isReading = true
    Task {
      let preview = await preview(of: row)
      if known.count >= Self.capacity { known = [:] }
      known[row.id] = preview
      isReading = false
      didRead(row.id)
      read()
    }
  }

  /// Reads the preview of a row; an unreadable row has an empty one.
  private func preview(of row: RowFacts) async -> Preview {
    var preview = Preview()
    switch row.kind {
    case .image:
      let bytes = try? await board.file(of: row.id, as: "image/*").bytes()
      if let bytes { preview.picture = await Thumbnail.make(of: bytes).texture() }
    case .addresses:
      if let bytes = try? await board.data(of: row.id, as: .uriList) {
        await describe(Addresses(String(decoding: bytes, as: UTF8.self)).all, in: &preview)
      }
    case .text:
      if let text = try? await board.text(of: row.id) { preview.title = shown(text) }
    case .markup:
      if let bytes = try? await board.data(of: row.id, as: .html) {
        preview.title = shown(ShownText.words(ofMarkup: String(decoding: bytes, as: UTF8.self)))
      }
    case .other: break
    }
    return preview
  }

  private func shown(_ text: String) -> String? {
    let lines = ShownText.lines(of: text)
    return lines.isEmpty ? nil : lines
  }

  private func describe(_ addresses: [String], in preview: inout Preview) async {
    preview.addresses = addresses
    guard let first = addresses.first else { return }
    let more = addresses.count > 1 ? " and \(addresses.count - 1) more" : ""
    preview.title = Addresses.name(of: first) + more
    guard let path = Addresses.path(of: first) else {
      preview.detail = "Link"
      return
    }
    preview.detail = path.split(separator: "/").dropLast().last.map { "File in \($0)" } ?? "File"
    let (icon, isImage) = Self.icon(of: path)
    preview.icon = icon
    if isImage, addresses.count == 1 { preview.picture = await Thumbnail.make(at: path).texture() }
  }

  /// Returns the icon for a file name, and whether the file is a picture.
  private static func icon(of path: String) -> (Owned?, isImage: Bool) {
    guard let type = g_content_type_guess(path, nil, 0, nil) else { return (nil, false) }
    defer { g_free(type) }
    let icon = g_content_type_get_icon(type).map { Owned(adopting: $0) }
    return (icon, String(cString: type).hasPrefix("image/"))
  }
}

extension RowFacts {
  /// Whether the contents add to the facts from the daemon.
  fileprivate var needsReading: Bool {
    switch kind {
    case .image, .addresses, .markup: true
    case .text: byteCount > preview.utf8.count && byteCount <= 1 << 16
    case .other: false
    }
  }
}
