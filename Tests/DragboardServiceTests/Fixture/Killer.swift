import Foundation

/// A shim that kills a daemon at its nth call that changes or syncs a file: `Shims/killer.c`,
/// preloaded.
final class Killer {
  /// When the daemon dies: at which call, counted from ``arm(_:)`` on, and whether that is carried
  /// out.
  struct Moment: Hashable, CustomStringConvertible {
    let call: Int
    let isAfter: Bool
    var description: String { "\(isAfter ? "after" : "before") call \(call)" }
  }

  private let shim: Shim
  private let memory: SharedNumbers

  /// Compiles the shim.
  init() throws {
    shim = try Shim("killer")
    memory = try SharedNumbers(shim.folder.path + "/memory", count: 3)
  }

  /// The environment of the daemon.
  var environment: [String: String] {
    ["LD_PRELOAD": shim.library, "KILLER_MEMORY": shim.folder.path + "/memory"]
  }

  /// Counts from now on, and kills when it is time.
  func arm(_ moment: Moment?) {
    memory[1] = Int64(moment?.call ?? 0)
    memory[2] = moment?.isAfter == true ? 1 : 0
    memory[0] = 0
  }

  /// How many calls there have been since it was armed.
  var count: Int { Int(memory[0]) }
}
