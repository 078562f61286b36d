import DBus
import DragboardInterface
import TestSupport
import Testing

/// The visible types of a drag for a viewer, on every path to the drag.
///
/// The item has a text for each visibility, narrowest first; the text is the visibility's name.
@Suite("Visibility, on every path")
struct VisibilityTests {
  /// A source, a viewer, and how many of "all", "team", "group" and "own-process" the viewer gets,
  /// counted from the left.
  struct Row: Sendable, CustomTestStringConvertible {
    let source, viewer: String
    /// The number that GetTypes and CanLoad return to the viewer's connection.
    ///
    /// A connection outside of a sandbox counts as every id.
    let asked: Int
    /// The number that Accept and Load… return to the viewer.
    let loaded: Int

    init(_ source: String, _ viewer: String, asked: Int, loaded: Int) {
      (self.source, self.viewer, self.asked, self.loaded) = (source, viewer, asked, loaded)
    }

    var testDescription: String { "'\(source)' seen by '\(viewer)'" }
  }

  static let table = [
    // a connection's drag
    Row("", "", asked: 1, loaded: 1),
    Row("", "org.team.group.Viewer", asked: 1, loaded: 1),
    // an application's, of four labels
    Row("org.team.group.Source", "org.team.group.Source", asked: 4, loaded: 4),
    Row("org.team.group.Source", "org.team.group.Viewer", asked: 4, loaded: 3),
    Row("org.team.group.Source", "org.team.other.Viewer", asked: 4, loaded: 2),
    Row("org.team.group.Source", "org.team.Viewer", asked: 4, loaded: 2),
    Row("org.team.group.Source", "org.team", asked: 4, loaded: 1),
    Row("org.team.group.Source", "org.else.group.Viewer", asked: 4, loaded: 1),
    Row("org.team.group.Source", "Viewer", asked: 4, loaded: 1),
    Row("org.team.group.Source", "", asked: 4, loaded: 1),
    // an id of three labels, whose team is its group
    Row("org.team.Source", "org.team.Viewer", asked: 4, loaded: 3),
    Row("org.team.Source", "org.team.group.Viewer", asked: 4, loaded: 2),
    // ids of two labels and of one label, which form their own team and group
    Row("org.source", "org.source", asked: 4, loaded: 4),
    Row("org.source", "org.viewer", asked: 4, loaded: 1),
    Row("source", "source", asked: 4, loaded: 4),
    Row("source", "viewer", asked: 4, loaded: 1),
  ]

  private static let visibilities = ["own-process", "group", "team", "all"]
  private static func type(_ visibility: String) -> String {
    "text/plain;charset=utf-8;seen-by=\(visibility)"
  }

  let daemon: Daemon
  let source: BusClient
  let viewer: BusClient

  init() throws {
    daemon = try Daemon()
    source = try daemon.client()
    viewer = try daemon.client()
  }

  private func drag(as application: String) throws -> ObjectPath {
    let session = try source.beginDrag(as: application)
    _ = try source.call(DragSessionInterface.addItem, at: session, "")
    for visibility in Self.visibilities {
      try source.register(
        Self.type(visibility), visibility, visibility: visibility, of: session)
    }
    return session
  }

  /// Returns the results of `body`; leaves out types for which it throws NoSuchRepresentation.
  private func seen(_ body: (_ type: String) throws -> [UInt8]) throws -> [String] {
    try Self.visibilities.compactMap { visibility in
      do { return String(decoding: try body(Self.type(visibility)), as: UTF8.self) } catch let error
        as DBusError
      {
        guard error.name == .noSuchRepresentation else { throw error }
        return nil
      }
    }
  }

  @Test("Queries find only types that the caller sees", arguments: table)
  func questions(_ row: Row) throws {
    let session = try drag(as: row.source)
    let visible = Array(Self.visibilities.suffix(row.asked))
    #expect(
      try viewer.call(DragSessionInterface.getTypes, at: session, 0) == visible.map(Self.type))
    for visibility in Self.visibilities {
      #expect(
        try viewer.call(DragSessionInterface.canLoad, at: session, Self.type(visibility))
          == visible.contains(visibility))
    }
    #expect(try source.call(DragSessionInterface.getTypes, at: session, 0).count == 4)
  }

  @Test("Loads return the types that the accepting application sees", arguments: table)
  func loads(_ row: Row) throws {
    let session = try drag(as: row.source)
    try viewer.accept(session, as: row.viewer)
    let visible = Array(Self.visibilities.suffix(row.loaded))
    #expect(try seen { try viewer.loadData($0, of: session) } == visible)
    #expect(
      try seen { TestFile.rest(of: try viewer.loadFile($0, of: session)) } == visible)
    #expect(try viewer.loadText(of: session) == visible[0])
    #expect(try viewer.loadData("*/*", of: session) == Array(visible[0].utf8))
  }

  @Test("Boards take the types that every client sees, even if the source drops", arguments: table)
  func drops(_ row: Row) throws {
    for visibility in Self.visibilities {
      try viewer.call(BoardInterface.setAcceptedTypes, [Self.type(visibility)])
      let isSeen = visibility == "all"
      for dropper in [viewer, source] {
        let session = try drag(as: row.source)
        #expect(try dropper.call(DropTargetInterface.canHandle, session) == isSeen)
        let operation = isSeen ? "copy" : "forbidden"
        #expect(try dropper.propose(session, as: row.viewer).operation == operation)
        let result = try dropper.drop(session, as: row.viewer)
        #expect(result.operation == operation)
        #expect(result.items.count == (isSeen ? 1 : 0))
      }
    }
    try viewer.call(BoardInterface.setAcceptedTypes, ["*/*"])
    let item = try viewer.drop(drag(as: row.source), as: row.viewer).items[0]
    #expect(try viewer.call(BoardInterface.getTypes, item) == [Self.type("all")])
  }

  @Test("The source sees and loads every type, before and after the drop")
  func sourceItself() throws {
    for application in ["", "org.team.group.Source"] {
      let session = try drag(as: application)
      #expect(try seen { try source.loadData($0, of: session) } == Self.visibilities)
      try viewer.accept(session, as: viewer.name)
      #expect(try seen { try source.loadData($0, of: session) } == Self.visibilities)
      #expect(try seen { try viewer.loadData($0, of: session) } == ["all"])
    }
  }

  @Test("An invisible type and a missing type give the same error")
  func absence() throws {
    let session = try drag(as: "")
    try viewer.accept(session)
    let unseen = #expect(throws: DBusError.self) {
      try viewer.loadData(Self.type("team"), of: session)
    }
    let absent = #expect(throws: DBusError.self) {
      try viewer.loadData(Self.type("nobody"), of: session)
    }
    #expect(unseen?.name == .noSuchRepresentation)
    #expect(
      unseen?.message == absent?.message.replacing("nobody", with: "team"))
  }

  // MARK: RestrictedToApplication

  /// A way to read a drag, and its result for each client while the drag is restricted to its
  /// source.
  struct Path: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let source, other: String
    let walk: @Sendable (BusClient, ObjectPath, _ application: String) throws -> String
  }

  static let paths = [
    Path(testDescription: "GetTypes", source: "1", other: "1") { client, session, _ in
      "\(try client.call(DragSessionInterface.getTypes, at: session, 0).count)"
    },
    Path(testDescription: "CanLoad", source: "true", other: "true") { client, session, _ in
      "\(try client.call(DragSessionInterface.canLoad, at: session, "*/*"))"
    },
    Path(testDescription: "CanHandle", source: "true", other: "true") { client, session, _ in
      "\(try client.call(DropTargetInterface.canHandle, session))"
    },
    Path(
      testDescription: "ProposeDrop", source: "copy insert-at-destination 0.0",
      other: "forbidden unspecified 0.0"
    ) { client, session, application in
      try client.propose(session, as: application).description
    },
    Path(testDescription: "LoadText before the drop", source: "x", other: "AccessDenied") {
      client, session, _ in try client.loadText(of: session)
    },
    Path(
      testDescription: "PerformDrop", source: "copy, ended copy",
      other: "forbidden, active "
    ) { client, session, application in
      let operation = try client.drop(session, as: application).operation
      return try "\(operation), \(client.standing(of: session))"
    },
    Path(
      testDescription: "Accept", source: "copy, dropping copy", other: "forbidden, active "
    ) { client, session, application in
      let operation = try client.accept(session, as: application)
      return try "\(operation), \(client.standing(of: session))"
    },
    Path(testDescription: "LoadText", source: "x", other: "AccessDenied") {
      client, session, application in
      _ = try client.accept(session, as: application)
      return try client.loadText(of: session)
    },
    Path(testDescription: "Finish", source: "ended copy", other: "AccessDenied") {
      client, session, application in
      _ = try client.accept(session, as: application)
      try client.finish(session)
      return try client.standing(of: session)
    },
  ]

  @Test("Only the source can drop a restricted drag", arguments: paths)
  func restricted(_ path: Path) throws {
    for (dropper, application, expected) in [
      (source, "", path.source), (viewer, "", path.other),
      (viewer, "org.team.group.Viewer", path.other),
    ] {
      let session = try source.drag(["x"], as: "")
      try source.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
      #expect(Self.outcome { try path.walk(dropper, session, application) } == expected)
    }
  }

  /// Returns the result of `body`, or the last element of its error's name.
  private static func outcome(_ body: () throws -> String) -> String {
    do { return try body() } catch {
      let name = (error as? DBusError)?.name.text ?? "\(error)"
      return name.split(separator: ".").last.map(String.init) ?? ""
    }
  }
}
