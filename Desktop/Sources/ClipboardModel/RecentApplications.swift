/// The applications that have copied or had the focus lately, from which the user chooses exclusions.
///
/// They are names of applications only, and never titles of windows.
public struct RecentApplications: Sendable {
  /// The maximum number of names.
  public static let maxCount = 32
  /// The maximum number of bytes of a name, which is also that of an exclusion.
  static let maxNameBytes = 256

  /// The names, the latest first.
  public private(set) var names: [String] = []

  /// Creates an empty list.
  public init() {}

  /// Records an application.
  ///
  /// A name that cannot be an exclusion is ignored.
  public mutating func note(_ name: String) {
    guard name != names.first, 1...Self.maxNameBytes ~= name.utf8.count,
      !name.utf8.contains(where: { $0 < 32 || $0 == UInt8(ascii: "*") })
    else { return }
    names.removeAll { $0 == name }
    names.insert(name, at: 0)
    if names.count > Self.maxCount { names.removeLast() }
  }
}
