import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The memory of a batch")
struct BatchMemoryTests {
  @Test("1,024 InsertData of 64 KiB that arrive together need the memory of waiting calls only")
  func insertions() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.insert(["first"])
    let before = daemon.kibibytes("VmHWM")
    let bytes = [UInt8].sample(64 << 10)
    daemon.signal(SIGSTOP)
    let outstanding = client.send(
      (0..<1_024).map { _ in call(BoardInterface.insertData, 0, -1, "application/x-data", bytes) })
    daemon.signal(SIGCONT)
    #expect(outstanding.errors() == [String](repeating: "", count: 1_024))
    #expect(try client.get(BoardInterface.count) == 1_025)
    // The calls have 64 MiB in all, which may wait. Their contents need no memory in addition.
    let growth = daemon.kibibytes("VmHWM") - before
    #expect(growth < 80 << 10, "\(growth) KiB")
  }
}
