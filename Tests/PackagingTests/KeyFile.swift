import Foundation

/// A desktop-style key file: groups of `key=value` lines, in which a key may occur several times.
///
/// Source: the Desktop Entry Specification, "Basic format of the file".
struct KeyFile {
  /// A line that does not have the syntax of key files.
  struct Malformed: Error {
    let line: String
  }

  private var groups: [String: [String: [String]]] = [:]

  init(_ text: String) throws {
    var group = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = String(line.dropFirst().dropLast())
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !group.isEmpty else { throw Malformed(line: String(line)) }
      groups[group, default: [:]][String(parts[0]), default: []].append(String(parts[1]))
    }
  }

  /// The value of a key; nil if the key is missing or occurs several times.
  subscript(group: String, key: String) -> String? {
    let values = groups[group]?[key] ?? []
    return values.count == 1 ? values[0] : nil
  }

  /// The values of each key of a group.
  subscript(group: String) -> [String: [String]] { groups[group] ?? [:] }
}
