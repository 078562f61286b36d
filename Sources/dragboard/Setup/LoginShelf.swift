import Files
import Glibc

/// The start of the shelf with the session: a desktop file in the user's configuration directory.
///
/// The preferences of the shelf write the same file. Source: Desktop Application Autostart Specification.
enum LoginShelf {
  static let program = "dragboard-shelf"
  private static let file = "org.dragboard.Shelf.desktop"

  /// Whether the shelf starts at login.
  static var isOn: Bool { isOn(in: userDirectory) ?? isInstalledForAll }

  /// Writes or removes the file.
  ///
  /// - Throws: `CommandError` if the shelf is not installed, or the file cannot be written.
  static func set(_ isOn: Bool) throws {
    guard let directory = userDirectory else {
      throw CommandError(.inputOutput, "HOME is not set (expected the user's home directory)")
    }
    let path = "\(directory)/\(file)"
    // A file for all users may start the shelf. Then the user's file prevents this with the key Hidden.
    guard isOn || isInstalledForAll else {
      guard unlink(path) == 0 || errno == ENOENT else { throw CommandError.cannotOpen(path) }
      return
    }
    let program = isOn ? try Program.findSibling(program) : program
    let text = """
      [Desktop Entry]
      Type=Application
      Name=Shelf
      Comment=Put things down while you drag them from one place to another
      Exec=\(quotedForExec(program))
      Icon=org.dragboard.Shelf
      Terminal=false
      NoDisplay=true
      X-GNOME-Autostart-enabled=true
      \(isOn ? "" : "Hidden=true\n")
      """
    try createDirectory(directory)
    do throws(FileError) { try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644) } catch {
      throw CommandError.cannotOpen(path, code: error.code)
    }
  }

  private static var userDirectory: String? {
    Environment.directory(.configuration).map { "\($0)/autostart" }
  }

  private static var isInstalledForAll: Bool {
    let directories = Environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg"
    return directories.split(separator: ":").lazy
      .compactMap { isOn(in: "\($0)/autostart") }.first ?? false
  }

  /// Returns whether the file in a directory starts the shelf; nil if the file does not exist.
  private static func isOn(in directory: String?) -> Bool? {
    guard let directory, let bytes = try? InputFile(path: "\(directory)/\(file)").bytes() else {
      return nil
    }
    // Spaces around the equals sign have no meaning.
    return !String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
      line.filter { !$0.isWhitespace } == "Hidden=true"
    }
  }

  /// Creates a directory and its parents.
  private static func createDirectory(_ path: String) throws(CommandError) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw .cannotOpen(path)
    }
    try createDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .cannotOpen(path) }
  }

  /// Returns the path of a program, quoted for `Exec`.
  ///
  /// Source: Desktop Entry Specification, "The Exec key".
  private static func quotedForExec(_ path: String) -> String {
    let percents = path.replacing("%", with: "%%")
    let isPlain = percents.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"'\\><~|&;$*?#()`".utf8.contains(byte)
    }
    guard !isPlain else { return percents }
    // The value of a key is unescaped before the quotes are read: a backslash is written twice.
    let escaped = percents.map { "\"`$\\".contains($0) ? "\\\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }
}
