import Foundation

/// A Markdown document of the project, for tests that run its code.
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
    /// The text between this block and the block before it.
    public let paragraph: String
    /// The language, such as "sh".
    public let language: String
    /// The lines.
    public let code: String
  }

  /// The sections.
  ///
  /// The first section has no title, and contains everything before the first heading.
  public let sections: [Section]

  /// Reads a file of the checkout.
  ///
  /// - Throws: the error of the system.
  public init(_ path: String) throws {
    let parts = try "\n\(Checkout.text(of: path))".components(separatedBy: "\n## ")
    sections = parts.enumerated().map { index, part in
      let title = index == 0 ? "" : String(part.prefix { $0 != "\n" })
      return Section(title: title, blocks: Self.blocks(of: part))
    }
  }

  /// Returns the blocks below a heading; empty if there is no such heading.
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
