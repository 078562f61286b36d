public import DragboardClient

/// The kind of a row in a stack, to describe the stack.
public enum StackedKind: Hashable, Sendable {
  /// A picture, or a picture file.
  case picture
  /// A PDF document.
  case pdf
  /// A video.
  case video
  /// A folder.
  case folder
  /// Another file.
  case file
  /// A link.
  case link
  /// A text, with or without markup.
  case text
  /// Anything else.
  case other

  /// Creates the kind of a row.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - fileType: the type of its file; nil if it has none.
  public init(_ row: some HeldOut, fileType: ContentType?) {
    self =
      switch row.kind {
      case .image: .picture
      case .text, .markup: .text
      case .other: .other
      case .addresses: fileType.map(Self.init(fileOf:)) ?? .link
      }
  }

  private init(fileOf type: ContentType) {
    self =
      switch type.rawValue.prefix(while: { $0 != ";" }) {
      case "application/pdf": .pdf
      case "inode/directory": .folder
      case let name where name.hasPrefix("image/"): .picture
      case let name where name.hasPrefix("video/"): .video
      default: .file
      }
  }

  /// Returns the description of a stack: "3 PDF documents", or "3 items" if its rows have several
  /// kinds.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - kinds: the kinds of the rows; nil for an unknown kind.
  /// - Returns: the description.
  public static func summary(of count: Int, _ kinds: [StackedKind?]) -> String {
    let kind = Set(kinds).count == 1 ? kinds[0] : nil
    return switch kind {
    case .picture: counted("One picture", "%1 pictures", count)
    case .pdf: counted("One PDF document", "%1 PDF documents", count)
    case .video: counted("One video", "%1 videos", count)
    case .folder: counted("One folder", "%1 folders", count)
    case .file: counted("One file", "%1 files", count)
    case .link: counted("One link", "%1 links", count)
    case .text: counted("One text", "%1 texts", count)
    case .other, nil: counted("One item", "%1 items", count)
    }
  }
}
