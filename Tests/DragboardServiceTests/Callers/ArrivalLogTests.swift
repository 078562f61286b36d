import DBus
import TestSupport
import Testing

@testable import Callers

@Suite("The times at which connections appeared")
struct ArrivalLogTests {
  private let bus: PrivateBus
  private let loop: EventLoop
  private let connection: Connection

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    connection = try Connection(to: bus.address, on: loop)
  }

  /// Asks the bus for credentials; all earlier messages of the bus have arrived when this returns.
  private func credentials(of name: String) throws -> Credentials {
    var answer: Result<[String: Variant], DBusError>?
    connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil, name
    ) { answer = $0 }
    loop.wait { answer != nil }
    return Credentials(try #require(answer).get())
  }

  @Test("A connection counts from its appearance, or from the start of the log if it is older")
  func arrivals() throws {
    var time: UInt64 = 100
    let older = try BusClient(to: bus.address)
    let log = ArrivalLog(connection) { BootTime(ticks: time) }
    let number = try credentials(of: older.name)
    // A bus that passes pidfds needs no log; on another bus the process of a client is unknown.
    let isLogged = number.process == nil
    let byNumber = Credentials(["ProcessID": Variant(.uint32(UInt32(number.processID ?? 0)))])
    func latestStart(of name: String) -> UInt64? {
      guard case .number(_, let start)? = log.process(of: name, byNumber) else { return nil }
      return start.ticks
    }
    time = 200
    let client = try BusClient(to: bus.address)
    _ = try credentials(of: client.name)
    time = 300
    #expect(latestStart(of: older.name) == (isLogged ? 100 : nil))
    #expect(latestStart(of: client.name) == (isLogged ? 200 : nil))
    client.leave()
    loop.wait { latestStart(of: client.name) != 200 }
    #expect(log.process(of: client.name, Credentials([:])) == nil)
  }
}
