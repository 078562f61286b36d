/// The state of the clipboard's content: the copy that is read, and the stored copy that returns.
///
/// A pure state machine: it reports the reads and the claims that the bridge performs. `Row` refers to a
/// stored copy.
public struct ClipboardState<Row: Sendable>: Sendable {
  /// An event of the clipboard, or of the read that the state has requested.
  public enum Event: Hashable, Sendable {
    /// Another program may now own the clipboard.
    case changing
    /// Another program owns the clipboard, and offers these names.
    ///
    /// A copy that is not readable must not be stored.
    case changed([String], isReadable: Bool)
    /// The clipboard has no owner.
    case emptied(isDeliberate: Bool)
    /// The present content must not be stored.
    case refused
    /// The bridge has claimed the clipboard.
    case claimed
    /// The read has ended; only a complete copy is stored.
    case read(isComplete: Bool)
  }

  /// The consequence of an event.
  public enum Action: Hashable, Sendable {
    case none
    /// Read the copy of the change with this number.
    case read(Int)
    /// After the copies that wait are stored, call ``restore(after:)`` with this number.
    case restore(Int)
  }

  /// The present content.
  private enum Content {
    /// A content that was not offered, such as one of the bridge.
    case unknown
    case reading
    /// A copy that was read completely.
    case complete
    /// A copy that must not be stored, or was not read completely.
    case ignored
    /// None, because the owner has exited or has emptied the clipboard.
    case empty(afterIgnored: Bool)

    var isIgnored: Bool {
      switch self {
      case .reading, .ignored, .empty(afterIgnored: true): true
      case .unknown, .complete, .empty(afterIgnored: false): false
      }
    }
  }

  /// A row that has the content of the clipboard.
  private struct Stored {
    let row: Row
    let fingerprint: Fingerprint
    /// The number of the change of the clipboard that brought the content.
    var change: Int
    /// Whether the bridge has claimed the clipboard again to restore the content.
    var isRestored = false
  }

  /// Whether the display itself offers a part of a content after the owner has exited.
  private let keepsPart: Bool
  /// The number of the latest change of the owner.
  private var change = 0
  private var content = Content.unknown
  /// The names of the latest offer.
  private var names: [String] = []
  /// The latest stored copy.
  private var stored: Stored?

  /// Creates the state of a clipboard whose content is unknown.
  ///
  /// - Parameter keepsPart: whether the display itself offers a part of a content after the owner
  ///   has exited.
  public init(keepsPart: Bool) { self.keepsPart = keepsPart }

  // MARK: Changes

  /// Changes the state.
  ///
  /// An event that replaces the owner ends the read: the display may now offer a part of the copy,
  /// so the copy must not be stored.
  @discardableResult
  public mutating func handle(_ event: Event) -> Action {
    let (next, action) = following(event)
    content = next
    return action
  }

  private mutating func following(_ event: Event) -> (Content, Action) {
    switch (event, content) {
    case (.changing, _):
      change += 1
      return (.unknown, .none)
    case (.changed(let offered, _), .empty(afterIgnored: true))
    where keepsPart && KeptPart.isPart(offered, of: names):
      // The previous copy was ignored and its owner has exited. This may be a part of the copy,
      // without the mark of a secret.
      change += 1
      return (.unknown, .none)
    case (.changed(let offered, let isReadable), _):
      change += 1
      names = offered
      return isReadable ? (.reading, .read(change)) : (.ignored, .none)
    case (.emptied(let isDeliberate), let previous):
      change += 1
      return (.empty(afterIgnored: previous.isIgnored), isDeliberate ? .none : .restore(change))
    case (.refused, .empty): return (.empty(afterIgnored: true), .none)
    case (.refused, _): return (.ignored, .none)
    case (.claimed, .reading): return (.unknown, .none)
    case (.claimed, let content): return (content, .none)
    case (.read(let isComplete), _): return (isComplete ? .complete : .ignored, .none)
    }
  }

  // MARK: The stored copy

  /// The row of the latest stored copy if it has all content of another copy.
  ///
  /// After a copy, another clipboard manager may claim the clipboard with some types of the copy.
  public func row(containing fingerprint: Fingerprint) -> Row? {
    guard let stored, fingerprint.isContained(in: stored.fingerprint) else { return nil }
    return stored.row
  }

  /// Records a row for the copy of a change.
  public mutating func didStore(_ row: Row, _ fingerprint: Fingerprint, of change: Int) {
    stored = Stored(row: row, fingerprint: fingerprint, change: change)
  }

  /// Records that the stored copy has all content of the copy of a change.
  ///
  /// - Returns: the row for which to claim the clipboard, because the display offers only a part;
  ///   nil if there is none.
  public mutating func didRepeat(_ fingerprint: Fingerprint, in change: Int) -> Row? {
    guard let stored else { return nil }
    self.stored?.change = change
    guard fingerprint != stored.fingerprint else {
      self.stored?.isRestored = false
      return nil
    }
    return keepsPart && change == self.change ? claim() : nil
  }

  /// Returns the row for which to claim the clipboard after the exit of its owner; nil if there is
  /// none.
  ///
  /// The latest change is the exit of the owner, so the stored copy must belong to the change before
  /// it. If the copy belongs to an earlier change, the last copy was ignored or not stored.
  public mutating func restore(after end: Int) -> Row? {
    guard change == end, stored?.change == end - 1 else { return nil }
    stored?.change = end
    stored?.isRestored = false
    return claim()
  }

  /// Forgets the stored copy, because it no longer belongs to the clipboard.
  public mutating func forgetStored() { stored = nil }

  /// The row of the stored copy, unless the bridge has claimed the clipboard for it before.
  ///
  /// If the bridge claimed the clipboard again and again, the bridge and another program could claim
  /// it from each other forever.
  private mutating func claim() -> Row? {
    guard let stored, !stored.isRestored else { return nil }
    self.stored?.isRestored = true
    return stored.row
  }
}
