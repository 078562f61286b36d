import Files

/// The start of the shelf with the session.
enum LoginShelf {
  static let program = "dragboard-shelf"

  /// Whether the shelf starts at login.
  static var isOn: Bool { ShelfAutostart()?.isOn ?? false }

  /// Switches the start at login on or off.
  ///
  /// - Throws: `CommandError` if the shelf is not installed, or the file cannot be written.
  static func set(_ isOn: Bool) throws {
    guard let autostart = ShelfAutostart() else {
      throw CommandError(.inputOutput, "HOME is not set (expected the user's home directory)")
    }
    let path = isOn ? try Program.findSibling(program) : nil
    do throws(FileError) {
      if let path { try autostart.turnOn(starting: path) } else { try autostart.turnOff() }
    } catch { throw CommandError.cannotOpen(error.path, code: error.code) }
  }
}
