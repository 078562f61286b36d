import DBus
import Foundation
import TestSupport
import Testing

/// A private bus with the echo service.
final class EchoBus: Sendable {
  let bus: PrivateBus
  let service: Service

  init() throws {
    bus = try PrivateBus()
    service = try Service(at: bus.address)
  }

  deinit { service.stop() }

  /// Returns a new client with its own loop.
  func client() throws -> Client { try Client(to: bus.address) }

  /// The service with its own loop.
  ///
  /// `@unchecked` is safe, because only the loop's thread uses its objects.
  final class Service: @unchecked Sendable {
    let connection: Connection
    let server: ObjectServer
    private let echo: EchoObject
    private let thread: LoopThread

    init(at address: String) throws {
      var made: (Connection, ObjectServer, EchoObject)?
      thread = try LoopThread { loop in
        let connection = try Connection(to: address, on: loop)
        let server = ObjectServer(connection)
        let echo = EchoObject(server)
        server.manageObjects(below: Echo.path)
        server.export(Echo.path, [ObjectInterface(EchoObject.table, of: echo)])
        #expect(try connection.names.request(Echo.busName) == .owner)
        made = (connection, server, echo)
      }
      (connection, server, echo) = try #require(made)
    }

    /// The number of calls of Nothing and Hold; only the loop's thread may read it.
    var calls: UInt32 { echo.calls }

    func stop() { thread.stop() }

    /// Runs `body` on the service's loop.
    @discardableResult
    func run<Result: Sendable>(
      _ body: @escaping @Sendable (Service) -> Result
    ) async -> Result {
      await thread.run { body(self) }
    }
  }

  // MARK: Programs

  /// Calls with dbus-send and returns its output without the first line, or its error output.
  func dbusSend(
    _ method: String, _ arguments: String..., at path: String = Echo.path.text
  ) throws -> String {
    let result = try TestSupport.run(
      "dbus-send",
      ["--session", "--print-reply", "--dest=\(Echo.busName)", path, method] + arguments,
      environment: bus.environment)
    let lines = result.output.split(separator: "\n").dropFirst()
    return result.status.isSuccess
      ? lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
      : result.errors.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Calls with `gdbus call` and returns its output.
  func gdbusCall(_ method: String, _ arguments: String...) throws -> String {
    try words(
      "gdbus",
      [
        "call", "--session", "--dest=\(Echo.busName)", "--object-path=\(Echo.path)",
        "--method=\(method)", "--",
      ] + arguments)
  }

  /// Runs a command of busctl and returns its output.
  func busctl(_ command: String, _ arguments: String...) throws -> String {
    try words("busctl", ["--address=\(bus.address)", command] + arguments)
  }

  /// Runs a program on the bus and returns its output, or its error output.
  func words(_ program: String, _ arguments: [String]) throws -> String {
    let result = try TestSupport.run(program, arguments, environment: bus.environment)
    let text = result.status.isSuccess ? result.output : result.errors
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
