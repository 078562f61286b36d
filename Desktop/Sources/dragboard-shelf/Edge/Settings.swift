import CGtk4
import ShelfModel

/// The persistent settings of the shelf: `dragboard/shelf.ini` in the user's configuration
/// directory.
enum Settings {
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

  private static let group = "Window"
  private static let directory = "\(String(cString: g_get_user_config_dir()))/dragboard"
  private static let path = "\(directory)/shelf.ini"

  private static let file = {
    let file = made(g_key_file_new())
    // A missing or unreadable file has no settings.
    g_key_file_load_from_file(file, path, G_KEY_FILE_KEEP_COMMENTS, nil)
    return file
  }()

  private static func save() {
    g_mkdir_with_parents(directory, 0o700)
    var error: UnsafeMutablePointer<GError>?
    g_key_file_save_to_file(file, path, &error)
    guard let error else { return }
    StandardError.write("dragboard-shelf: \(String(cString: error.pointee.message))\n")
    g_error_free(error)
  }
}
