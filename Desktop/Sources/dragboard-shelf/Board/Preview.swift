import CGtk4
import DragboardClient
import ShelfModel

/// The preview of a row, which is read from its contents.
struct Preview {
  /// The first lines, or the file name.
  var title: String?
  /// The small line below the title.
  var detail: String?
  /// A small picture: a GdkTexture.
  var picture: Owned?
  /// The desktop's icon for the type of the file: a GIcon.
  var icon: Owned?
  /// The addresses in the content of the row.
  var addresses: [String] = []
  /// The type of its file; nil if it has none.
  var fileType: ContentType?
  /// Whether it refers to a file that does not exist.
  var isMissing = false
}

/// A cache that reads the previews of rows, one at a time, visible rows first.
final class Previews {
  private let board: Board
  private var known: [ItemID: Preview] = [:]
  private var queue = PreviewQueue()
  private var isReading = false
  /// Returns the rows of the list's lines, visible rows first.
  private let order: () -> [ItemID]
  private let didRead: (ItemID) -> Void

  /// The maximum number of cached previews of rows that no line of the list shows.
  private static let capacity = 512
  /// The maximum size of a row that is read for a preview, in bytes.
  private static let maxBytes = 32 << 20

  /// Creates the previews of a board's rows.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - order: returns the rows of the list's lines, visible rows first.
  ///   - didRead: called with each row whose preview has changed.
  init(_ board: Board, order: @escaping () -> [ItemID], didRead: @escaping (ItemID) -> Void) {
    self.board = board
    self.order = order
    self.didRead = didRead
  }

  /// Returns the preview of a row; nil if there is none yet.
  subscript(item: ItemID) -> Preview? { known[item] }

  /// Requests the preview of a row if the facts do not contain everything that the row shows.
  func want(_ row: RowFacts) {
    guard known[row.id] == nil, row.byteCount <= Self.maxBytes, row.needsReading else { return }
    queue.add(row)
    // Start after all visible lines have requested their previews.
    if !isReading { MainLoop.after(.zero) { [weak self] in self?.read() } }
  }

  /// Discards the preview of a row.
  ///
  /// It is read again when it is requested.
  func forget(_ item: ItemID) { known[item] = nil }

  /// Discards all previews.
  func forgetAll() { known = [:] }

  private func read() {
    guard !isReading else { return }
    let order = order()
    guard let row = queue.next(in: order) else { return }
    isReading = true
    Task {
      let preview = await Preview.read(row, on: board)
      if known.count >= Self.capacity {
        let listed = Set(order)
        known = known.filter { listed.contains($0.key) }
      }
      known[row.id] = preview
      isReading = false
      didRead(row.id)
      read()
    }
  }
}

extension Preview {
  /// Reads the preview of a row.
  ///
  /// A row that cannot be read has an empty preview.
  static func read(_ row: RowFacts, on board: Board) async -> Preview {
    var preview = Preview()
    switch row.kind {
    case .image:
      if let bytes = try? await board.file(of: row.id, as: "image/*").bytes() {
        let picture = await Thumbnail.make(of: bytes)
        preview.picture = picture.texture()
        let facts = row.detail(describe: \.readable)
        if picture.width > 0 { preview.detail = localized("%1 · %2", picture.size, facts) }
      }
    case .addresses: await preview.describe(try? Links.read(row, on: board))
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

  private static func shown(_ text: String) -> String? {
    let lines = ShownText.lines(of: text)
    return lines.isEmpty ? nil : lines
  }

  private mutating func describe(_ links: Links?) async {
    guard let links, let first = links.addresses.first else { return }
    addresses = links.addresses
    let count = addresses.count - 1
    let more = { (title: String) in
      count > 0 ? localized("%1 and %2", title, counted("one more", "%1 more", count)) : title
    }
    guard let path = Addresses.path(of: first) else {
      title = more(links.title.isEmpty ? Addresses.name(of: first) : links.title)
      detail = links.title.isEmpty ? localized("Link") : Addresses.name(of: first)
      return
    }
    title = more(Addresses.name(of: first))
    let folder = path.split(separator: "/").dropLast().last
    let file = await FileFacts.read(path)
    guard let type = file.type else {
      isMissing = true
      detail = localized("File not found")
      return
    }
    icon = file.takeIcon()
    fileType = type
    let kind = type.readable.located(in: folder)
    detail = file.isDirectory ? kind : localized("%1 · %2", kind, byteText(file.byteCount))
    if type.rawValue.hasPrefix("image/"), addresses.count == 1 {
      let thumbnail = await Thumbnail.make(at: path)
      picture = thumbnail.texture()
      if thumbnail.width > 0 { detail = localized("%1 · %2", thumbnail.size, kind) }
    }
  }
}

/// The addresses of a row, and the title of a link.
struct Links {
  /// The addresses in order.
  let addresses: [String]
  /// The title; "" without one.
  let title: String

  /// Reads the addresses of a row.
  static func read(_ row: RowFacts, on board: Board) async throws -> Links {
    let link =
      row.types.contains(.mozillaLink)
      ? Addresses.link(inMozilla: try await board.data(of: row.id, as: .mozillaLink)) : nil
    guard row.types.contains(.uriList) else {
      return Links(addresses: [link?.address].compactMap(\.self), title: link?.title ?? "")
    }
    let bytes = try await board.data(of: row.id, as: .uriList)
    return Links(
      addresses: Addresses(String(decoding: bytes, as: UTF8.self)).all, title: link?.title ?? "")
  }
}

extension RowFacts {
  /// Whether the preview needs more than the facts from the daemon.
  fileprivate var needsReading: Bool {
    switch kind {
    case .image, .addresses, .markup: true
    case .text: byteCount > preview.utf8.count && byteCount <= 1 << 16
    case .other: false
    }
  }
}

extension String {
  /// The readable name of the file's type, followed by the name of its folder.
  fileprivate func located(in folder: Substring?) -> String {
    folder.map { localized("%1 in %2", self, String($0)) } ?? self
  }
}
