import DBus
import DragboardStore
import Foundation
import Logging
import TestSupport
import Testing

@testable import DragboardService
@testable import dragboardd

/// A service in the test's own process and thread, on a bus of its own: nothing happens but while its loop runs.
struct LocalService {
  let bus: PrivateBus
  let loop: EventLoop
  let service: Service

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    service = Service(
      on: try Connection(to: bus.address, on: loop),
      repository: try BoardStore(directory: bus.home.path + "/data"),
      limits: Limits(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { 1 })
  }

  /// A call as the bus brings it.
  func receivedCall() throws -> Message {
    let call = OutgoingMessage.call("Ping", of: PeerInterface.name, at: "/", to: .bus)
    let bytes = try #require(call.wire(serial: 1))
    return try #require(bytes.withUnsafeBytes { Message(wire: $0) })
  }
}
