import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Accepted drops")
struct AcceptTests {
  let daemon: Daemon
  let client: BusClient
  let other: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    other = try daemon.client()
  }

  // MARK: The granted operation

  /// Copy for copy; for move, move if the client is the source application and AllowsMove is true,
  /// else copy; forbidden if the session is restricted to another application.
  @Test("A client is granted an operation by the rules; if it is forbidden, the drag stays active")
  func granting() throws {
    for source in ["", "org.a.b"] {
      for (taker, application) in [
        (client, ""), (client, client.name), (other, ""), (client, "org.a.b"), (other, "org.a.b"),
        (other, "org.a.c"),
      ] {
        let isSource =
          source.isEmpty ? taker === client && !application.hasPrefix("org") : application == source
        for (wanted, allowsMove, isRestricted) in Self.wishes {
          let session = try client.drag(["x"], as: source)
          try client.set(DragSessionInterface.allowsMove, to: allowsMove, at: session)
          try client.set(
            DragSessionInterface.restrictedToApplication, to: isRestricted, at: session)
          let granted =
            isRestricted && !isSource
            ? "forbidden" : wanted == "move" && isSource && allowsMove ? "move" : "copy"
          #expect(
            try taker.accept(session, as: application, wanted) == granted,
            "\(source) \(application) \(wanted) \(allowsMove) \(isRestricted)")
          #expect(
            try client.standing(of: session)
              == (granted == "forbidden" ? "active " : "dropping \(granted)"))
          try granted == "forbidden" ? client.cancel(session) : taker.finish(session)
        }
      }
    }
  }

  private static let wishes = ["copy", "move"].flatMap { wanted in
    [(wanted, true, true), (wanted, true, false), (wanted, false, true), (wanted, false, false)]
  }

  // MARK: Signals

  @Test("WillEnd follows Accept; DidTransferItems, DidEnd and DragEnded follow Finish, in order")
  func signals() throws {
    for (operation, application) in [("copy", "org.target"), ("move", "org.source")] {
      let session = try client.drag(["x", "y", "z"])
      _ = client.takeWords()
      try other.accept(session, as: application, operation)
      #expect(client.takeWords() == ["WillEnd \(operation)"])
      #expect(try other.loadText(2, of: session) == "z")
      #expect(try other.loadText(0, of: session) == "x")
      #expect(try other.loadText(2, of: session) == "z")
      #expect(client.takeWords() == [])
      try other.finish(session)
      #expect(
        client.takeWords() == [
          "DidTransferItems [0, 2] []", "DidEnd \(operation)",
          "DragEnded \(session.element) org.source \(operation)",
        ])
    }
  }

  @Test("A destination gets the signals of its calls before the reply, and every state once")
  func beforeTheReply() throws {
    let session = try client.drag(["x"])
    _ = (client.takeSignals(), other.takeSignals())
    try other.accept(session)
    #expect(other.signals.map(\.member) == ["WillEnd", "PropertiesChanged"])
    try other.finish(session)
    #expect(other.signals.map(\.member).contains("DragEnded"))
    let states = try client.takeChanges(of: "State", at: session)
    #expect(states == [.string("dropping"), .string("ended")])
    let operations = try other.takeChanges(of: "Operation", at: session)
    #expect(operations == [.string("copy")])
  }

  @Test("A forbidden drop emits nothing, and the source can accept the drop after it")
  func forbidden() throws {
    let session = try client.drag(["x"])
    try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
    _ = client.takeWords()
    #expect(try other.accept(session, as: "org.target", "move") == "forbidden")
    #expect(client.takeSignals().isEmpty)
    expect(.accessDenied) { try other.finish(session) }
    #expect(try client.accept(session, as: "org.source", "move") == "move")
    #expect(try client.loadText(of: session) == "x")
    try client.finish(session)
  }

  @Test("DidTransferItems names the loaded items and the failed items, and no others")
  func transfer() throws {
    let session = try client.beginDrag(as: "")
    try client.addItem(["text/html": "<b>"], to: session)
    try client.addItem(["text/plain": "x", "text/html": "<b>"], to: session)
    for _ in 0..<3 { try client.addItem([:], to: session) }
    // No object is exported there: every call is refused.
    for item in [2, 3] as [UInt32] {
      try client.call(
        DragSessionInterface.registerPromise, at: session, item, "image/png", "all", "/nowhere")
    }
    try client.register("text/rtf", "{}", item: 3, of: session)
    try client.accept(session)
    _ = try client.loadData("text/*", item: 1, of: session)
    for item in [2, 3] as [UInt32] {
      expect(.loadFailed, naming: "item \(item)", "image/png") {
        _ = try client.loadData("image/png", item: item, of: session)
      }
    }
    _ = try client.loadData("text/rtf", item: 3, of: session)
    // Refused calls do not call the loader.
    expect(.noSuchRepresentation) { _ = try client.loadData("image/png", item: 4, of: session) }
    expect(.noSuchItem) { _ = try client.loadText(5, of: session) }
    _ = client.takeWords()
    try client.finish(session)
    #expect(client.takeWords().first == "DidTransferItems [1, 3] [2]")
  }

  @Test("A destination that finishes without a load has transferred nothing, and that is reported")
  func nothingLoaded() throws {
    let session = try client.drag(["x"])
    try other.accept(session)
    _ = client.takeWords()
    try other.finish(session)
    #expect(client.takeWords().prefix(2) == ["DidTransferItems [] []", "DidEnd copy"])
  }

  @Test("FinishItems reports the items of the destination, each once; without an item it cancels")
  func finishItems() throws {
    for (loaded, failed, told, end) in [
      ([0, 2], [1], "DidTransferItems [0, 2] [1]", "copy"),
      ([], [1, 0], "DidTransferItems [] [0, 1]", "cancel"),
      ([2, 0, 2], [1, 2, 1], "DidTransferItems [0, 2] [1]", "copy"),
    ] as [([UInt32], [UInt32], String, String)] {
      let session = try client.drag(["x", "y", "z"])
      expect(.accessDenied) {
        try other.call(DragSessionInterface.finishItems, at: session, [0], [])
      }
      try other.accept(session, as: "", "copy")
      #expect(try other.loadText(of: session) == "x")
      expect(.accessDenied) {
        try client.call(DragSessionInterface.finishItems, at: session, [0], [])
      }
      for lists in [([3], []), ([], [3])] as [([UInt32], [UInt32])] {
        expect(.noSuchItem, naming: "item", "3") {
          try other.call(DragSessionInterface.finishItems, at: session, lists.0, lists.1)
        }
      }
      for argument in ["loaded", "failed"] {
        let long = [UInt32](repeating: 0, count: 10_001)
        expect(.limitsExceeded, naming: "\(argument): max-items") {
          try other.call(
            DragSessionInterface.finishItems, at: session, argument == "loaded" ? long : [],
            argument == "loaded" ? [] : long)
        }
      }
      _ = client.takeWords()
      try other.call(DragSessionInterface.finishItems, at: session, loaded, failed)
      #expect(client.takeWords().prefix(2) == [told, "DidEnd \(end)"])
    }
  }

  // MARK: Two drops

  @Test("After a drop is accepted, no client can accept, drop, propose or add")
  func taken() throws {
    let session = try client.drag(["x"])
    try other.accept(session)
    _ = client.takeWords()
    for taker in [client, other] {
      for operation in ["copy", "move"] {
        expect(.sessionEnded, naming: "session") { try taker.accept(session, operation) }
      }
      expect(.sessionEnded) { try taker.drop(session) }
      expect(.sessionEnded) { _ = try taker.propose(session) }
      expect(.sessionEnded) { _ = try taker.call(DropTargetInterface.canHandle, session) }
      expect(.sessionEnded) {
        _ = try taker.call(DropTargetInterface.exitDrop, session, "org.target")
      }
      expect(.sessionEnded) { _ = try taker.call(DragSessionInterface.addText, at: session, "y") }
      expect(.sessionEnded) { try taker.register("text/html", "y", of: session) }
      expect(.sessionEnded) {
        try taker.set(DragSessionInterface.allowsMove, to: false, at: session)
      }
    }
    #expect(client.takeWords() == [])
    #expect(try client.texts() == [])
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0).count == 1)
    #expect(try client.call(DragSessionInterface.canLoad, at: session, "text/*"))
    #expect(try other.loadText(of: session) == "x")
  }

  @Test("After a drop on a board no client can accept; of two clients at once one succeeds")
  func atOnce() throws {
    let dropped = try client.drag(["x"])
    try client.drop(dropped)
    expect(.sessionEnded) { try other.accept(dropped) }
    let session = try client.drag(["y"])
    let answers = client.answers(to: [
      call(DragSessionInterface.accept, at: session, "org.a", "copy"),
      call(DropTargetInterface.performDrop, session, "org.b", 0, -1),
      call(DragSessionInterface.accept, at: session, "org.c", "copy"),
    ])
    #expect(try answers[0].get().arguments(as: String.self) == "copy")
    for answer in answers[1...] { expect(.sessionEnded) { _ = try answer.get() } }
    #expect(try client.texts() == ["x"])
  }

  @Test("The source can cancel; then the destination's loads fail")
  func cancelled() throws {
    let session = try client.drag(["x", "y"])
    try other.accept(session, as: "", "copy")
    _ = try other.loadText(1, of: session)
    _ = client.takeWords()
    try client.cancel(session)
    #expect(
      client.takeWords() == [
        "DidTransferItems [1] []", "DidEnd cancel",
        "DragEnded \(session.element) org.source cancel",
      ])
    expect(.sessionEnded) { _ = try other.loadText(of: session) }
    expect(.sessionEnded) { try other.finish(session) }
  }
}
