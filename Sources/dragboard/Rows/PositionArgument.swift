import ArgumentParser

/// A position on a board as a person writes it: `3`, `errands:3` or `1:3`; `errands:` for the end of a
/// section.
///
/// Without a section, the position is in the first section. A section is written as its name or its
/// index. If a name and an index match, the name takes precedence.
struct PositionArgument: Equatable, Sendable {
  /// The section as the user wrote it; nil for the first section.
  let section: String?
  /// The index of the row; nil for the end of the section.
  let row: Int?
}

extension PositionArgument: ExpressibleByArgument {
  static var defaultCompletionKind: CompletionKind { .places }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let rowText = parts.last ?? ""
    guard rowText.allSatisfy(\.isASCII) else { return nil }
    if rowText.isEmpty {
      guard parts.count > 1 else { return nil }
      row = nil
    } else {
      guard rowText.allSatisfy(\.isNumber), let number = Int(rowText) else { return nil }
      row = number
    }
    section = parts.count == 1 ? nil : parts.dropLast().joined(separator: ":")
  }

  var defaultValueDescription: String {
    (section.map { "\($0):" } ?? "") + (row.map { "\($0)" } ?? "")
  }
}

/// The names of a board's sections, and the search for a section.
struct SectionNames {
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  /// Returns the index of the section that the user wrote; nil for the first section.
  func index(of section: String?) throws(CommandError) -> Int {
    guard let section, !section.isEmpty else { return 0 }
    if let index = names.firstIndex(of: section) { return index }
    if let index = Int(section), names.indices.contains(index) { return index }
    throw CommandError(
      .notFound,
      "the board has no section '\(section)' (sections: \(names.joined(separator: ", ")))")
  }
}
