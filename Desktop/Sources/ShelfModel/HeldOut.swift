public import DragboardClient

/// Content that can be offered to another application: a row of a board, or an item of a drag.
public protocol HeldOut: Sendable {
  /// The types in order of fidelity.
  var types: [ContentType] { get }
  /// The suggested file name; "" without a suggestion.
  var suggestedName: String { get }
  /// The first line of its plain text; "" if it has none or if it is unknown.
  var firstLine: String { get }
  /// Whether it is a text that consists of the address of a link.
  var isLink: Bool { get }
  /// The meaning of a plain text; nil if it is unknown.
  var recognition: Recognition? { get }
}

extension HeldOut {
  /// Nothing is known about the text.
  public var firstLine: String { "" }
  /// Nothing is known about the text.
  public var isLink: Bool { false }
  /// Nothing is known about the text.
  public var recognition: Recognition? { isLink ? .link : nil }
}

/// The kind of content, as the shelf presents it.
public enum RowKind: Hashable, Sendable {
  /// Text.
  case text
  /// A picture.
  case image
  /// Files, or addresses.
  case addresses
  /// A page with markup.
  case markup
  /// Anything else.
  case other
}

extension ContentType {
  /// A link of Firefox, with its title.
  public static let mozillaLink: ContentType = "text/x-moz-url"
}

extension HeldOut {
  /// The kind.
  ///
  /// A picture takes precedence over all other types, and addresses take precedence over text.
  public var kind: RowKind {
    let bases = types.map { $0.rawValue.prefix { $0 != ";" } }
    if bases.contains(where: { $0.hasPrefix("image/") }) { return .image }
    if bases.contains("text/uri-list") || types.contains(.mozillaLink) { return .addresses }
    if bases.contains("text/plain") { return .text }
    if bases.contains("text/html") { return .markup }
    return bases.contains { $0.hasPrefix("text/") } ? .text : .other
  }

  /// The readable name of the kind.
  ///
  /// If the kind has no readable name, this is the first type; nil if there are no types.
  public var kindName: String? {
    switch kind {
    case .image: localized("Image")
    case .addresses: localized("Link")
    case .markup: localized("Formatted text")
    case .text: localized("Text")
    case .other: types.first.map { ShownText.line($0.rawValue) }
    }
  }

  /// Returns the readable name of the type; nil without types.
  ///
  /// For a picture, and for content of the kind `other`, this is the description of the type. In
  /// all other cases it is the name of the kind.
  ///
  /// - Parameter describe: returns the readable name of a type.
  /// - Returns: the name.
  public func typeName(describe: (ContentType) -> String) -> String? {
    switch kind {
    case .image, .other: mainType.map(describe)
    case .text, .markup, .addresses: kindName
    }
  }

  /// The type that determines the kind; for a picture, the first picture type.
  public var mainType: ContentType? {
    kind == .image ? types.first { $0.rawValue.hasPrefix("image/") } : types.first
  }

  /// The file name: the suggested name made safe; without a suggestion, the name of the kind with
  /// its usual extension.
  public var fileName: FileName { saved()?.name ?? FileName("Item") }
}
