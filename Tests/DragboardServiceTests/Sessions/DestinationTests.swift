import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The rights of source and destination")
struct DestinationTests {
  /// The client that loads, the source of its drag, and the drag's destination.
  private struct Parties {
    let daemon: Daemon
    let source, destination, third: BusClient
    let session: ObjectPath

    init(_ options: String = "60") throws {
      daemon = try Daemon("--session-timeout", options)
      source = try daemon.client()
      destination = try daemon.client()
      third = try daemon.client()
      session = try source.drag(["x", "y"], as: "")
    }

    /// Returns the outcomes of the three ways to load: the name of the error, or "".
    func loads(_ client: BusClient) -> [String] {
      let loads: [() throws -> Void] = [
        { _ = try client.loadText(of: session) },
        { _ = try client.loadData("*/*", of: session) },
        { _ = try client.loadFile("*/*", of: session) },
      ]
      return loads.map { load in
        do {
          try load()
          return ""
        } catch {
          let name = (error as? DBusError)?.name.text ?? "\(error)"
          return name.split(separator: ".").last.map(String.init) ?? ""
        }
      }
    }

    func expect(
      source: String, destination: String, third: String,
      at location: SourceLocation = #_sourceLocation
    ) {
      for (client, error) in [
        (self.source, source), (self.destination, destination), (self.third, third),
      ] {
        #expect(loads(client) == [error, error, error], sourceLocation: location)
      }
    }
  }

  @Test("The source can load before the drop, source and destination after it")
  func exclusive() throws {
    let parties = try Parties()
    parties.expect(source: "", destination: "AccessDenied", third: "AccessDenied")
    try parties.destination.accept(parties.session)
    parties.expect(source: "", destination: "", third: "AccessDenied")
    try parties.destination.finish(parties.session)
    parties.expect(source: "SessionEnded", destination: "SessionEnded", third: "SessionEnded")
  }

  @Test("A refused load names the clients that may load, and is not counted or reported as a load")
  func refusedLoads() throws {
    let parties = try Parties()
    try parties.destination.accept(parties.session)
    expect(.accessDenied, naming: "source", "accepted") {
      _ = try parties.third.loadText(of: parties.session)
    }
    _ = parties.loads(parties.third)
    _ = parties.source.takeWords()
    try parties.destination.finish(parties.session)
    #expect(parties.source.takeWords().first == "DidTransferItems [] []")
  }

  @Test("A load by the source is not a transfer")
  func sourceLoads() throws {
    let parties = try Parties()
    _ = parties.loads(parties.source)
    try parties.destination.accept(parties.session)
    _ = parties.loads(parties.source)
    _ = try parties.destination.loadText(1, of: parties.session)
    _ = parties.source.takeWords()
    try parties.destination.finish(parties.session)
    #expect(parties.source.takeWords().first == "DidTransferItems [1] []")
  }

  @Test("Only the destination can finish its drop")
  func finishing() throws {
    let parties = try Parties()
    for client in [parties.source, parties.destination, parties.third] {
      expect(.accessDenied, naming: "accepted") { try client.finish(parties.session) }
    }
    try parties.destination.accept(parties.session)
    for client in [parties.source, parties.third] {
      expect(.accessDenied, naming: "accepted") { try client.finish(parties.session) }
    }
    #expect(try parties.source.standing(of: parties.session) == "dropping copy")
    try parties.destination.finish(parties.session)
    expect(.sessionEnded) { try parties.destination.finish(parties.session) }
    #expect(try parties.source.standing(of: parties.session) == "ended copy")
  }

  @Test("A drop accepted as an application belongs to every connection of that application")
  func asApplication() throws {
    let parties = try Parties()
    try parties.destination.accept(parties.session, as: "org.target")
    #expect(try parties.destination.loadText(of: parties.session) == "x")
    parties.destination.leave()
    #expect(try parties.third.loadText(1, of: parties.session) == "y")
    #expect(try parties.source.standing(of: parties.session) == "dropping copy")
    _ = parties.source.takeWords()
    try parties.third.finish(parties.session)
    #expect(parties.source.takeWords().prefix(2) == ["DidTransferItems [0, 1] []", "DidEnd copy"])
  }

  @Test("If a destination with its unique name leaves, the drop ends with the loaded items")
  func destinationLeaves() throws {
    let parties = try Parties()
    try parties.destination.accept(parties.session)
    _ = try parties.destination.loadText(1, of: parties.session)
    _ = parties.source.takeWords()
    parties.destination.leave()
    let told = ["DidTransferItems", "DidEnd", "DragEnded"].map {
      parties.source.next(MemberName(unchecked: $0)).words
    }
    #expect(
      told == [
        "DidTransferItems [1] []", "DidEnd cancel",
        "DragEnded \(parties.session.element) \(parties.source.name) cancel",
      ])
    #expect(try parties.third.standing(of: parties.session) == "ended cancel")
  }

  @Test("If the source leaves after the drop, the destination can load the delivered bytes")
  func sourceLeaves() throws {
    let parties = try Parties()
    try parties.destination.accept(parties.session)
    parties.source.leave()
    // The bus reports the departure before it answers this call about the name's owner.
    let asked = OutgoingMessage.call(
      "NameHasOwner", of: BusInterface.name, at: BusInterface.path, to: .bus)
    asked.append(parties.source.name)
    #expect(try parties.third.wait(for: asked).arguments(as: Bool.self) == false)
    #expect(try parties.destination.loadText(of: parties.session) == "x")
    try parties.destination.finish(parties.session)
    #expect(try parties.third.standing(of: parties.session) == "ended copy")
  }

  // MARK: Time

  @Test("An unfinished drop ends by the timeout with the loaded items")
  func timeout() throws {
    let parties = try Parties("0.5")
    try parties.destination.accept(parties.session)
    _ = try parties.destination.loadText(of: parties.session)
    let told = ["DidTransferItems", "DidEnd", "DragEnded"].map {
      parties.source.next(MemberName(unchecked: $0)).words
    }
    #expect(
      told == [
        "DidTransferItems [0] []", "DidEnd cancel",
        "DragEnded \(parties.session.element) \(parties.source.name) cancel",
      ])
    parties.expect(source: "SessionEnded", destination: "SessionEnded", third: "SessionEnded")
  }

  @Test("No drop ends by the timeout while the destination waits for a load")
  func notWhileLoading() throws {
    let daemon = try Daemon("--session-timeout", "0.5")
    let (source, destination, third) = (
      try daemon.client(), try daemon.client(), try daemon.client()
    )
    let session = try source.beginDrag(as: "")
    _ = try source.call(DragSessionInterface.addItem, at: session, "")
    try source.call(
      DragSessionInterface.registerPromise, at: session, 0, "text/html", "all", "/loader")
    try destination.accept(session)
    // The source reads nothing, so it neither keeps its promise nor breaks it.
    let load = destination.send([call(DragSessionInterface.loadData, at: session, 0, "*/*")])
    _ = third.takeSignals()
    for _ in 0..<2 {
      let idle = try third.drag(["x"])
      #expect(third.next("DragEnded").words == "DragEnded \(idle.element) org.source cancel")
    }
    #expect(load.answered == 0)
    #expect(try third.get(ManagerInterface.sessions, at: Dragboard.root) == [session])
    source.leave()
    #expect(load.errors() == ["LoadFailed"])
    #expect(third.next("DragEnded").words == "DragEnded \(session.element) \(source.name) cancel")
  }
}
