import BoardModel
import DragModel
import Testing

@Suite("The clients that may load the bytes")
struct LoadReachTests {
  /// The caller: a connection and its sandbox.
  struct Row: Sendable, CustomTestStringConvertible {
    let source, client, caller, sandbox: String
    /// The narrowest visibility of the types that the caller may load before the drop, and after
    /// it; nil if it may load none.
    let before, after: Visibility?

    init(
      _ source: String, _ client: String, _ caller: String, _ sandbox: String = "",
      before: Visibility?, after: Visibility?
    ) {
      (self.source, self.client, self.caller, self.sandbox) = (source, client, caller, sandbox)
      (self.before, self.after) = (before, after)
    }

    var testDescription: String {
      "\(source) → \(client), \(caller)\(sandbox.isEmpty ? "" : " in \(sandbox)")"
    }
  }

  static let table = [
    // between connections
    Row(":1.1", ":1.2", ":1.1", before: .ownProcess, after: .ownProcess),
    Row(":1.1", ":1.2", ":1.2", before: nil, after: .all),
    Row(":1.1", ":1.2", ":1.3", before: nil, after: nil),
    Row(":1.1", ":1.1", ":1.1", before: .ownProcess, after: .ownProcess),
    Row(":1.1", ":1.1", ":1.3", before: nil, after: nil),
    // a client that accepted the drag as an application
    Row(":1.1", "org.a.c", ":1.2", before: nil, after: .all),
    Row(":1.1", "org.a.c", ":1.1", before: .ownProcess, after: .ownProcess),
    Row(":1.1", "org.a.c", ":1.2", "org.a.c", before: nil, after: .all),
    Row(":1.1", "org.a.c", ":1.2", "org.a.d", before: nil, after: nil),
    // a source with an id: every connection outside of a sandbox counts as this id, and as the
    // client's id
    Row("org.a.b", ":1.2", ":1.2", before: .ownProcess, after: .all),
    Row("org.a.b", ":1.2", ":1.3", before: .ownProcess, after: .ownProcess),
    Row("org.a.b", "org.a.b", ":1.2", before: .ownProcess, after: .ownProcess),
    Row("org.a.b", "org.a.c", ":1.2", before: .ownProcess, after: .group),
    Row("org.a.b.x", "org.a.c.x", ":1.2", before: .ownProcess, after: .team),
    Row("org.a.b", "org.z.c", ":1.2", before: .ownProcess, after: .all),
    // sandboxes
    Row("org.a.b", "org.a.c", ":1.2", "org.a.b", before: .ownProcess, after: .ownProcess),
    Row("org.a.b", "org.a.c", ":1.2", "org.a.c", before: nil, after: .group),
    Row("org.a.b", "org.a.c", ":1.2", "org.a.d", before: nil, after: nil),
    Row("org.a.b", ":1.2", ":1.2", "org.a.c", before: nil, after: .all),
  ]

  @Test(
    "The source may load before the drop, and the source and the destination after it",
    arguments: table)
  func reach(_ row: Row) throws {
    let caller =
      row.sandbox.isEmpty
      ? AcceptingTests.caller(row.caller)
      : try AcceptingTests.caller(row.caller, in: row.sandbox)
    var session = DragSession(
      source: try AcceptingTests.application(row.source), limits: SessionLimits())
    try session.add(Self.item())
    try check(session, caller, row.before)
    _ = try session.accept(.copy, by: AcceptingTests.application(row.client))
    try check(session, caller, row.after)
    _ = try session.cancel()
    #expect(throws: DragError.sessionEnded) { try session.loadReach(of: caller) }
    #expect(throws: DragError.sessionEnded) {
      try session.representation(of: 0, matching: .any, for: caller)
    }
  }

  @Test("Only the source may load during a drop on a board")
  func boards() throws {
    var session = DragSession(source: .uniqueName(":1.1"), limits: SessionLimits())
    try session.add(Self.item())
    let proposal = DropProposal(operation: .copy, destination: IndexPath(section: 0, row: 0))
    _ = try session.beginDrop(proposal, asking: [0])
    #expect(try session.loadReach(of: AcceptingTests.caller(":1.1")) == .ownProcess)
    #expect(throws: DragError.notReadable) {
      try session.loadReach(of: AcceptingTests.caller(":1.2"))
    }
  }

  @Test("A load checks the caller, then returns the first conforming representation")
  func representations() throws {
    var session = DragSession(source: .uniqueName(":1.1"), limits: SessionLimits())
    try session.add(Self.item())
    let (source, other) = (AcceptingTests.caller(":1.1"), AcceptingTests.caller(":1.2"))
    let text = try TypeQuery(parsing: "text/*")
    #expect(try session.representation(of: 0, matching: text, for: source).type == .rtf)
    #expect(throws: DragError.noSuchItem(1, count: 1)) {
      try session.representation(of: 1, matching: text, for: source)
    }
    #expect(throws: DragError.noSuchRepresentation(TypeQuery(.jpeg), item: 0)) {
      try session.representation(of: 0, matching: TypeQuery(.jpeg), for: source)
    }
    #expect(throws: DragError.notReadable) {
      try session.representation(of: 1, matching: TypeQuery(.jpeg), for: other)
    }
    _ = try session.accept(.copy, by: .uniqueName(":1.2"))
    #expect(try session.representation(of: 0, matching: text, for: other).type == .plainText)
    #expect(throws: DragError.noSuchRepresentation(TypeQuery(.rtf), item: 0)) {
      try session.representation(of: 0, matching: TypeQuery(.rtf), for: other)
    }
  }

  /// Expects that the caller can load every type of this visibility or a wider one, and no other
  /// type.
  private func check(_ session: DragSession, _ caller: Caller, _ reach: Visibility?) throws {
    guard let reach else {
      #expect(throws: DragError.notReadable) { try session.loadReach(of: caller) }
      return
    }
    #expect(try session.loadReach(of: caller) == reach)
    for (type, visibility) in Self.types {
      let query = try TypeQuery(parsing: type)
      let found = try? session.representation(of: 0, matching: query, for: caller)
      #expect((found != nil) == (visibility >= reach), "\(type)")
    }
  }

  private static let types: [(String, Visibility)] = [
    ("text/rtf", .ownProcess), ("text/html", .group), ("image/png", .team),
    ("text/plain;charset=utf-8", .all),
  ]

  /// Returns an item of four types, each visible to fewer callers than the type before it.
  private static func item() throws -> ItemProvider {
    var item = ItemProvider()
    for (type, visibility) in types { try item.register(.sample(type, visibility)) }
    return item
  }
}
