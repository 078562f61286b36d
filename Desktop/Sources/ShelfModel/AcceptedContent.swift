public import DragboardClient

/// A kind of content that a board can accept, as the preferences name it.
public enum AcceptedContent: CaseIterable, Sendable {
  case everything, text, pictures, files

  /// The types and patterns of the kind.
  ///
  /// Applications offer files and links as a list of addresses, so a board for files also accepts
  /// links.
  public var types: [ContentType] {
    switch self {
    case .everything: [.any]
    case .text: ["text/plain", "text/html"]
    case .pictures: ["image/*"]
    case .files: [.uriList]
    }
  }

  /// Returns the kind that has exactly these types; nil for other types.
  public init?(_ types: [ContentType]) {
    guard let kind = Self.allCases.first(where: { Set($0.types) == Set(types) }) else { return nil }
    self = kind
  }

  /// The name of the kind.
  public var title: String {
    switch self {
    case .everything: localized("Everything")
    case .text: localized("Text")
    case .pictures: localized("Pictures")
    case .files: localized("Files")
    }
  }
}
