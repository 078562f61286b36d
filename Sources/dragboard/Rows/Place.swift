import ArgumentParser

/// A place on a board as a person writes it: `3`, `later:3`, `1:3`; `later:` for the end of a
/// section.
///
/// A row without a section is in the first. A section is its name, or its number from 0 on; a name
/// that is a number takes precedence.
struct Place: Equatable, Sendable {
  /// The section as it was named; nil for the first.
  let section: String?
  /// The row; nil for the end.
  let row: Int?
}

extension Place: ExpressibleByArgument {
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

/// The names of a board's sections, to look one up.
struct SectionNames {
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  /// The index of a section; nil is the first.
  func index(of section: String?) throws(CommandError) -> Int {
    guard let section, !section.isEmpty else { return 0 }
    if let index = names.firstIndex(of: section) { return index }
    if let index = Int(section), names.indices.contains(index) { return index }
    throw CommandError(
      .notFound, "there is no section '\(section)'; there are: \(names.joined(separator: ", "))")
  }
}
