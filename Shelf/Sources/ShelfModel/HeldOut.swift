public import DragboardClient

/// Something that can be held out to another application: a row of a board, or an item of a drag.
public protocol HeldOut: Sendable {
  /// Its types in order of fidelity.
  var types: [ContentType] { get }
  /// What a file of it would be called; "" where nobody has said.
  var suggestedName: String { get }
}

/// What something is to whoever looks at it.
public enum RowKind: Hashable, Sendable {
  /// Text.
  case text
  /// A picture.
  case image
  /// Files, or addresses.
  case addresses
  /// A page with marks.
  case markup
  /// Anything else.
  case other
}

extension HeldOut {
  /// What it is: addresses before text that goes with them, pictures before everything.
  public var kind: RowKind {
    let bases = types.map { $0.rawValue.prefix { $0 != ";" } }
    if bases.contains(where: { $0.hasPrefix("image/") }) { return .image }
    if bases.contains("text/uri-list") { return .addresses }
    if bases.contains("text/plain") { return .text }
    if bases.contains("text/html") { return .markup }
    return bases.contains { $0.hasPrefix("text/") } ? .text : .other
  }

  /// What people call its kind; its first type where they have no word for it, nil where it has none.
  public var kindName: String? {
    switch kind {
    case .image: "Image"
    case .addresses: "Link"
    case .markup: "Formatted text"
    case .text: "Text"
    case .other: types.first?.rawValue
    }
  }

  /// The name of a file of it: the suggested name made safe, or its kind with the usual extension.
  public var fileName: FileName {
    if let name = FileName(suggested: suggestedName) { return name }
    let type = types.first?.rawValue.prefix { $0 != ";" } ?? ""
    let subtype = type.drop { $0 != "/" }.dropFirst().prefix { $0 != "+" }
    let ending = ["plain": "txt", "jpeg": "jpg", "octet-stream": "bin"][String(subtype)]
    return FileName("\(kind == .image ? "Image" : "Item").\(ending ?? String(subtype))")
  }
}
