import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: all large contents were read before the first one was sent"
)
struct LargeAnswersPiledUp {
  private static let size = 32 << 20
  private static let calls = 24

  @Test("The daemon has only a few large contents in memory, and other calls are answered")
  func memory() throws {
    let daemon = try Daemon()
    let (client, other) = (try daemon.client(), try daemon.client())
    let row = try client.call(
      BoardInterface.insertData, 0, 0, "application/x-large",
      [UInt8](repeating: 7, count: Self.size))
    let before = try Self.peak(of: daemon)

    var sizes: [Int] = []
    for _ in 0..<Self.calls {
      client.connection.send(call(BoardInterface.getData, row, "*/*"), timeout: nil) { answer in
        sizes.append((try? answer.get().arguments(as: [UInt8].self).count) ?? 0)
      }
    }
    client.waitForBus()
    #expect(try other.call(BoardInterface.getIndexPath, row) == (0, 0))
    client.connection.loop.wait { sizes.count == Self.calls }
    #expect(sizes == [Int](repeating: Self.size, count: Self.calls))
    let after = try Self.peak(of: daemon)
    #expect(after - before < 4 * Self.size, "\((after - before) >> 20) MiB")
  }

  /// Returns the maximum resident memory of the daemon so far, in bytes.
  ///
  /// Source: proc(5), `/proc/pid/status`.
  private static func peak(of daemon: Daemon) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(daemon.id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return try #require(
      line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
  }
}
