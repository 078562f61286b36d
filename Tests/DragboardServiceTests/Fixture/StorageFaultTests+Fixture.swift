import DBus
import DragboardInterface
import DragboardService
import TestSupport
import Testing

extension StorageFaultTests {
  /// A service with a board of three rows, a client that calls, and an observer.
  final class Fixture {
    let service: ServiceThread
    let client: BusClient
    let observer: BusClient
    let items: [String]
    let before: BoardState

    init(limits: Limits = Limits()) throws {
      service = try ServiceThread(limits: limits)
      client = try service.client()
      items = try client.call(BoardInterface.insertTexts, 0, 0, ["a", "b", "c"])
      observer = try service.client()
      before = try observer.state()
      _ = (client.takeSignals(), observer.takeSignals())
    }

    deinit { service.stop() }

    /// Sends the calls as one batch in which a step fails; returns the errors.
    func batch(failing step: FaultyStore.Step?, _ calls: [OutgoingMessage]) -> [String] {
      let outstanding = service.whilePaused {
        if let step { service.orders.fail(step) }
        return client.send(calls)
      }
      return outstanding.errors()
    }

    /// Takes the names of the signals that have arrived, without PropertiesChanged.
    func signals() -> [String] { observer.takeSignals().map(\.member) }
  }
}
