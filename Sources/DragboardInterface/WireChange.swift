public import DBus

/// A change of a board, as the signal Changed and the replies of GetChanges and ApplySnapshot have
/// it.
public struct WireChange: Hashable, Sendable {
  /// A place on the board; a section alone has row 0.
  public struct Place: Hashable, Sendable {
    /// Index of the section.
    public let section: Int
    /// Index of the row in the section.
    public let row: Int

    /// The place of a section, or of a row in it.
    public init(section: Int, row: Int = 0) {
      self.section = section
      self.row = row
    }
  }

  /// The kind, which says what the other members mean.
  public let kind: ChangeKind
  /// Id of the row, or name of the section.
  public let subject: String
  /// Place before the change.
  public let from: Place
  /// Place after the change.
  public let to: Place

  /// A change; the places that its kind does not use are 0.
  public init(
    _ kind: ChangeKind, _ subject: String = "", from: Place = Place(section: 0),
    to: Place = Place(section: 0)
  ) {
    self.kind = kind
    self.subject = subject
    self.from = from
    self.to = to
  }

  /// Decodes a change; nil if its kind is of a later version of the contract.
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
