import ArgumentParser
import Files

/// The shortcut that opens the shelf: a custom shortcut of GNOME.
enum ShelfShortcut {
  /// The keys of the shortcut.
  enum Keys: ExpressibleByArgument, Equatable, CustomStringConvertible {
    case none
    case keys(String)

    /// Accepts `none`, and keys with a modifier as GTK writes them: `<Super><Shift>v`.
    init?(argument: String) {
      if argument == "none" {
        self = .none
        return
      }
      let form = /(<(Super|Control|Ctrl|Primary|Shift|Alt|Meta)>)+[A-Za-z0-9_]{1,32}/
      guard argument.wholeMatch(of: form) != nil else { return nil }
      self = .keys(argument)
    }

    var description: String {
      switch self {
      case .none: "none"
      case .keys(let keys): keys
      }
    }
  }

  /// The hint for a desktop without this setting.
  static let otherDesktops =
    "To open the shelf with a shortcut, bind keys to the command dragboard-shelf in the settings of the desktop."

  private static let schema = "org.gnome.settings-daemon.plugins.media-keys"
  private static let path =
    "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/dragboard-shelf/"
  private static let entry = "\(schema).custom-keybinding:\(path)"

  /// The present shortcut; nil if the desktop is not GNOME.
  static var state: Keys? {
    guard let paths else { return nil }
    guard paths.contains(path), let text = try? gsettings("get", entry, "binding") else {
      return Keys.none
    }
    let keys = strings(in: text).first ?? ""
    return keys.isEmpty ? Keys.none : .keys(keys)
  }

  /// Sets or removes the shortcut; the user's other shortcuts stay.
  ///
  /// - Throws: `CommandError` with the message of gsettings, or if the shelf is not installed.
  static func set(_ keys: Keys) throws {
    let others = (paths ?? []).filter { $0 != path }
    switch keys {
    case .none:
      guard paths != others else { return }
      try gsettings("set", schema, "custom-keybindings", list(others))
      for key in ["name", "command", "binding"] { try gsettings("reset", entry, key) }
    case .keys(let keys):
      // GNOME divides the command into words as a shell does.
      let command = ShellWord.quoted(try Program.findSibling(LoginShelf.program))
      for (key, value) in [("name", "Shelf"), ("command", command), ("binding", keys)] {
        try gsettings("set", entry, key, quoted(value))
      }
      try gsettings("set", schema, "custom-keybindings", list(others + [path]))
    }
  }

  /// The paths of all custom shortcuts; nil if the desktop is not GNOME.
  private static var paths: [String]? {
    let desktops = Environment["XDG_CURRENT_DESKTOP"]?.split(separator: ":") ?? []
    guard desktops.contains("GNOME") else { return nil }
    return (try? gsettings("get", schema, "custom-keybindings")).map { strings(in: $0) }
  }

  /// Runs gsettings, and returns its output.
  @discardableResult
  private static func gsettings(_ arguments: String...) throws -> String {
    guard let program = Program.onPath("gsettings") else {
      throw CommandError(.notFound, "gsettings is not installed")
    }
    let (status, output) = try Subprocess.output(of: program, arguments)
    let text = String(decoding: output, as: UTF8.self)
    guard status == 0 else {
      let message = text.split(separator: "\n").first ?? "no message"
      throw CommandError(.failure, "gsettings: \(message)")
    }
    return text
  }

  /// Returns the strings of a list in the form of GVariant; strings in these settings contain no quotes.
  private static func strings(in value: String) -> [String] {
    value.matches(of: /'([^']*)'/).map { String($0.1) }
  }

  private static func list(_ strings: [String]) -> String {
    strings.isEmpty ? "@as []" : "[" + strings.map(quoted).joined(separator: ", ") + "]"
  }

  /// Returns a string as GVariant writes it.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
