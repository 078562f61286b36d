/// The file `/.flatpak-info` of a Flatpak sandbox.
///
/// Source: flatpak-metadata(5); the file is in the format of GLib's key files.
public enum FlatpakInfo {
  /// The id of the application, or of the runtime that runs by itself; nil where the file gives none that is one.
  public static func applicationID(in text: String) -> ApplicationID? {
    let names = names(in: text)
    return (names["Application"] ?? names["Runtime"]).flatMap { try? ApplicationID($0) }
  }

  /// The value of the key `name` of each group; of several the last counts.
  private static func names(in text: String) -> [String: String] {
    var names: [String: String] = [:]
    var group = ""
    for line in text.split(whereSeparator: \.isNewline).map(trimmed) {
      if line.first == "[", line.last == "]" {
        group = String(line.dropFirst().dropLast())
      } else if let mark = line.firstIndex(of: "="), trimmed(line[..<mark]) == "name" {
        names[group] = String(trimmed(line[line.index(after: mark)...]))
      }
    }
    return names
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { start[...$0] } ?? start.prefix(0)
  }
}
