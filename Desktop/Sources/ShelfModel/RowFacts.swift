public import DragboardClient

/// The facts about a row that the list shows, and the permissions of the row.
public struct RowFacts: HeldOut, Hashable, Sendable, Identifiable {
  /// The row's id.
  public let id: ItemID
  /// The first line of its plain text; "" if it has none.
  public let preview: String
  /// Its types in order of fidelity.
  public let types: [ContentType]
  /// Whether it may be changed and deleted.
  public let isEditable: Bool
  /// Whether it may be moved.
  public let isMovable: Bool
  /// Whether it remains when the board is cleared.
  public let isPinned: Bool
  /// The suggested file name; "" without a suggestion.
  public let suggestedName: String
  /// The size of all types together, in bytes.
  public let byteCount: Int
  /// The source application; "/clipboard" if the content came from the clipboard; "" if an
  /// unsandboxed client inserted the row.
  public let source: String
  /// The name of its stack; "" if it is in none.
  public let stack: String

  /// Creates facts.
  public init(
    id: ItemID, preview: String = "", types: [ContentType] = [.plainText],
    isEditable: Bool = true, isMovable: Bool = true, isPinned: Bool = false,
    suggestedName: String = "",
    byteCount: Int = 0, source: String = "", stack: String = ""
  ) {
    self.id = id
    self.preview = preview
    self.types = types
    self.isEditable = isEditable
    self.isMovable = isMovable
    self.isPinned = isPinned
    self.suggestedName = suggestedName
    self.byteCount = byteCount
    self.source = source
    self.stack = stack
  }

  /// Creates the facts of a row from the daemon.
  public init(_ row: Row) {
    self.init(
      id: row.id, preview: row.preview, types: row.types, isEditable: row.isEditable,
      isMovable: row.isMovable, isPinned: row.isPinned, suggestedName: row.suggestedName,
      byteCount: row.byteCount, source: row.source, stack: row.attributes.stack)
  }
}

extension RowFacts {
  /// Returns whether the shelf may offer the row's files to sandboxed applications.
  ///
  /// The portal opens every file that the shelf can read. A sandboxed client could insert the
  /// address of a file that it cannot read, and wait until the user drags the row back to it. So
  /// the shelf offers addresses only if an unsandboxed client inserted them, or if the user dropped
  /// them on the shelf. For a row without addresses, the shelf itself has written the files.
  ///
  /// - Parameter isShelf: returns whether an application is the shelf.
  /// - Returns: whether the portal may open the files.
  public func mayShareFiles(of isShelf: (String) -> Bool) -> Bool {
    !types.contains(.uriList) || source.isEmpty || isShelf(source)
  }
}

extension RowFacts {
  /// The first line of its plain text.
  public var firstLine: String { preview }
  /// Whether it is a text that consists of the address of a link.
  public var isLink: Bool { pastedAddress != nil }
}

extension RowFacts {
  /// The title that is shown before the contents have been read.
  public var title: String {
    if !preview.isEmpty { return ShownText.line(preview) }
    return suggestedName.isEmpty
      ? kindName ?? localized("Empty row") : ShownText.line(suggestedName)
  }

  /// Returns the small line below the title: kind and size; "" for plain text.
  ///
  /// - Parameter describe: returns the readable name of a type.
  /// - Returns: the line.
  public func detail(describe: (ContentType) -> String) -> String {
    switch kind {
    case .text: recognition?.name ?? ""
    case .addresses: localized("Link")
    case .image, .markup, .other:
      mainType.map { localized("%1 · %2", describe($0), byteText(byteCount)) } ?? ""
    }
  }

  /// The address of a link that was pasted or typed as plain text; nil for other texts.
  public var pastedAddress: String? {
    guard !types.isEmpty, types.allSatisfy({ $0.base == "text/plain" }) else { return nil }
    let text = preview.unicodeScalars.prefix { !$0.properties.isWhitespace }
    // The preview is the first line, and may be cut.
    guard byteCount <= types.count * (preview.utf8.count + 2),
      preview.unicodeScalars.count == text.count,
      let scheme = preview.firstRange(of: "://"),
      ["http", "https", "ftp"].contains(preview[..<scheme.lowerBound].lowercased()),
      scheme.upperBound < preview.endIndex
    else { return nil }
    return preview
  }

  /// The meaning of the first line of a plain text; nil if it is prose, or not known to be more.
  public var recognition: Recognition? {
    guard kind == .text else { return nil }
    if isLink { return .link }
    if byteCount <= types.count * (preview.utf8.count + 2), Recognition.isMailbox(preview) {
      return .mailbox
    }
    return Recognition.isCode(preview) ? .code : nil
  }

  /// Whether the row opens in the editor of texts.
  public var isText: Bool { kind == .text && !isLink }

  /// Whether it has types other than plain text, which editing the text removes.
  public var isFormatted: Bool {
    types.contains { !$0.rawValue.hasPrefix("text/plain") }
  }

  /// Whether moving the row out of the board deletes it from the board.
  ///
  /// A locked or pinned row is copied instead.
  public var leaves: Bool { isEditable && !isPinned }

  /// Whether its file name can be changed.
  ///
  /// A text has no file name, and the file name of a link cannot be changed.
  public var canBeRenamed: Bool { isEditable && kind != .text && kind != .addresses }
}

/// Returns a readable size: 999 bytes, 1.2 kB, 35 MB.
public func byteText(_ count: Int) -> String {
  guard count >= 1000 else { return counted("1 byte", "%1 bytes", count) }
  var (value, unit) = (Double(count), 0)
  let units = ["bytes", "kB", "MB", "GB", "TB"]
  while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
  let tenths = Int((value * 10).rounded())
  return tenths < 100 && tenths % 10 != 0
    ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\((tenths + 5) / 10) \(units[unit])"
}
