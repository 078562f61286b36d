import Foundation

/// A shim that fails or delays a daemon's calls to the disk: `Shims/refuser.c`, preloaded.
final class Refuser {
  /// Calls that can fail.
  struct Calls: OptionSet {
    let rawValue: Int64
    static let writes = Calls(rawValue: 1)
    static let syncs = Calls(rawValue: 2)
    /// Making, renaming and removing files and folders, and opening them to write.
    static let names = Calls(rawValue: 4)
    static let reads = Calls(rawValue: 8)
    /// Syncs of folders, which are among the syncs, too.
    static let folderSyncs = Calls(rawValue: 16)
    /// Looking whether something is there, and what is in a folder.
    static let lookups = Calls(rawValue: 32)
    /// Copying from one file to another without reading.
    static let copies = Calls(rawValue: 64)
  }

  private let shim: Shim
  private let memory: SharedNumbers

  /// Compiles the shim.
  init() throws {
    shim = try Shim("refuser")
    memory = try SharedNumbers(shim.folder.path + "/memory", count: 5)
  }

  /// Returns the environment of a daemon whose calls in that directory fail.
  func environment(_ folder: String) -> [String: String] {
    [
      "LD_PRELOAD": shim.library, "REFUSER_MEMORY": shim.folder.path + "/memory",
      "REFUSER_FOLDER": folder,
    ]
  }

  /// Fails such calls from now on: all of them or a number, after a number of successes.
  func refuse(
    _ calls: Calls, _ error: POSIXErrorCode, after ahead: Int = 0, count: Int? = nil
  ) {
    memory[1] = calls.rawValue
    memory[2] = Int64(ahead)
    memory[3] = Int64(count ?? -1)
    memory[4] = 0
    memory[0] = Int64(error.rawValue)
  }

  /// Delays such calls from now on, until `relent`.
  func hold(_ calls: Calls) {
    memory[1] = calls.rawValue
    memory[2] = 0
    memory[3] = -1
    memory[4] = 0
    memory[0] = -1
  }

  /// Has all calls work again; how many have failed or waited.
  @discardableResult
  func relent() -> Int {
    memory[0] = 0
    return Int(memory[4])
  }
}
