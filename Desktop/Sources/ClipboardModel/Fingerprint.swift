/// The types of a copy and the hashes of their bytes: enough to recognize the copy again.
///
/// Some programs take over the clipboard after each copy, with a part of the types. Such a copy
/// has nothing new.
public struct Fingerprint: Hashable, Sendable {
  /// The hash of the bytes for each type.
  ///
  /// The hashes have a secret of the process, so that no program can make equal ones.
  private let hashes: [String: Int]

  /// Creates a fingerprint.
  ///
  /// - Parameter hashes: the hash of the bytes for each type.
  public init(_ hashes: [String: Int]) { self.hashes = hashes }

  /// Returns whether another copy has everything that this one has.
  public func isContained(in other: Fingerprint) -> Bool {
    hashes.allSatisfy { other.hashes[$0.key] == $0.value }
  }
}
