/// What happened in one step of the demonstration.
struct DemoStep: Encodable {
  /// What was done, or seen.
  enum Event {
    /// A command, as lines that a person could type, what it printed, and that as values.
    case command([String], output: [String], reply: [ReplyValue])
    /// A signal that a listener saw on the bus.
    case signal(SeenSignal)
  }

  /// The first is 1.
  let number: Int
  /// What the step shows.
  let title: String
  /// In the order in which they happened.
  var events: [Event] = []
  /// The board after it; nil where the step failed before it could be read.
  var board: BoardListing?
  /// Why the step failed; nil where it gave what it should have.
  var failure: String?
}

extension DemoStep.Event: Encodable {
  private enum Key: CodingKey { case command, reply, signal, arguments }

  /// An object: `command` and `reply`, or `signal` and `arguments`.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .command(let lines, _, let reply):
      try container.encode(lines.joined(separator: " "), forKey: .command)
      try container.encode(reply, forKey: .reply)
    case .signal(let signal):
      try container.encode(signal.member, forKey: .signal)
      try container.encode(signal.arguments, forKey: .arguments)
    }
  }
}
