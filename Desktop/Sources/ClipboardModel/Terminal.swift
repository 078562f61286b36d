/// The terminals, in which a pasted text can run commands.
public enum Terminal {
  /// Patterns for the names of terminals.
  private static let patterns = [
    "*term", "*terminal*", "*-terminal", "alacritty", "*blackbox*", "contour", "*.console", "foot",
    "footclient", "*ghostty", "guake", "hyper", "kgx", "*kitty", "*konsole", "*ptyxis", "rio",
    "*rxvt*", "st", "tabby", "terminator", "terminology", "tilda", "*tilix", "warp*", "wezterm*",
    "*yakuake", "zutty",
  ]

  /// Returns whether a program is a terminal, or may be one because it has no known name.
  public static func mayBe(_ program: ProgramNames) -> Bool {
    program.all.isEmpty
      || program.all.contains { name in patterns.contains { Exclusions.glob($0, matches: name) } }
  }

  /// Patterns for the names of programs that paste the primary selection with Shift+Insert, and
  /// nothing with Control+V: terminals, and one editor.
  ///
  /// Other terminals, such as Konsole, paste the clipboard.
  private static let selectionPatterns = [
    "alacritty", "foot", "footclient", "gvim", "gnome-terminal*", "kgx", "kitty", "lxterminal",
    "mate-terminal", "org.gnome.console", "org.gnome.terminal", "ptyxis", "*rxvt*", "terminator",
    "tilix", "xfce4-terminal", "xterm", "uxterm",
  ]

  /// Returns whether a program is known to paste the primary selection with Shift+Insert.
  public static func pastesSelection(_ program: ProgramNames) -> Bool {
    program.all.contains { name in
      selectionPatterns.contains { Exclusions.glob($0, matches: name) }
    }
  }

  /// Returns whether a text contains a line end or another control character.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8, or a part of it.
  ///   - previous: the last byte of the part before it; 0 at the beginning.
  /// - Returns: whether one was found.
  public static func hasControls(_ bytes: UnsafeRawBufferPointer, after previous: UInt8) -> Bool {
    var previous = previous
    for byte in bytes {
      // In UTF-8, the control characters U+0080 to U+009F begin with the byte C2.
      if byte < 0x20 || byte == 0x7F || previous == 0xC2 && 0x80...0x9F ~= byte { return true }
      previous = byte
    }
    return false
  }
}
