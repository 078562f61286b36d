struct DemoStep {
  /// A command that was run, or a signal that was received.
  enum Event {
    /// The lines that a person could type, the output, and the values of the reply.
    case command([String], output: [String], reply: [JSON])
    case signal(SeenSignal)

    var json: JSON {
      switch self {
      case .command(let lines, _, let reply):
        ["command": .string(lines.joined(separator: " ")), "reply": .array(reply)]
      case .signal(let signal):
        ["arguments": .array(signal.arguments), "signal": .string(signal.member)]
      }
    }
  }

  /// The number of the step, counted from 1.
  let number: Int
  let title: String
  var events: [Event] = []
  /// The board after the step; nil if the step failed before the board was read.
  var board: BoardListing?
  /// The reason why the step failed; nil if it succeeded.
  var failure: String?

  var json: JSON {
    (board.map { ["board": $0.json] } ?? [:]) + ["events": .array(events.map(\.json))]
      + (failure.map { ["failure": .string($0)] } ?? [:])
      + ["number": JSON(number), "title": .string(title)]
  }
}
