public import DBus

/// A change of a board in the signal Changed and in the replies of GetChanges and ApplySnapshot.
public struct WireChange: Hashable, Sendable {
  /// A position on the board.
  ///
  /// The position of a section has row 0.
  public struct Place: Hashable, Sendable {
    /// The index of the section.
    public let section: Int
    /// The index of the row in the section.
    public let row: Int

    /// Creates the position of a section, or of a row in the section.
    public init(section: Int, row: Int = 0) {
      self.section = section
      self.row = row
    }
  }

  /// The kind, which determines the meaning of the other members.
  public let kind: ChangeKind
  /// The id of the row, or the name of the section.
  public let subject: String
  /// The position before the change.
  public let from: Place
  /// The position after the change.
  public let to: Place

  /// Creates a change.
  ///
  /// Positions that its kind does not use are 0.
  public init(
    _ kind: ChangeKind, _ subject: String = "", from: Place = Place(section: 0),
    to: Place = Place(section: 0)
  ) {
    self.kind = kind
    self.subject = subject
    self.from = from
    self.to = to
  }

  /// Decodes a change; nil if its kind is unknown, because a later version of the contract added
  /// it.
  public init?(_ wire: BoardInterface.Change) {
    let (kind, subject, fromSection, fromRow, toSection, toRow) = wire.members
    guard let kind = ChangeKind(rawValue: kind) else { return nil }
    self.init(
      kind, subject, from: Place(section: Int(fromSection), row: Int(fromRow)),
      to: Place(section: Int(toSection), row: Int(toRow)))
  }

  /// The change on the wire.
  public var wire: BoardInterface.Change {
    BoardInterface.Change(
      kind.rawValue, subject, UInt32(from.section), UInt32(from.row), UInt32(to.section),
      UInt32(to.row))
  }
}
