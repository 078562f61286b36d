import DBus
import DragboardInterface
import TestSupport
import Testing

/// A drag over the board "default", which contains a, b, c and d, and the expected result of a
/// drop.
struct DropCase: Sendable, CustomTestStringConvertible {
  /// The special property of the drag.
  let testDescription: String
  /// The application that drops, and the position.
  let application: String
  let row: Int32
  /// The expected reply to ProposeDrop.
  let proposal: String
  /// The texts of the board after the drop.
  let texts: [String]
  /// Begins the drag; the second argument is the ids of the four rows.
  let begin: @Sendable (BusClient, [String]) throws -> ObjectPath

  /// A drag whose drop copies to the row.
  static func copies(
    _ name: String, by application: String = "org.target", at row: Int32 = -1, to place: String,
    texts: [String], begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: application, row: row,
      proposal: "copy insert-at-destination \(place)", texts: texts, begin: begin)
  }

  /// A drag whose drop moves the rows to the row.
  static func moves(
    _ name: String, at row: Int32 = -1, to place: String, texts: [String],
    begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: "org.source", row: row,
      proposal: "move insert-at-destination \(place)", texts: texts, begin: begin)
  }

  /// A drag that ends without a change if its source drops it.
  static func cancels(
    _ name: String, begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: "org.source", row: -1,
      proposal: "cancel unspecified 0.4", texts: ["a", "b", "c", "d"], begin: begin)
  }

  /// A drag that may not be dropped; `texts` are the texts that are left if rows were deleted.
  static func forbids(
    _ name: String, by application: String, leaving texts: [String] = ["a", "b", "c", "d"],
    begin: @escaping @Sendable (BusClient, [String]) throws -> ObjectPath
  ) -> DropCase {
    DropCase(
      testDescription: name, application: application, row: -1,
      proposal: "forbidden unspecified 0.\(texts.count)", texts: texts, begin: begin)
  }
}
