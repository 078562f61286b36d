import CGtk4
import Logging
import DragboardClient
import Files
import Glibc
import ShelfModel

/// The settings of the shelf, which are stored in `dragboard/shelf.ini` in the user's configuration
/// directory.
enum ShelfSettings {
  /// The side of the screen; nil for an ordinary window.
  static var edge: ScreenSide? {
    get {
      guard let text = g_key_file_get_string(file, group, "edge", nil) else { return nil }
      defer { g_free(text) }
      return ScreenSide(rawValue: String(cString: text))
    }
    set {
      g_key_file_set_string(file, group, "edge", newValue?.rawValue ?? "none")
      save()
    }
  }

  /// Whether the shelf opens when another program begins a drag.
  static var opensForDrags: Bool {
    get { g_key_file_get_boolean(file, group, "open-for-drags", nil) != 0 }
    set {
      g_key_file_set_boolean(file, group, "open-for-drags", newValue ? 1 : 0)
      save()
    }
  }

  /// The time between the beginning of a drag and the opening of the shelf.
  ///
  /// A drag that ends earlier opens no shelf.
  static var openingDelay: Duration {
    get { .milliseconds(min(max(Int(number("open-for-drags-after")), 0), 60_000)) }
    set {
      g_key_file_set_integer(file, group, "open-for-drags-after", gint(newValue / .milliseconds(1)))
      save()
    }
  }

  /// Patterns for the names of programs whose drags do not open the shelf; a `*` matches any
  /// characters.
  static var quietApplications: [String] {
    get { list("no-open-for-drags-of") }
    set { setList("no-open-for-drags-of", newValue) }
  }

  /// Whether a shortcut opens the picker.
  static var hasPickerShortcut: Bool {
    get { g_key_file_get_boolean(file, group, "picker-shortcut-on", nil) != 0 }
    set {
      g_key_file_set_boolean(file, group, "picker-shortcut-on", newValue ? 1 : 0)
      save()
    }
  }

  /// Whether the picker has asked the user for the permission to press keys.
  static var hasAskedToPaste: Bool {
    get { g_key_file_get_boolean(file, group, "asked-to-paste", nil) != 0 }
    set {
      g_key_file_set_boolean(file, group, "asked-to-paste", newValue ? 1 : 0)
      save()
    }
  }

  /// The keys that open the picker; they have no effect if the desktop chooses the keys.
  static var pickerKeys: ShortcutKeys {
    guard let text = g_key_file_get_string(file, group, "picker-shortcut", nil) else {
      return .standard
    }
    defer { g_free(text) }
    return ShortcutKeys(String(cString: text)) ?? .standard
  }

  /// Whether the user has answered the questions of the first start, or closed them.
  ///
  /// A user of an earlier release, who has settings, is not asked.
  static var hasAsked: Bool {
    get { !isNew || g_key_file_get_boolean(file, group, "asked", nil) != 0 }
    set {
      g_key_file_set_boolean(file, group, "asked", newValue ? 1 : 0)
      save()
    }
  }

  /// The size of the window, without its frame.
  static var size: (width: Int32, height: Int32) {
    get {
      let (width, height) = (number("width"), number("height"))
      return width > 0 && height > 0 ? (width, height) : (400, 600)
    }
    set {
      g_key_file_set_integer(file, group, "width", newValue.width)
      g_key_file_set_integer(file, group, "height", newValue.height)
      save()
    }
  }

  /// Whether the window is maximized.
  static var isMaximized: Bool {
    get { g_key_file_get_boolean(file, group, "maximized", nil) != 0 }
    set {
      g_key_file_set_boolean(file, group, "maximized", newValue ? 1 : 0)
      save()
    }
  }

  /// The ids of the boards in the order of their tabs.
  static var boards: [String] {
    get { list("boards") }
    set { setList("boards", newValue) }
  }

  /// Returns whether rows of a board are deleted after they were dragged to another application.
  static func removesDraggedOut(from board: BoardID) -> Bool {
    list("remove-after-drag").contains("\(board)")
  }

  /// Sets whether rows of a board are deleted after they were dragged to another application.
  static func setRemovesDraggedOut(_ removes: Bool, from board: BoardID) {
    let others = list("remove-after-drag").filter { $0 != "\(board)" }
    setList("remove-after-drag", removes ? others + ["\(board)"] : others)
  }

  /// The id of the board whose tab was in front; "" for none.
  static var selectedBoard: String {
    get { list("selected-board").first ?? "" }
    set { if newValue != selectedBoard { setList("selected-board", [newValue]) } }
  }

  private static func list(_ key: String) -> [String] {
    guard let list = g_key_file_get_string_list(file, group, key, nil, nil) else { return [] }
    defer { g_strfreev(list) }
    return (0..<Int(g_strv_length(list))).compactMap { list[$0].map { String(cString: $0) } }
  }

  private static func setList(_ key: String, _ newValue: [String]) {
    let names = newValue.map { g_strdup($0) }
    defer { for name in names { g_free(name) } }
    let pointers = names.map { $0.map { UnsafePointer($0) } } + [nil]
    g_key_file_set_string_list(file, group, key, pointers, gsize(names.count))
    save()
  }

  /// Whether files that are dropped or pasted together form a stack.
  static var stacksFiles: Bool {
    get {
      g_key_file_has_key(file, group, "stack-files", nil) == 0
        || g_key_file_get_boolean(file, group, "stack-files", nil) != 0
    }
    set {
      g_key_file_set_boolean(file, group, "stack-files", newValue ? 1 : 0)
      save()
    }
  }

  private static func number(_ key: String) -> Int32 {
    g_key_file_get_integer(file, group, key, nil)
  }

  private static let group = "Window"
  private static let directory = "\(String(cString: g_get_user_config_dir()))/dragboard"
  private static let path = "\(directory)/shelf.ini"

  /// Whether the file did not exist at the start.
  private static let isNew = access(path, F_OK) != 0

  private static let file = {
    _ = isNew
    let file = made(g_key_file_new())
    // If the file is missing or cannot be read, all settings have their defaults.
    g_key_file_load_from_file(file, path, G_KEY_FILE_KEEP_COMMENTS, nil)
    return file
  }()

  private static func save() {
    g_mkdir_with_parents(directory, 0o700)
    var error: UnsafeMutablePointer<GError>?
    g_key_file_save_to_file(file, path, &error)
    guard let error else { return }
    log.warning("\(String(cString: error.pointee.message))")
    g_error_free(error)
  }
}
