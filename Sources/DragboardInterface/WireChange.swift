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
}

extension WireChange: BusValue {
  /// The kind, the id or the name, and the two positions, each with its section and its row.
  public static var signature: Signature { "(ssuuuu)" }
  /// The alignment of every struct.
  public static var wireAlignment: Int { 8 }

  /// Reads a change.
  ///
  /// A kind that a later version of the contract added is read as a reset.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> WireChange {
    try reader.container { inner throws(DBusError) in
      func place() throws(DBusError) -> Place {
        let (section, row) = (try UInt32.read(from: &inner), try UInt32.read(from: &inner))
        return Place(section: Int(section), row: Int(row))
      }
      let (kind, subject) = (ChangeKind(rawValue: inner.string()), inner.string())
      return WireChange(kind ?? .reset, subject, from: try place(), to: try place())
    }
  }

  /// Appends the change.
  public func write(to writer: inout MessageWriter) {
    writer.structure { inner in
      inner.append(kind.rawValue)
      inner.append(subject)
      for index in [from.section, from.row, to.section, to.row] {
        UInt32(index).write(to: &inner)
      }
    }
  }
}
