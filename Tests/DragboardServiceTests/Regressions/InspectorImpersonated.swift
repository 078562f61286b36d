import DragboardInterface
import Foundation
import TestSupport
import Testing

@testable import DBus

/// A daemon in a user namespace asked the owner of a bus name about its callers, and trusted the
/// answers.
///
/// Every process, sandboxed or not, could own this name.
@Suite("Regression: a client answered as the daemon's caller inspector")
struct InspectorImpersonated {
  private static let wall = ["unshare", "--user", "--map-current-user", "--mount"]

  private static var isPossible: Bool {
    (try? run(wall[0], wall.dropFirst() + ["true"]))?.status.isSuccess ?? false
  }

  @Test(
    "A daemon that cannot inspect processes leaves its callers unidentified",
    .enabled(if: isPossible, "needs user namespaces"))
  func impersonated() throws {
    let daemon = try Daemon([], by: Self.wall)
    let impostor = try daemon.client()
    impostor.connection.onCall = { call in
      let answer = OutgoingMessage.reply(to: call)
      answer.append([String: [UInt8]](), ["flatpak-info", "control-groups"])
      impostor.connection.send(answer)
    }
    #expect(try impostor.connection.names.request("org.dragboard.CallerInspector1") == .owner)
    let client = try daemon.client()
    var result: Result<Message, DBusError>?
    let call = OutgoingMessage.call(
      "Clear", of: BoardInterface.name, at: BusClient.board, to: Dragboard.busName)
    client.connection.send(call) { result = $0 }
    // The test serves both connections in turns, until one of them has a message.
    let deadline = ContinuousClock.now + .seconds(30)
    while result == nil, .now < deadline {
      _ = try impostor.get(BoardInterface.count)
      _ = try client.get(BoardInterface.count)
    }
    guard case .failure(let error)? = result else {
      Issue.record("Clear was allowed, or not answered: \(String(describing: result))")
      return
    }
    #expect(error.name == .accessDenied)
  }
}
