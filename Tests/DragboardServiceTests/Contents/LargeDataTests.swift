import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Registration of large data")
struct LargeDataTests {
  let daemon: Daemon
  let client: BusClient
  /// Faults of the disk in the files of large contents.
  let disk: Refuser
  let session: ObjectPath

  init() throws {
    disk = try Refuser()
    let bus = try PrivateBus()
    daemon = try Daemon(
      [], environment: disk.environment(bus.home.path + "/data/dragboard/contents"), on: bus)
    client = try daemon.client()
    session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
  }

  private func register(_ type: String, _ bytes: [UInt8]) -> OutgoingMessage {
    call(DragSessionInterface.registerData, at: session, 0, type, "all", bytes)
  }

  @Test("The reply for large data follows when it is in a file; waiting data is limited")
  func bounded() throws {
    let other = try daemon.client()
    let bytes = [UInt8](repeating: 7, count: 60 << 20)
    disk.hold(.writes)
    defer { disk.relent() }
    var outcomes: [String: ErrorName?] = [:]
    for number in 0..<5 {
      client.connection.send(register("image/x-\(number)", bytes), timeout: nil) {
        if case .failure(let error) = $0 { outcomes["\(number)"] = error.name }
        if case .success = $0 { outcomes["\(number)"] = .some(nil) }
      }
    }
    client.connection.loop.wait { outcomes.count == 1 }
    #expect(outcomes == ["4": .limitsExceeded])
    #expect(try other.call(DragSessionInterface.getTypes, at: session, 0).isEmpty)
    disk.relent()
    client.connection.loop.wait { outcomes.count == 5 }
    #expect(outcomes.count { $0.value == nil } == 4)
    let types = (0..<4).map { "image/x-\($0)" }
    #expect(try other.call(DragSessionInterface.getTypes, at: session, 0) == types)
    expect(try client.loadData("image/x-3", of: session), are: bytes)
  }

  @Test("Data that the disk cannot store is refused, and its type stays free")
  func refused() throws {
    let bytes = pattern(100_000)
    disk.refuse(.writes, .ENOSPC)
    expect(.ioError) { try client.wait(for: register("image/png", bytes)) }
    disk.relent()
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0).isEmpty)
    try client.wait(for: register("image/png", bytes))
    expect(try client.loadData("image/png", of: session), are: bytes)
  }

  @Test("The end of the drag ends the registration, and no file is left")
  func ends() throws {
    disk.hold(.writes)
    defer { disk.relent() }
    let outstanding = client.send([register("image/png", pattern(100_000))])
    try client.cancel(session)
    disk.relent()
    #expect(outstanding.errors() == ["SessionEnded"])
    try client.waitForContentFiles(0, on: daemon.bus)
  }
}
