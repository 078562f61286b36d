/// The part of a copy that GNOME itself offers after the owner of the copy has exited: the plain
/// text or the picture.
///
/// Source: `src/core/meta-clipboard-manager.c` of Mutter.
public enum KeptPart {
  /// Returns whether an offer may be the part that GNOME has kept of an earlier copy.
  ///
  /// - Parameters:
  ///   - names: the names of the offer.
  ///   - earlier: the names of the earlier offer.
  /// - Returns: false if the offer is certainly a new copy.
  public static func isPart(_ names: [String], of earlier: [String]) -> Bool {
    guard let name = names.first, names.count == 1, earlier.contains(name) else { return false }
    return name.hasPrefix("text/plain") || name.hasPrefix("image/")
  }
}
