/// The types of a copy and the hashes of their bytes, which identify the content of the copy.
///
/// Some programs claim the clipboard after each copy and offer some of its types. Such a claim has
/// no new content.
public struct Fingerprint: Hashable, Sendable {
  /// The hash of the bytes for each type.
  ///
  /// The hashes depend on a secret of the process, so no program can create two contents with equal
  /// hashes.
  private let hashes: [String: Int]

  /// Creates a fingerprint.
  ///
  /// - Parameter hashes: the hash of the bytes for each type.
  public init(_ hashes: [String: Int]) { self.hashes = hashes }

  /// Returns whether another copy has all types of this copy, with the same bytes.
  public func isContained(in other: Fingerprint) -> Bool {
    hashes.allSatisfy { other.hashes[$0.key] == $0.value }
  }
}
