import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: the wrong one of two faults was reported")
struct FaultsOutOfOrder {
  /// A call with two faults, and the fault that is reported.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let error: ErrorName
    let call: @Sendable (BusClient) throws -> Void

    init(_ what: String, _ error: ErrorName, _ call: @escaping @Sendable (BusClient) throws -> Void)
    {
      (testDescription, self.error, self.call) = (what, error, call)
    }
  }

  private static let long = "longer than six bytes"

  private static func types(_ count: Int) -> [String] { (0..<count).map { "x-test/type-\($0)" } }

  static let cases: [Case] = [
    Case("rows past the limit in a missing section", .invalidArgs) { client in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
      try client.insert(["a", "b"], section: 9)
    },
    Case("rows past the limit at a row below -1", .invalidArgs) { client in
      try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
      try client.insert(["a", "b"], at: -2)
    },
    Case("a text that is too long, in a missing section", .invalidArgs) { client in
      _ = try client.call(BoardInterface.insertText, 99, 0, long)
    },
    Case("a text that is too long, of an item that has one", .duplicateRepresentation) { client in
      let session = try client.beginDrag()
      let item = try client.call(DragSessionInterface.addItem, at: session, "")
      try client.call(DragSessionInterface.registerText, at: session, item, "first")
      try client.call(DragSessionInterface.registerText, at: session, item, long)
    },
    Case("another's name with no items", .invalidArgs) { client in
      _ = try client.drag(rows: [], as: ":1.99")
    },
    Case("another's name with an item twice", .invalidArgs) { client in
      let item = try client.insert(["a"])[0]
      _ = try client.drag(rows: [item, item], as: ":1.99")
    },
    Case("too many accepted types, a malformed one among the first", .invalidArgs) { client in
      try client.call(BoardInterface.setAcceptedTypes, ["nonsense"] + types(256))
    },
    Case("too many accepted types, all well formed", .limitsExceeded) { client in
      try client.call(BoardInterface.setAcceptedTypes, types(257))
    },
  ]

  @Test("Faults of the arguments are reported before limits and rights", arguments: cases)
  func order(_ wrong: Case) throws {
    let daemon = try Daemon("--max-representation-bytes", "6")
    let client = try daemon.client()
    expect(wrong.error) { try wrong.call(client) }
  }

  @Test("The maximum number of accepted types can be set")
  func mostTypes() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.call(BoardInterface.setAcceptedTypes, Self.types(256))
    #expect(try client.get(BoardInterface.acceptedTypes).count == 256)
  }
}
