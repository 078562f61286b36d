internal import Glibc

/// The start of the shelf with the session: a desktop file in the user's configuration directory.
///
/// The shelf, `dragboard setup` and `packaging/install --autostart` write the same file. Source: Desktop
/// Application Autostart Specification.
public struct ShelfAutostart: Sendable {
  private static let name = "org.dragboard.Shelf.desktop"
  private let directory: String
  private let directoriesForAll: [String]

  /// Finds the directories of an environment; nil if it has no home directory.
  ///
  /// - Parameter environment: the environment; the default is that of this process.
  public init?(_ environment: Environment = Environment()) {
    guard let home = environment.directory(.configuration) else { return nil }
    directory = "\(home)/autostart"
    directoriesForAll = (environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg").split(separator: ":")
      .map { "\($0)/autostart" }
  }

  /// Whether the shelf starts with the session.
  public var isOn: Bool { Self.isOn(in: directory) ?? isOnForAll }

  /// Starts the shelf with later sessions.
  ///
  /// - Parameter program: the path of the shelf.
  /// - Throws: the error of the system.
  public func turnOn(starting program: String) throws(FileError) {
    try write("Exec=\(Self.quotedForExec(program))", isHidden: false)
  }

  /// Ends the start of the shelf at login.
  ///
  /// If a file for all users starts the shelf, a file of the user with the key `Hidden` prevents this.
  /// Otherwise the user's file is removed.
  ///
  /// - Throws: the error of the system.
  public func turnOff() throws(FileError) {
    if isOnForAll { return try write("Exec=dragboard-shelf", isHidden: true) }
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
  }

  private var path: String { "\(directory)/\(Self.name)" }

  private func write(_ exec: String, isHidden: Bool) throws(FileError) {
    let text = """
      [Desktop Entry]
      Type=Application
      Name=Shelf
      Comment=Put things down while you drag them from one place to another
      \(exec)
      Icon=org.dragboard.Shelf
      Terminal=false
      NoDisplay=true
      X-GNOME-Autostart-enabled=true
      \(isHidden ? "Hidden=true\n" : "")
      """
    try Directories.create(directory)
    try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
  }

  private var isOnForAll: Bool {
    directoriesForAll.lazy.compactMap(Self.isOn).first ?? false
  }

  /// Returns whether the file in a directory starts the shelf; nil if the file does not exist.
  private static func isOn(in directory: String) -> Bool? {
    guard let file = try? FileDescriptor(opening: "\(directory)/\(name)", O_RDONLY),
      let bytes = try? file.readPrefix(maxByteCount)
    else { return nil }
    // Spaces around the equals sign have no meaning.
    return !String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
      line.filter { !$0.isWhitespace } == "Hidden=true"
    }
  }

  /// The maximum size of a file that is read; a desktop file is smaller.
  private static let maxByteCount = 65_536

  /// Returns the path of a program, quoted for `Exec`.
  ///
  /// Source: Desktop Entry Specification, "The Exec key".
  static func quotedForExec(_ path: String) -> String {
    let percents = path.replacing("%", with: "%%")
    let isPlain = percents.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"'\\><~|&;$*?#()`".utf8.contains(byte)
    }
    guard !isPlain else { return percents }
    // The value of a key is unescaped before the quotes are read, so each backslash is written twice.
    return "\""
      + percents.map { character in
        switch character {
        case "\"", "`", "$": "\\\\\(character)"
        case "\\": #"\\\\"#
        case "\n": #"\n"#
        case "\t": #"\t"#
        case "\r": #"\r"#
        default: "\(character)"
        }
      }.joined() + "\""
  }
}
