/// How a process ended.
public enum ProcessStatus: Hashable, Sendable, CustomStringConvertible {
  /// It left by itself, with that code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  /// Whether it left by itself with code 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// What happened, in words.
  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signalled(let number): "ended by signal \(number)"
    }
  }

  /// From what waitpid(2) tells of a process that has ended.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }
}
