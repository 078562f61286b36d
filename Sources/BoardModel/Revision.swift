/// What one edit made of a board: the step from one revision to the next.
public struct Revision: Hashable, Sendable {
  /// The revision before the edit.
  public let from: UInt64

  /// The revision after it.
  public let to: UInt64

  /// What was changed, to be applied one after the other; `[.reset]` where that would be more than
  /// `mostChanges`.
  public let changes: [Change]

  /// The most changes that a revision tells one by one.
  public static let mostChanges = 10_000

  /// Makes the revision after `from`; more than `mostChanges` become a reset.
  public init(from: UInt64, changes: [Change]) {
    self.from = from
    self.to = from + 1
    self.changes = changes.count > Self.mostChanges ? [.reset] : changes
  }
}
