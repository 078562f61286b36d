/// The names of the atoms that owners of X11's clipboard have offered.
///
/// Other programs can create any number of atoms, with names of up to 64 KiB, so the number and the
/// size of the stored names are limited.
public struct AtomNames: Sendable {
  /// The maximum size of a name, which is Wayland's.
  ///
  /// A longer name is not a MIME type.
  public static let maxNameBytes = 255
  /// The number of stored names after which all are removed.
  static let maxCount = 4_096

  private var names: [UInt32: String] = [:]

  /// Creates an empty store.
  public init() {}

  /// Returns the names of atoms in order; omits invalid atoms and names that are too long.
  ///
  /// - Parameters:
  ///   - atoms: the atoms.
  ///   - request: gets the atoms whose names are not stored, and returns the bytes of each name; nil
  ///     if the atom is invalid.
  /// - Returns: the names.
  public mutating func names(
    of atoms: [UInt32], requesting request: ([UInt32]) -> [[UInt8]?]
  ) -> [String] {
    // Remove names before the lookup. Otherwise a stored name would be missing in the result, and it
    // could mark a secret.
    if names.count > Self.maxCount { names = [:] }
    let unknown = Array(Set(atoms).filter { names[$0] == nil })
    for (atom, name) in zip(unknown, request(unknown)) {
      guard let name, name.count <= Self.maxNameBytes else { continue }
      names[atom] = String(decoding: name, as: UTF8.self)
    }
    return atoms.compactMap { names[$0] }
  }
}
