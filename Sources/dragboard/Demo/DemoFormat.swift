enum DemoFormat {
  /// Text for a person, with or without colours.
  case text(colours: Bool)
  /// JSON for a program, one object per line.
  case json

  /// The text before the first step.
  var opening: String {
    switch self {
    case .text:
      "A demonstration on a private bus. It does not touch your session.\n"
    case .json: ""
    }
  }

  func step(_ step: DemoStep) -> String {
    switch self {
    case .text(let colours): Self.text(of: step, Ink(hasColours: colours))
    case .json: "\(step.json)\n"
    }
  }

  private static func text(of step: DemoStep, _ ink: Ink) -> String {
    var lines = ["", ink.bold("\(step.number)  \(step.title)")]
    for event in step.events { lines += self.lines(of: event, ink) }
    if let board = step.board {
      lines.append("")
      lines += board.table(ink)
    }
    return lines.map { $0.isEmpty || $0 == lines[1] ? $0 : "   \($0)" }
      .joined(separator: "\n") + "\n"
  }

  private static func lines(of event: DemoStep.Event, _ ink: Ink) -> [String] {
    switch event {
    case .command(let command, let output, _):
      let typed = command.enumerated().map { index, line in
        (index == 0 ? ink.green("$ ") : "      ") + line
          + (index == command.count - 1 ? "" : " \\")
      }
      return [""] + typed + output.map { "  " + $0 }
    case .signal(let signal):
      let arguments = signal.arguments.map(\.description).joined(separator: " ")
      return [ink.cyan("< signal \(signal.member) \(arguments)")]
    }
  }
}
