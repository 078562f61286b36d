import Foundation
import TestSupport

/// The memory of the shelf.
extension Desk {
  /// Begins a new measurement of the shelf's peak.
  ///
  /// Source: proc(5), `/proc/pid/clear_refs`.
  func resetPeak() throws {
    guard let shelf else { return }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/\(shelf.id)/clear_refs"))
    try file.write(contentsOf: Data("5".utf8))
  }

  /// Returns the maximum of the shelf's resident memory since the last reset, in MiB.
  func peak() throws -> Int {
    guard let shelf else { return 0 }
    let status = try String(contentsOfFile: "/proc/\(shelf.id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard
      let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { throw TestProgram.Failure(description: "the system reports no peak") }
    return kibibytes >> 10
  }
}
