import BoardModel
import DragModel
import TestSupport
import Testing

@Suite("A drop that a client accepts")
struct AcceptingTests {
  private static let copy = DropProposal(
    operation: .copy, destination: IndexPath(section: 0, row: 0))

  /// A source, a client that accepts the drag, the requested operation and the granted operation.
  struct Grant: Sendable, CustomTestStringConvertible {
    let source, client: String
    let operation: DropOperation
    let allowsMove, isRestricted: Bool
    let granted: DropOperation

    var testDescription: String {
      "\(source) → \(client): \(operation)\(allowsMove ? "" : ", no move")\(isRestricted ? ", restricted" : "")"
    }
  }

  /// The rule: copy for copy; for move, move if the client is the source and moving is allowed,
  /// else copy; forbidden if the session is restricted to another application.
  static let grants: [Grant] = ["org.a.b", "org.a.c", ":1.1", ":1.2"].flatMap { client in
    ["org.a.b", ":1.1"].flatMap { source in
      [DropOperation.copy, .move].flatMap { operation in
        [(true, true), (true, false), (false, true), (false, false)].map { allowsMove, restricted in
          let isSource = client == source
          return Grant(
            source: source, client: client, operation: operation, allowsMove: allowsMove,
            isRestricted: restricted,
            granted: restricted && !isSource
              ? .forbidden : operation == .move && isSource && allowsMove ? .move : .copy)
        }
      }
    }
  }

  @Test(
    "An accepted drop is granted by the rules, or forbidden, which leaves the drag active",
    arguments: grants
  )
  func granting(_ grant: Grant) throws {
    var session = DragSession(
      source: try Self.application(grant.source), limits: SessionLimits())
    try session.add(.text())
    try session.setAllowsMove(grant.allowsMove)
    try session.setRestrictedToApplication(grant.isRestricted)
    let granted = try session.accept(grant.operation, by: Self.application(grant.client))
    #expect(granted == grant.granted)
    guard granted != .forbidden else {
      #expect(session.state == .active(proposal: nil))
      #expect(session.itemCount == 1)
      return
    }
    #expect(session.state.name == "dropping")
    #expect(session.operation == grant.granted)
    let conclusion = try session.finish(by: Self.caller(grant.client))
    #expect(conclusion.willEnd == nil)
    #expect(conclusion.operation == grant.granted)
    #expect(session.state == .ended(grant.granted))
  }

  @Test("An accepted drop excludes every other drop, and cannot be accepted twice")
  func onlyOne() throws {
    var accepted = try Self.session()
    _ = try accepted.accept(.copy, by: Self.application(":1.2"))
    var dropped = try Self.session()
    _ = try dropped.beginDrop(Self.copy, asking: [0])
    for state in [accepted, dropped] {
      var session = state
      for client in [":1.2", ":1.3", ":1.1"] {
        #expect(throws: DragError.sessionEnded) {
          try session.accept(.copy, by: Self.application(client))
        }
      }
      #expect(throws: DragError.sessionEnded) { try session.beginDrop(Self.copy, asking: [0]) }
      #expect(throws: DragError.sessionEnded) { try session.add(.text()) }
      #expect(throws: DragError.sessionEnded) { try session.setAllowsMove(false) }
      #expect(session.state == state.state)
    }
  }

  @Test("An accepted drop is finished by its client, once, and by no other client")
  func finishing() throws {
    var session = try Self.session()
    #expect(throws: DragError.notDestination) { try session.finish(by: Self.caller(":1.1")) }
    _ = try session.accept(.copy, by: Self.application(":1.2"))
    for other in [":1.1", ":1.3"] {
      #expect(throws: DragError.notDestination) { try session.finish(by: Self.caller(other)) }
    }
    _ = try session.finish(by: Self.caller(":1.2"))
    for anybody in [":1.1", ":1.2", ":1.3"] {
      #expect(throws: DragError.sessionEnded) { try session.finish(by: Self.caller(anybody)) }
    }
    var dropped = try Self.session()
    _ = try dropped.beginDrop(Self.copy, asking: [0])
    #expect(throws: DragError.notDestination) { try dropped.finish(by: Self.caller(":1.1")) }
  }

  @Test("A drop accepted by an application is finished by any of its connections")
  func finishingAsApplication() throws {
    let session = try Self.session()
    var taken = session
    _ = try taken.accept(.copy, by: Self.application("org.a.c"))
    for (caller, isAllowed) in [
      (Self.caller(":1.7"), true), (try Self.caller(":1.7", in: "org.a.c"), true),
      (try Self.caller(":1.7", in: "org.a.d"), false),
    ] {
      var session = taken
      if isAllowed {
        #expect(throws: Never.self) { try session.finish(by: caller) }
      } else {
        #expect(throws: DragError.notDestination) { try session.finish(by: caller) }
      }
    }
  }

  @Test("The end of an accepted drop reports the items that the client got, and those that failed")
  func transfer() throws {
    var session = try Self.session()
    let (client, source) = (Self.caller(":1.2"), Self.caller(":1.1"))
    session.ask(2, by: source)
    session.didLoad(2, by: source)
    _ = try session.accept(.copy, by: Self.application(":1.2"))
    session.ask(2, by: source)
    session.didLoad(2, by: source)
    session.ask(3, by: client)
    session.ask(0, by: client)
    session.ask(1, by: client)
    session.didLoad(1, by: client)
    session.didLoad(0, by: client)
    session.ask(0, by: client)
    let conclusion = try session.finish(by: client)
    #expect(conclusion.transfer?.loaded == [0, 1])
    #expect(conclusion.transfer?.failed == [3])
    let after = session.state
    session.ask(0, by: client)
    session.didLoad(3, by: client)
    #expect(session.state == after)
  }

  @Test("The end of an accepted drop is reported, also without a load and after a cancellation")
  func emptyTransfer() throws {
    let ends: [(inout DragSession) throws -> DragConclusion?] = [
      { try $0.finish(by: Self.caller(":1.2")) }, { try $0.cancel() }, { $0.timeOut() },
      { $0.shutDown() }, { $0.connectionLeft(":1.2") },
    ]
    for (number, end) in ends.enumerated() {
      var session = try Self.session()
      _ = try session.accept(.copy, by: Self.application(":1.2"))
      let told = try end(&session)
      let conclusion = try #require(told)
      #expect(conclusion.transfer?.loaded == [] && conclusion.transfer?.failed == [])
      #expect(conclusion.willEnd == nil)
      #expect(conclusion.operation == (number == 0 ? .copy : .cancel))
    }
  }

  @Test("A client that passes the items on reports itself which items arrived and which failed")
  func passedOn() throws {
    let client = Self.caller(":1.2")
    for (loaded, failed, transfer, operation) in [
      ([0, 2], [1, 2], ([0, 2], [1]), DropOperation.copy), ([], [1], ([], [1]), .cancel),
      ([3], [], ([3], []), .copy), ([], [], ([], []), .cancel),
    ] {
      var session = try Self.session()
      _ = try session.accept(.copy, by: Self.application(":1.2"))
      session.ask(0, by: client)
      session.didLoad(0, by: client)
      let active = session
      for item in [-1, 4] {
        #expect(throws: DragError.noSuchItem(item, count: 4)) {
          try session.finish(by: client, loaded: [0], failed: [item])
        }
      }
      #expect(throws: DragError.notDestination) {
        try session.finish(by: Self.caller(":1.3"), loaded: [0], failed: [])
      }
      #expect(session.state == active.state)
      let conclusion = try session.finish(by: client, loaded: loaded, failed: failed)
      #expect(conclusion.transfer?.loaded == transfer.0)
      #expect(conclusion.transfer?.failed == transfer.1)
      #expect(conclusion.operation == operation)
      #expect(session.state == .ended(operation))
      #expect(throws: DragError.sessionEnded) {
        try session.finish(by: client, loaded: loaded, failed: failed)
      }
    }
    var unaccepted = try Self.session()
    #expect(throws: DragError.notDestination) {
      try unaccepted.finish(by: client, loaded: [], failed: [])
    }
  }

  @Test("The machine of a drag can change only while the drag is active")
  func machine() throws {
    var session = try Self.session()
    #expect(session.machine == .none)
    try session.setMachine(Label("desktop"))
    _ = try session.accept(.copy, by: Self.application(":1.2"))
    #expect(throws: DragError.sessionEnded) { try session.setMachine(.none) }
    #expect(session.machine.text == "desktop")
  }

  @Test("An accepted drop is cancelled when its connection leaves, and by no other departure")
  func clientLeaves() throws {
    var session = try Self.session()
    _ = try session.accept(.copy, by: Self.application(":1.2"))
    session.ask(1, by: Self.caller(":1.2"))
    for other in [":1.1", ":1.3"] { #expect(session.connectionLeft(other) == nil) }
    let end = session.connectionLeft(":1.2")
    #expect(end?.operation == .cancel)
    #expect(end?.transfer?.failed == [1])
    var byID = try Self.session()
    _ = try byID.accept(.copy, by: Self.application("org.a.c"))
    #expect(byID.connectionLeft(":1.2") == nil)
    #expect(byID.state.name == "dropping")
  }

  static func application(_ name: String) throws -> Application {
    name.hasPrefix(":") ? .uniqueName(name) : try .named(name)
  }

  static func caller(_ name: String) -> Caller {
    Caller(uniqueName: name.hasPrefix(":") ? name : ":1.99", confinement: .unsandboxed)
  }

  static func caller(_ name: String, in sandbox: String) throws -> Caller {
    Caller(uniqueName: name, confinement: .sandboxed(try ApplicationID(sandbox)))
  }

  /// Returns a drag of four texts by the connection ":1.1".
  private static func session() throws -> DragSession {
    var session = DragSession(source: .uniqueName(":1.1"), limits: SessionLimits())
    for _ in 0..<4 { try session.add(.text()) }
    return session
  }
}
