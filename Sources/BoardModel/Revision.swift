/// The changes of one edit, from one revision of a board to the next.
public struct Revision: Hashable, Sendable {
  /// The revision before the edit.
  public let from: UInt64

  /// The revision after the edit.
  public let to: UInt64

  /// The changes, to be applied in order; `[.reset]` if there are more than `maxChanges`.
  public let changes: [Change]

  /// The maximum number of changes in a revision.
  public static let maxChanges = 10_000

  /// Creates the revision after `from`; more than `maxChanges` changes become a reset.
  public init(from: UInt64, changes: [Change]) {
    self.from = from
    self.to = from + 1
    self.changes = changes.count > Self.maxChanges ? [.reset] : changes
  }
}
