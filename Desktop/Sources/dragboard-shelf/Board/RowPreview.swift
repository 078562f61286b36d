import CGtk4
import DragboardClient
import ShelfModel

/// The preview of a row, which is read from its contents.
struct RowPreview {
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
  /// Whether it is a text that is code.
  var isCode = false
  /// Whether it is a picture that cannot be decoded.
  var isBroken = false
}

/// A cache that reads the previews of rows, a few at a time, visible rows first.
final class Previews {
  private let board: Board
  private var known: [ItemID: RowPreview] = [:]
  private var queue = PreviewQueue()
  /// The latest read of each row that is being read.
  private var reading: [ItemID: Int] = [:]
  private var latestRead = 0
  private var readCount = 0
  /// Returns the rows of the list's lines, visible rows first.
  private let order: () -> [ItemID]
  private let didRead: (ItemID) -> Void

  /// The maximum number of cached previews of rows that no line of the list shows.
  private static let capacity = 512
  /// The maximum size of a row that is read for a preview, in bytes.
  private static let maxBytes = 32 << 20
  /// The maximum number of previews that are read at the same time.
  private static let maxReads = 4

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
  subscript(item: ItemID) -> RowPreview? { known[item] }

  /// Requests the preview of a row if the facts do not contain everything that the row shows.
  func want(_ row: RowFacts) {
    guard known[row.id] == nil, reading[row.id] == nil, row.byteCount <= Self.maxBytes,
      row.needsReading
    else { return }
    queue.add(row)
    // Start after all visible lines have requested their previews.
    if readCount < Self.maxReads { MainLoop.after(.zero) { [weak self] in self?.read() } }
  }

  /// Reads the preview of a row again; until then, the row has its present preview.
  func readAgain(_ row: RowFacts) {
    guard known[row.id] != nil, reading[row.id] == nil else { return }
    queue.add(row)
    if readCount < Self.maxReads { MainLoop.after(.zero) { [weak self] in self?.read() } }
  }

  /// Discards the preview of a row.
  ///
  /// It is read again when it is requested.
  func forget(_ item: ItemID) { (known[item], reading[item]) = (nil, nil) }

  /// Discards all previews.
  func forgetAll() { (known, reading) = ([:], [:]) }

  private func read() {
    while readCount < Self.maxReads, let row = queue.next(in: order()) {
      readCount += 1
      latestRead += 1
      let number = latestRead
      reading[row.id] = number
      Task {
        let preview = await RowPreview.read(row, on: board)
        readCount -= 1
        // The row may have changed in the meantime.
        if reading[row.id] == number { store(preview, of: row.id) }
        read()
      }
    }
  }

  private func store(_ preview: RowPreview, of item: ItemID) {
    if known.count >= Self.capacity {
      let listed = Set(order())
      known = known.filter { listed.contains($0.key) }
    }
    (known[item], reading[item]) = (preview, nil)
    didRead(item)
  }
}

extension RowPreview {
  /// The maximum width and height of a picture in the list, which suffice for screens with twice
  /// the usual resolution.
  private static let extent = 96

  /// Reads the preview of a row.
  ///
  /// A row that cannot be read has an empty preview.
  static func read(_ row: RowFacts, on board: Board) async -> RowPreview {
    var preview = RowPreview()
    switch row.kind {
    case .image:
      if let file = try? await board.file(of: row.id, as: "image/*") {
        let answer = await FilePreviewReader.read(file, extent: extent)
        preview.picture = answer.texture()
        let facts = row.detail(describe: \.readable)
        preview.isBroken = answer.size == nil
        preview.detail = localized("%1 · %2", answer.size ?? localized("Damaged"), facts)
      }
    case .addresses: await preview.describe(try? Links.read(row, on: board))
    case .other:
      preview.icon = row.types.first?.icon()
      if row.isDocument, let file = try? await board.file(of: row.id, as: row.types[0]) {
        preview.picture = await FilePreviewReader.read(file, extent: extent).texture()
      }
    case .text, .markup:
      if let text = try? await RowText.read(row, on: board) {
        preview.title = await shown(text)
        if row.kind == .text, row.byteCount > row.preview.utf8.count {
          preview.isCode = Recognition.isCode(text.words)
          preview.detail = preview.isCode ? Recognition.code.name : ""
        }
      }
    }
    return preview
  }

  @concurrent nonisolated private static func shown(_ text: RowText) async -> String? {
    let lines = ShownText.lines(of: text.words)
    return lines.isEmpty ? nil : lines
  }

  private mutating func describe(_ links: Links?) async {
    guard let links, let first = links.addresses.first else { return }
    addresses = links.addresses
    let count = addresses.count - 1
    let more = { (title: String) in
      count > 0 ? localized("%1 and %2", title, counted("one more", "%1 more", count)) : title
    }
    guard let path = Addresses.pathBytes(of: first) else {
      let name = Addresses.name(of: first)
      title = more(links.title.isEmpty ? name : ShownText.line(links.title))
      detail = links.title.isEmpty ? localized("Link") : name
      return
    }
    title = more(Addresses.name(of: first))
    guard
      let file = await FilePreviewReader.read(path, extent: addresses.count == 1 ? Self.extent : 0)
    else { return }
    guard let type = file.fileType.map({ ContentType($0) }) else {
      isMissing = true
      detail = localized("File not found")
      return
    }
    icon = file.iconOfFile()
    fileType = type
    picture = file.texture()
    let folder = String(decoding: path, as: UTF8.self).split(separator: "/").dropLast().last
    let kind = type.readable.located(in: folder)
    detail =
      if let size = file.size { localized("%1 · %2", size, kind) } else if file.isDirectory {
        kind
      } else { localized("%1 · %2", kind, byteText(file.byteCount)) }
  }
}

/// The addresses of a row, and the title of a link.
struct Links {
  /// The addresses in order.
  let addresses: [String]
  /// The title; "" without one.
  let title: String

  /// The maximum size of a list of addresses that is read for the list of rows, in bytes.
  private nonisolated static let maxByteCount = 64 << 10
  /// The maximum number of its addresses.
  private nonisolated static let maxCount = 1_024

  /// Reads the addresses of a row.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - board: its board.
  ///   - isWhole: whether to read a list of any length; otherwise a list that is too long counts as
  ///     a list without addresses.
  /// - Returns: the addresses.
  /// - Throws: the error of the daemon.
  static func read(
    _ row: RowFacts, on board: Board, isWhole: Bool = false
  ) async throws -> Links {
    let link =
      row.types.contains(.mozillaLink)
      ? await link(in: try board.file(of: row.id, as: .mozillaLink), isWhole) : nil
    let title = link?.title ?? ""
    guard row.types.contains(.uriList) else {
      return Links(addresses: [link?.address].compactMap(\.self), title: title)
    }
    let file = try await board.file(of: row.id, as: .uriList)
    return Links(addresses: await list(in: file, isWhole), title: title)
  }

  @concurrent nonisolated private static func link(
    in file: ReceivedFile, _ isWhole: Bool
  ) async -> (address: String, title: String)? {
    await bytes(of: file, isWhole).flatMap(Addresses.link(inMozilla:))
  }

  @concurrent nonisolated private static func list(
    in file: ReceivedFile, _ isWhole: Bool
  ) async -> [String] {
    guard let bytes = await bytes(of: file, isWhole) else { return [] }
    let list = Addresses(String(decoding: bytes, as: UTF8.self)).all
    return isWhole || list.count <= maxCount ? list : []
  }

  /// Returns the bytes of a file; nil if there are too many.
  nonisolated private static func bytes(of file: ReceivedFile, _ isWhole: Bool) async -> [UInt8]? {
    let part = try? await file.prefix(isWhole ? .max : maxByteCount)
    return part.flatMap { $0.isCut ? nil : $0.bytes }
  }
}

/// The text of a row, or its first part.
nonisolated struct RowText: Sendable {
  /// The text without markup.
  let words: String
  /// Whether the text has more parts.
  let isCut: Bool

  /// Reads the text of a row.
  @concurrent static func read(_ row: RowFacts, on board: Board) async throws -> RowText {
    let isMarkup = row.kind == .markup
    let type = isMarkup ? .html : row.textType ?? .plainText
    let file = try await board.file(of: row.id, as: type)
    let (bytes, isCut) = try await file.prefix(ShownText.maxByteCount)
    let text = String(decoding: bytes, as: UTF8.self)
    return RowText(words: isMarkup ? ShownText.words(ofMarkup: text) : text, isCut: isCut)
  }
}

extension ReceivedFile {
  /// Returns the first bytes, and whether there are more.
  @concurrent nonisolated func prefix(
    _ maxCount: Int
  ) async throws -> (bytes: [UInt8], isCut: Bool) {
    let count = min(try byteCount, maxCount)
    var bytes = [UInt8](repeating: 0, count: count)
    var end = 0
    while end < count {
      let length = try bytes[end...].withUnsafeMutableBytes { try read(from: end, into: $0) }
      guard length > 0 else { break }
      end += length
    }
    return (Array(bytes.prefix(end)), try byteCount > maxCount)
  }
}

extension RowFacts {
  /// Whether the preview needs more than the facts from the daemon.
  fileprivate var needsReading: Bool {
    switch kind {
    case .image, .addresses, .markup, .other: true
    case .text: byteCount > preview.utf8.count && byteCount <= 1 << 16
    }
  }

  /// Whether it is a PDF document.
  fileprivate var isDocument: Bool { types.first?.base == "application/pdf" }
}

extension ContentType {
  /// Returns the desktop's icon for files of this type: a GIcon.
  fileprivate func icon() -> Owned? {
    g_content_type_get_icon(base).map { Owned(adopting: $0) }
  }
}

extension String {
  /// The readable name of the file's type, followed by the name of its folder.
  fileprivate func located(in folder: Substring?) -> String {
    folder.map { localized("%1 in %2", self, ShownText.line(String($0))) } ?? self
  }
}
