import DragboardClient
import Files
import Glibc

/// The types of file names in the desktop's MIME database (shared-mime-info).
///
/// Source: the Shared MIME-info Database specification, sections 2.4 and 2.15.
struct TypeDatabase: Sendable {
  /// A pattern of file names.
  private struct Glob {
    let type: ContentType
    let weight: Int
    let pattern: String
    /// The precedence of the data directory.
    let precedence: Int

    /// Returns whether the glob is better than another one with the same pattern.
    ///
    /// If several types have the same weight, the most general type, which has the shortest name, is
    /// best: `application/json` rather than `application/schema+json`.
    func isBetter(than other: Glob?) -> Bool {
      guard let other else { return true }
      return (weight, precedence, -type.rawValue.utf8.count)
        > (other.weight, other.precedence, -other.type.rawValue.utf8.count)
    }
  }

  /// The database of the user and the system.
  static let standard = TypeDatabase(directories: directories)

  /// The patterns without wildcards, such as `makefile`, in lower case.
  private var literals: [String: Glob] = [:]
  /// The patterns of the form `*.tar.gz`, by their extensions without the first dot, in lower case.
  private var endings: [String: Glob] = [:]
  /// The patterns of the form `*.C` that distinguish upper and lower case.
  private var casedEndings: [String: Glob] = [:]
  /// All other patterns.
  private var others: [Glob] = []
  /// The best extensions of types, without the first dot.
  private var bestEndings: [ContentType: (weight: Int, ending: String)] = [:]

  /// Reads the database from `mime/globs2` in data directories; the first directory has precedence.
  init(directories: [String]) {
    for (precedence, directory) in directories.reversed().enumerated() {
      guard let bytes = try? InputFile(path: "\(directory)/mime/globs2").bytes() else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")) { read(line, precedence) }
    }
  }

  /// The data directories of the user and the system.
  static var directories: [String] {
    let home = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { "\($0)/.local/share" }
    let system = Environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    return (home.map { [$0] } ?? []) + system.split(separator: ":").map(String.init)
  }

  /// Reads a line `weight:type:pattern` or `weight:type:pattern:flags`.
  private mutating func read(_ line: ArraySlice<UInt8>, _ precedence: Int) {
    let colon = UInt8(ascii: ":")
    let fields = line.split(separator: colon, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard fields.count >= 3, line.first != UInt8(ascii: "#"), let weight = Int(fields[0]) else {
      return
    }
    let isCased = fields.count > 3 && fields[3].split(separator: ",").contains("cs")
    if fields[2] == "__NOGLOBS__" { return remove(ContentType(fields[1])) }
    add(
      Glob(
        type: ContentType(fields[1]), weight: weight, pattern: fields[2], precedence: precedence),
      isCased: isCased)
  }

  private mutating func add(_ glob: Glob, isCased: Bool) {
    let pattern = glob.pattern
    let rest = pattern.hasPrefix("*.") ? String(pattern.dropFirst(2)) : nil
    if let rest, !rest.contains(where: Self.isSpecial) {
      let key = isCased ? rest : rest.lowercased()
      let old = isCased ? casedEndings[key] : endings[key]
      guard glob.isBetter(than: old) else { return }
      if isCased { casedEndings[key] = glob } else { endings[key] = glob }
      noteBest(rest, of: glob)
    } else if !pattern.contains(where: Self.isSpecial) {
      literals[pattern.lowercased()] = glob
    } else {
      others.append(glob)
    }
  }

  private mutating func noteBest(_ ending: String, of glob: Glob) {
    let new = (weight: glob.weight, ending: ending)
    if let old = bestEndings[glob.type] {
      let order = (-new.weight, new.ending.count, new.ending)
      guard order < (-old.weight, old.ending.count, old.ending) else { return }
    }
    bestEndings[glob.type] = new
  }

  private mutating func remove(_ type: ContentType) {
    literals = literals.filter { $0.value.type != type }
    endings = endings.filter { $0.value.type != type }
    casedEndings = casedEndings.filter { $0.value.type != type }
    others.removeAll { $0.type == type }
  }

  private static func isSpecial(_ character: Character) -> Bool { "*?[".contains(character) }

  /// Whether the system has no database.
  var isEmpty: Bool { endings.isEmpty }

  /// Returns the type of a file name; nil if no pattern matches.
  func type(ofName name: String) -> ContentType? {
    let lower = name.lowercased()
    if let glob = literals[lower] { return glob.type }
    // The longest extension matches best.
    var (cased, rest) = (name[...], lower[...])
    while let dot = cased.firstIndex(of: "."), let lowerDot = rest.firstIndex(of: ".") {
      cased = cased[cased.index(after: dot)...]
      rest = rest[rest.index(after: lowerDot)...]
      if let glob = casedEndings[String(cased)] ?? endings[String(rest)] { return glob.type }
    }
    let matches = others.filter { fnmatch($0.pattern.lowercased(), lower, 0) == 0 }
    return matches.max { ($0.weight, $0.pattern.count) < ($1.weight, $1.pattern.count) }?.type
  }

  /// Returns the best extension of a type, with the dot; nil if the database has none.
  func ending(of type: ContentType) -> String? { bestEndings[type].map { ".\($0.ending)" } }
}
