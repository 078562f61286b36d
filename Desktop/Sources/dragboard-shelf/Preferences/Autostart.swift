import CGtk4
import Glibc

/// The autostart of the shelf: a desktop file in the user's configuration directory.
///
/// `packaging/install --autostart` installs the same file for one user. Source: Desktop Application
/// Autostart Specification.
enum Autostart {
  private static let name = "autostart/\(ShelfApplication.id).desktop"
  private static let group = "Desktop Entry"
  private static let path = "\(String(cString: g_get_user_config_dir()))/\(name)"

  /// Whether the shelf starts with the session.
  static var isOn: Bool {
    guard let file = read(path) else { return isInstalledForAll }
    defer { g_key_file_unref(file) }
    return g_key_file_get_boolean(file, group, "Hidden", nil) == 0
  }

  /// Installs or removes the file.
  ///
  /// - Throws: the error of the system.
  static func set(_ isOn: Bool) throws {
    // A file for all users may start the shelf. Then the user's file must stay, with the key
    // `Hidden`, to prevent the start.
    guard isOn || isInstalledForAll else {
      guard unlink(path) == 0 || errno == ENOENT else { throw ExportedFile.Failure(code: errno) }
      return
    }
    let file = made(g_key_file_new())
    defer { g_key_file_unref(file) }
    let text = String(decoding: PackageResources.autostart_desktop, as: UTF8.self)
    g_key_file_load_from_data(file, text, gsize.max, G_KEY_FILE_KEEP_COMMENTS, nil)
    if let program = Programs.own {
      g_key_file_set_string(file, group, "Exec", program.quotedForExec)
    }
    if !isOn { g_key_file_set_boolean(file, group, "Hidden", 1) }
    let directory = path.dropLast(name.utf8.count) + "autostart"
    guard g_mkdir_with_parents(String(directory), 0o700) == 0,
      g_key_file_save_to_file(file, path, nil) != 0
    else { throw ExportedFile.Failure(code: errno) }
  }

  private static var isInstalledForAll: Bool {
    guard let directories = g_get_system_config_dirs() else { return false }
    var next = directories
    while let directory = next.pointee {
      if let file = read("\(String(cString: directory))/\(name)") {
        defer { g_key_file_unref(file) }
        return g_key_file_get_boolean(file, group, "Hidden", nil) == 0
      }
      next += 1
    }
    return false
  }

  private static func read(_ path: String) -> OpaquePointer? {
    let file = made(g_key_file_new())
    if g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, nil) != 0 { return file }
    g_key_file_unref(file)
    return nil
  }
}

extension String {
  /// The path of a program, quoted for `Exec`.
  ///
  /// Source: Desktop Entry Specification, "The Exec key".
  fileprivate var quotedForExec: String {
    let percents = replacing("%", with: "%%")
    let isPlain = percents.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"'\\><~|&;$*?#()`".utf8.contains(byte)
    }
    guard !isPlain else { return percents }
    return "\"" + percents.map { "\"`$\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}
