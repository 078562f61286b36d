/// The file `/.flatpak-info` of a Flatpak sandbox.
///
/// Flatpak writes it with GLib and includes text from the application's manifest. So an id counts
/// only if GLib reads the same one: see `KeyFile`.
///
/// Source: flatpak-metadata(5).
public enum FlatpakInfo {
  /// Returns the id of the application, or of a runtime without one; nil if the file gives no valid
  /// id.
  public static func applicationID(in bytes: [UInt8]) -> ApplicationID? {
    guard let file = KeyFile(bytes) else { return nil }
    let group = file.hasGroup("Application") ? "Application" : "Runtime"
    // An id has no character that a key file escapes, so the value needs no unescaping.
    guard let name = file.value(of: "name", in: group) else { return nil }
    return try? ApplicationID(String(decoding: name, as: UTF8.self))
  }
}
