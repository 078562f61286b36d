import Foundation

/// A preloaded shim, `Shims/killer.c`, that kills the daemon at its nth call that changes or syncs
/// a file.
final class Killer {
  /// The call at which the daemon dies, counted from ``arm(_:)`` on, and whether this call is
  /// carried out.
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

  /// Starts the count at 0, and sets the call at which the daemon dies.
  func arm(_ moment: Moment?) {
    memory[1] = Int64(moment?.call ?? 0)
    memory[2] = moment?.isAfter == true ? 1 : 0
    memory[0] = 0
  }

  /// The number of calls since `arm`.
  var count: Int { Int(memory[0]) }
}
