import Foundation
import Testing

/// What records all that a daemon does to its files: `Shims/recorder.c`, preloaded.
final class Recorder {
  private let shim: Shim

  /// Compiles the shim.
  init() throws { shim = try Shim("recorder") }

  private var log: String { shim.folder.path + "/log" }

  /// What the daemon has to be started with, whose files in that folder are meant.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - other: what another shim needs, which carries out what is recorded.
  /// - Returns: variables.
  func environment(_ folder: String, before other: [String: String]) -> [String: String] {
    let own = ["RECORDER_LOG": log, "RECORDER_FOLDER": folder]
    let libraries = [shim.library, other["LD_PRELOAD"] ?? ""].joined(separator: " ")
    return other.merging(own) { $1 }.merging(["LD_PRELOAD": libraries]) { $1 }
  }

  /// How long the log is now.
  var position: Int {
    (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
  }

  /// Does something while nothing that is recorded is going on: whoever is killed then has recorded all that it has done.
  func betweenCalls(_ body: () -> Void) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: log))
    #expect(flock(file.fileDescriptor, LOCK_EX) == 0)
    body()
    try file.close()
  }

  /// All that was recorded, with the place in the log where each record begins.
  func operations() throws -> [(operation: RecordedOperation, start: Int)] {
    RecordedOperation.read(try Data(contentsOf: URL(fileURLWithPath: log)))
  }

  /// What was recorded since a position.
  func operations(since position: Int) throws -> [RecordedOperation] {
    try operations().filter { $0.start >= position }.map(\.operation)
  }
}
