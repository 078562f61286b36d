import Foundation

/// A preloaded shim, `Shims/refuser.c`, that makes a daemon's calls to the disk fail or wait.
final class Refuser {
  /// Kinds of calls that can fail.
  struct Calls: OptionSet {
    let rawValue: Int64
    static let writes = Calls(rawValue: 1)
    static let syncs = Calls(rawValue: 2)
    /// Calls that create, rename and remove files and directories, and that open files for writing.
    static let names = Calls(rawValue: 4)
    static let reads = Calls(rawValue: 8)
    /// Syncs of directories, which `syncs` includes, too.
    static let folderSyncs = Calls(rawValue: 16)
    /// Calls that look up files, and that read directories.
    static let lookups = Calls(rawValue: 32)
    /// Calls that copy from file to file without reading.
    static let copies = Calls(rawValue: 64)
  }

  private let shim: Shim
  private let memory: SharedNumbers

  /// Compiles the shim.
  init() throws {
    shim = try Shim("refuser")
    memory = try SharedNumbers(shim.folder.path + "/memory", count: 6)
  }

  /// Returns the environment of a daemon whose calls in this directory can fail.
  func environment(_ folder: String) -> [String: String] {
    [
      "LD_PRELOAD": shim.library, "REFUSER_MEMORY": shim.folder.path + "/memory",
      "REFUSER_FOLDER": folder,
    ]
  }

  /// The bytes that a failing write writes.
  enum Written: Int64, CaseIterable {
    case none, half
    /// The first half, for which the write succeeds.
    case halfWithoutError
  }

  /// Makes calls of these kinds fail from now on: all calls, or a number of calls, after a number
  /// of successes.
  func refuse(
    _ calls: Calls, _ error: POSIXErrorCode, after ahead: Int = 0, count: Int? = nil,
    writing written: Written = .none
  ) {
    memory[5] = written.rawValue
    memory[1] = calls.rawValue
    memory[2] = Int64(ahead)
    memory[3] = Int64(count ?? -1)
    memory[4] = 0
    memory[0] = Int64(error.rawValue)
  }

  /// Makes calls of these kinds wait from now on, until `relent`.
  func hold(_ calls: Calls) {
    memory[1] = calls.rawValue
    memory[2] = 0
    memory[3] = -1
    memory[4] = 0
    memory[0] = -1
  }

  /// Makes all calls succeed again; returns the number of calls that failed or waited.
  @discardableResult
  func relent() -> Int {
    memory[0] = 0
    return Int(memory[4])
  }
}
