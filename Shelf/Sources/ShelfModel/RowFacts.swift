public import DragboardClient

/// What a list shows of a row, and what may be done with it.
public struct RowFacts: HeldOut, Hashable, Sendable, Identifiable {
  /// The row's id.
  public let id: ItemID
  /// The first line of its plain text; "" where it has none.
  public let preview: String
  /// Its types in order of fidelity.
  public let types: [ContentType]
  /// Whether it can be changed and deleted.
  public let isEditable: Bool
  /// Whether it can be moved.
  public let isMovable: Bool
  /// What a file of it would be called; "" where nobody has said.
  public let suggestedName: String
  /// The bytes of all its types together.
  public let byteCount: Int
  /// The application that it came from; "" if an unsandboxed client inserted it.
  public let source: String

  /// A row with those facts.
  public init(
    id: ItemID, preview: String = "", types: [ContentType] = [.plainText],
    isEditable: Bool = true, isMovable: Bool = true, suggestedName: String = "",
    byteCount: Int = 0, source: String = ""
  ) {
    self.id = id
    self.preview = preview
    self.types = types
    self.isEditable = isEditable
    self.isMovable = isMovable
    self.suggestedName = suggestedName
    self.byteCount = byteCount
    self.source = source
  }

  /// What the daemon tells of a row.
  public init(_ row: Row) {
    self.init(
      id: row.id, preview: row.preview, types: row.types, isEditable: row.isEditable,
      isMovable: row.isMovable, suggestedName: row.suggestedName, byteCount: row.byteCount,
      source: row.source)
  }
}

extension RowFacts {
  /// Decides whether the shelf may open the row's files for an application in a sandbox.
  ///
  /// The portal opens whatever file the shelf can read. A client in a sandbox can bring the address
  /// of a file that it cannot read itself, and have the user drag the row back to it. So addresses
  /// count only if an unsandboxed client inserted them, or the user dropped them on the shelf.
  /// A row without addresses has files that the shelf has written.
  ///
  /// - Parameter shelf: the application id of the shelf.
  /// - Returns: whether the portal may get them.
  public func mayShareFiles(of shelf: String) -> Bool {
    !types.contains(.uriList) || source.isEmpty || source == shelf
  }
}

extension RowFacts {
  /// What the row is called until more of it is known.
  public var title: String {
    if !preview.isEmpty { return preview }
    return suggestedName.isEmpty ? kindName ?? "Empty row" : suggestedName
  }

  /// The small line below the title: what it is, and how large; "" for plain text, which speaks for itself.
  public var detail: String {
    switch kind {
    case .text: ""
    case .image: "\(subtype.uppercased()) image · \(byteText(byteCount))"
    case .addresses: "Link"
    case .markup: "HTML · \(byteText(byteCount))"
    case .other: "\(types.first?.rawValue ?? "") · \(byteText(byteCount))"
    }
  }

  /// What stands behind the slash of the first picture's type.
  private var subtype: String {
    let image = types.first { $0.rawValue.hasPrefix("image/") }?.rawValue ?? ""
    return String(image.dropFirst("image/".count).prefix { $0 != ";" && $0 != "+" })
  }
}

/// A size for people: 999 bytes, 1.2 kB, 35 MB.
public func byteText(_ count: Int) -> String {
  guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
  var (value, unit) = (Double(count), 0)
  let units = ["bytes", "kB", "MB", "GB", "TB"]
  while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
  let tenths = Int((value * 10).rounded())
  return tenths < 100 && tenths % 10 != 0
    ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\((tenths + 5) / 10) \(units[unit])"
}
