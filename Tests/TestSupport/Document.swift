import Foundation

/// A document of the project in Markdown, for what can be run of it.
public struct Document: Sendable {
  /// A section below a heading of the second level.
  public struct Section: Sendable {
    /// The heading.
    public let title: String
    /// The blocks of code, in their order.
    public let blocks: [Block]
  }

  /// A block of code.
  public struct Block: Sendable {
    /// The text between the previous block and this block.
    public let paragraph: String
    /// The language: "sh".
    public let language: String
    /// The lines.
    public let code: String
  }

  /// The sections; the first, without a title, is what comes before the first heading.
  public let sections: [Section]

  /// Reads a file of the checkout.
  ///
  /// - Throws: what the system says.
  public init(_ path: String) throws {
    let parts = try "\n\(Checkout.text(of: path))".components(separatedBy: "\n## ")
    sections = parts.enumerated().map { index, part in
      let title = index == 0 ? "" : String(part.prefix { $0 != "\n" })
      return Section(title: title, blocks: Self.blocks(of: part))
    }
  }

  /// The blocks below a heading; none where there is no such heading.
  public func blocks(below title: String) -> [Block] {
    sections.first { $0.title == title }?.blocks ?? []
  }

  private static func blocks(of text: String) -> [Block] {
    let parts = text.components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(
        paragraph: parts[index - 1].trimmingCharacters(in: .whitespacesAndNewlines),
        language: String(lines[0]), code: lines.count > 1 ? String(lines[1]) : "")
    }
  }
}
