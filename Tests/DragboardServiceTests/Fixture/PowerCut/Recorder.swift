import Foundation
import Testing

/// A preloaded shim, `Shims/recorder.c`, that records a daemon's operations on its files.
final class Recorder {
  private let shim: Shim

  /// Compiles the shim.
  init() throws { shim = try Shim("recorder") }

  private var log: String { shim.folder.path + "/log" }

  /// Returns the environment of a daemon whose files in that directory are recorded.
  ///
  /// - Parameters:
  /// - folder: the directory.
  /// - other: the variables of another shim, which carries out the recorded operations.
  /// - Returns: the variables.
  func environment(_ folder: String, before other: [String: String]) -> [String: String] {
    let own = ["RECORDER_LOG": log, "RECORDER_FOLDER": folder]
    let libraries = [shim.library, other["LD_PRELOAD"] ?? ""].joined(separator: " ")
    return other.merging(own) { $1 }.merging(["LD_PRELOAD": libraries]) { $1 }
  }

  /// The current length of the log.
  var position: Int {
    (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
  }

  /// Runs `body` while no recorded call is in progress.
  ///
  /// If `body` kills the process, all its operations are in the log.
  func betweenCalls(_ body: () -> Void) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: log))
    #expect(flock(file.fileDescriptor, LOCK_EX) == 0)
    body()
    try file.close()
  }

  /// Returns all recorded operations, each with its offset in the log.
  func operations() throws -> [(operation: RecordedOperation, start: Int)] {
    RecordedOperation.read(try Data(contentsOf: URL(fileURLWithPath: log)))
  }

  /// Returns the operations that were recorded since a position.
  func operations(since position: Int) throws -> [RecordedOperation] {
    try operations().filter { $0.start >= position }.map(\.operation)
  }
}
