/// How a process ended.
public enum ProcessStatus: Hashable, Sendable, CustomStringConvertible {
  /// The process exited with this code.
  case exited(Int32)
  /// A signal with this number ended the process.
  case signalled(Int32)

  /// Whether the process exited with code 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// A description of how the process ended.
  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signalled(let number): "ended by signal \(number)"
    }
  }

  /// Converts a status of waitpid(2) for an ended process.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }
}
