/// The bytes of a representation, wherever they are.
///
/// The model asks only how many they are; whoever drags or drops knows how to get at them.
public protocol RepresentationContent: Sendable {
  /// How many bytes count against the limits.
  var byteCount: Int { get }
}

/// One form that an item can be had in.
public struct Representation: Sendable {
  /// What the bytes are.
  public let type: ContentType
  /// Who may see that there is this form; nobody while its bytes are still being taken over.
  public let visibility: Visibility?
  /// The bytes.
  public let content: any RepresentationContent

  /// Describes a form of an item.
  public init(type: ContentType, visibility: Visibility, content: any RepresentationContent) {
    self.type = type
    self.visibility = visibility
    self.content = content
  }

  /// Keeps the place of a form.
  init(reserving type: ContentType) {
    self.type = type
    visibility = nil
    content = NoContent()
  }

  /// Whether a viewer sees it; see ``ItemProvider`` for `reach`.
  func isVisible(within reach: Visibility) -> Bool {
    visibility.map { $0 >= reach } ?? false
  }
}

/// What a place holds that is only kept.
private struct NoContent: RepresentationContent {
  let byteCount = 0
}
