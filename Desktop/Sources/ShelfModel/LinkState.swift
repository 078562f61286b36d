/// The state of the link with other machines, as `dragboard-link status` prints it.
public struct LinkState: Equatable, Sendable {
  /// Why the server cannot be reached.
  public struct Absence: Equatable, Sendable {
    /// The machine that runs the server.
    public let host: String
    /// The time since which it cannot be reached; nil if it is unknown.
    public let since: String?
    /// The number of edits that wait.
    public let pending: Int
    /// The time of the first of these edits; nil if it is unknown.
    public let pendingSince: String?

    /// Creates the reason.
    public init(host: String, since: String?, pending: Int, pendingSince: String? = nil) {
      (self.host, self.since, self.pending) = (host, since, pending)
      self.pendingSince = pendingSince
    }
  }

  /// The name of this machine in the group.
  public private(set) var machine = ""
  /// The names of all machines; empty if the server cannot be reached.
  public private(set) var machines: [String] = []
  /// The words about each shared board, by the board's name.
  private var boardLines: [String] = []
  /// Whether the exchange runs.
  public private(set) var isRunning = false
  /// The error; nil without an error.
  public private(set) var error: String?

  /// The width of the names at the beginning of lines.
  private static let width = 9

  /// Reads an output; nil if it is not a state, because this machine is in no group.
  public init?(_ output: String) {
    for line in output.split(separator: "\n") where line.count >= Self.width {
      let value = String(line.dropFirst(Self.width))
      switch line.prefix(Self.width).split(separator: " ").first {
      case "machine": machine = value
      case "member": machines.append(value)
      case "service": isRunning = value == "running"
      case "board": boardLines.append(value)
      case nil: error = value
      default: break
      }
    }
    guard !machine.isEmpty else { return nil }
  }

  /// The part of an error about a server that another machine of the group runs.
  public var absence: Absence? {
    let regex =
      #/
      ^(.+)\ is\ not\ reachable(?:\ since\ ([^;]+))?
      (?:;\ (\d+)\ edits?(?:\ since\ ([^;]+?))?\ waits?)?
      /#
    guard let error, let match = error.firstMatch(of: regex) else { return nil }
    return Absence(
      host: String(match.1), since: match.2.map { String($0) },
      pending: match.3.flatMap { Int($0) } ?? 0, pendingSince: match.4.map { String($0) })
  }

  /// The state of a board in the group.
  public enum Sharing: Equatable, Sendable {
    /// It is not shared.
    case none
    /// This machine shares it.
    case shared
    /// Other machines share a board of this name, and this machine has not accepted it.
    case waiting
  }

  /// Returns the state of the board with a name.
  public func sharing(of board: String) -> Sharing {
    guard let words = words(about: board) else { return .none }
    return words.contains("not shared on this machine") ? .waiting : .shared
  }

  /// Returns the unusual words about a shared board, such as edits that wait, or that the disk is full;
  /// nil if there are none.
  public func notice(about board: String) -> String? {
    guard sharing(of: board) == .shared, let words = words(about: board) else { return nil }
    let unusual = words.split(separator: ", ").drop {
      $0.hasSuffix(" entries on the server") || $0.hasSuffix(" read") || $0 == "0 edits to send"
    }
    return unusual.isEmpty ? nil : unusual.joined(separator: ", ")
  }

  private func words(about board: String) -> Substring? {
    boardLines.first { $0.hasPrefix("\(board): ") }?.dropFirst(board.count + 2)
  }
}
