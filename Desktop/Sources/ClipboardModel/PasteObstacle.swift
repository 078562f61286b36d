/// The reason why a row was copied, but not pasted.
///
/// The raw value is a sentence for the user. `po/update` extracts all texts of this file, and the shelf
/// translates the sentence that the bridge sends.
public enum PasteObstacle: String, Error, Hashable, Sendable, CaseIterable {
  /// The caller has not called `PreparePaste` before.
  case unprepared = "The window to paste into is not known."
  case noWindow = "No window had the focus before."
  case windowGone = "The window to paste into was closed."
  case focusElsewhere = "Another window has the focus now."
  case locked = "The screen is locked."
  case keyboardGrabbed = "An open menu or another program has the keyboard."
  case keysHeld = "A key is held down."
  case primaryTaken = "Another program has selected something at the same moment."
  case noKey = "The keyboard has no key that pastes."
  case unsupported = "This desktop lets no program paste. Press the keys that paste."
  /// The desktop requires a permission, which the user has not granted.
  case permissionMissing = "The desktop asks once whether Dragboard may press keys."
  case noExtension = "On GNOME, Dragboard's extension pastes. It is not enabled."
  case refused = "The desktop refused to paste."
}
