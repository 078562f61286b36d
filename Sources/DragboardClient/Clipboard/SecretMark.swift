/// The names by which programs mark a copy as a secret.
///
/// The owner of a clipboard offers such a name beside the types of the copy. The name alone is the
/// mark: to read its bytes, a program would have to request a part of a copy that may be secret.
public enum SecretMark {
  /// The parts of a name that make it a mark, in lower case.
  ///
  /// A part is enough, because toolkits add prefixes, such as `text/`,
  /// `application/x-qt-windows-mime;value="`, and `electron application/osclipboard;format="`.
  private static let parts = [
    // KDE's Klipper; also set by KeePassXC and GNOME Secrets, and by private windows of Firefox.
    "passwordmanagerhint",
    // Microsoft, "Clipboard Formats", section "Cloud Clipboard and Clipboard History Formats".
    // A value of 1 would allow the history, but programs offer these names to forbid it.
    "excludeclipboardcontentfrommonitorprocessing", "canincludeinclipboardhistory",
    "canuploadtocloudclipboard",
    // Windows programs before these formats existed.
    "clipboard viewer ignore",
    // nspasteboard.org, "Identifying and Handling Transient or Special Data on the Clipboard".
    "nspasteboard.concealedtype", "nspasteboard-concealed-type", "nspasteboard.transienttype",
    "de.petermaurer.transientpasteboardtype", "com.agilebits.onepassword",
    // CopyQ, `mimetypes.h`.
    "application/x-copyq-secret",
  ]

  /// Returns whether a name marks a copy as a secret.
  ///
  /// - Parameter name: a name that the owner of the clipboard offers, such as
  ///   `x-kde-passwordManagerHint`.
  /// - Returns: whether the copy must be neither read nor stored.
  public static func marks(_ name: String) -> Bool {
    let name = name.lowercased()
    return parts.contains { name.contains($0) }
  }
}
