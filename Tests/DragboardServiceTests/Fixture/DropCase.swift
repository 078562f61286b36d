import DBus
import DragboardInterface
import TestSupport
import Testing

/// A drag over the board "default", which holds a, b, c and d, and what is to come of it.
struct DropCase: Sendable, CustomTestStringConvertible {
  /// The peculiarity of the drag.
  let testDescription: String
  /// The application that drops, and the position.
  let application: String
  let row: Int32
  /// The expected answer of ProposeDrop.
  let proposal: String
  /// The texts of the board after the drop.
  let texts: [String]
  /// Begins the drag; is given the ids of the four rows.
  let begin: @Sendable (BusClient, [String]) throws -> ObjectPath

  /// A drag that is copied to the row.
  static func copies(
    _ name: String, by application: String = "org.target", at row: Int32 = -1, to place: String,
    texts: [String], begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: application, row: row,
      proposal: "copy insert-at-destination \(place)", texts: texts, begin: begin)
  }

  /// A drag whose rows are moved to the row.
  static func moves(
    _ name: String, at row: Int32 = -1, to place: String, texts: [String],
    begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: "org.source", row: row,
      proposal: "move insert-at-destination \(place)", texts: texts, begin: begin)
  }

  /// A drag that a drop by its source ends without a change.
  static func cancels(
    _ name: String, begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: "org.source", row: -1,
      proposal: "cancel unspecified 0.4", texts: ["a", "b", "c", "d"], begin: begin)
  }

  /// A drag that may not be dropped; of a board that has lost rows, with the texts that are left.
  static func forbids(
    _ name: String, by application: String, leaving texts: [String] = ["a", "b", "c", "d"],
    begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: application, row: -1,
      proposal: "forbidden unspecified 0.\(texts.count)", texts: texts, begin: begin)
  }
}
