/// The exclusions that apply until the user changes the lists.
///
/// They are ordinary entries of the lists: the user sees them and can remove them. Each names one
/// program or one kind of windows exactly, because a copy that is not stored is lost without a
/// message.
public enum DefaultExclusions {
  /// The version of the lists, which the file of the settings stores.
  ///
  /// If a later release adds entries, it adds only those to an older file, so that an entry that the
  /// user has removed does not return.
  public static let version = 1

  /// Password managers, by the names of their programs and by the ids of their applications.
  ///
  /// `secrets` of GNOME is a frequent word, so only its id and its path are here.
  public static let applications = [
    "*/bin/secrets", "1password", "bitwarden*", "buttercup*", "com.bitwarden.*", "enpass",
    "gnome-passwordsafe", "keepass.exe", "keepass2", "keepassxc", "keeperpasswordmanager",
    "kwalletmanager*", "nordpass", "onepassword", "org.gnome.PasswordSafe",
    "org.gnome.World.Secrets", "org.gnome.seahorse.*", "proton pass", "proton-pass", "qtpass",
    "seahorse",
  ]

  /// Private windows of Firefox, in the languages of Dragboard, and of Edge.
  ///
  /// Firefox marks the texts of private pages as secrets, but not the address of a page. The windows
  /// of Chromium have no different titles.
  public static let windows = [
    "* - [InPrivate] - Microsoft*Edge", "*Mozilla Firefox Private Browsing",
    "*Mozilla Firefox Privater Modus",
  ]
}
