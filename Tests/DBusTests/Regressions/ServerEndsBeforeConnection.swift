import DBus
import TestSupport
import Testing

@Suite("Regression: a call trapped after its server had ended")
struct ServerEndsBeforeConnection {
  @Test("A connection whose server has ended refuses calls")
  func refused() throws {
    let bus = try EchoBus()
    let loop = try EventLoop()
    let connection = try Connection(to: bus.bus.address, on: loop)
    let name = try BusName(connection.uniqueName)
    var server: ObjectServer? = ObjectServer(connection)
    server?.export("/", [])
    server = nil
    var refusal: DBusError?
    connection.call(PeerInterface.ping, at: "/", of: name) { refusal = $0.failure }
    loop.wait { refusal != nil }
    #expect(refusal?.name == .unknownObject)
  }
}
