/// The file `/.flatpak-info` of a Flatpak sandbox.
///
/// Flatpak writes the file with GLib, and includes text that the application chose in its manifest.
/// So an id is accepted only if GLib would read the same id: see `KeyFile`.
///
/// Source: flatpak-metadata(5).
public enum FlatpakInfo {
  /// Returns the id of the application, or of the runtime if there is no application; nil if the
  /// file has no valid id.
  public static func applicationID(in bytes: [UInt8]) -> ApplicationID? {
    guard let file = KeyFile(bytes) else { return nil }
    let group = file.hasGroup("Application") ? "Application" : "Runtime"
    // A key file escapes no character that an id can have, so a valid id needs no unescaping.
    guard let name = file.value(of: "name", in: group) else { return nil }
    return try? ApplicationID(String(decoding: name, as: UTF8.self))
  }
}
