import DragModel
import DragboardStore
import Foundation
import Logging
import TestSupport
import Testing

@testable import DBus
@testable import DragboardService
@testable import dragboardd

/// A service in the test's process and thread, on a private bus.
///
/// Nothing happens except while its loop runs.
struct LocalService {
  let bus: PrivateBus
  let loop: EventLoop
  let store: BoardStore
  let service: Service

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    store = try BoardStore(directory: bus.home.path + "/data")
    service = Service(
      on: try Connection(to: bus.address, on: loop), store: store,
      limits: Limits(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { 1 })
  }

  /// Returns a call of an unsandboxed connection in the form in which the service's functions get
  /// it.
  func command(of name: String) throws -> Command {
    let client = ClientQueue(name)
    let caller = Caller(uniqueName: name, confinement: .unsandboxed)
    client.setIdentity(
      Identity(Client(BoardAccess(of: caller, opensContents: true))), sharing: TurnHolder())
    return Command(
      Call(try receivedCall(), by: client, to: service.server), in: service.transactions.current)
  }

  /// Returns a call as the bus delivers it.
  func receivedCall() throws -> Message {
    let call = OutgoingMessage.call("Ping", of: PeerInterface.name, at: "/", to: .bus)
    let bytes = try #require(call.wire(serial: 1))
    return try #require(bytes.withUnsafeBytes { Message(wire: $0) })
  }
}
