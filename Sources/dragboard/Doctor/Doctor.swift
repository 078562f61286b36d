import ArgumentParser
import DragboardClient

/// `dragboard doctor`.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what is wrong with the installation, and what to do.",
    discussion: """
      Looks at the bus, the daemon, its version, the files that start it, and its data. Starts nothing and changes \
      nothing. Exit code 0: all is well; 1: something is not.

      EXAMPLES:
        dragboard doctor
        dragboard doctor --json | jq -r 'select(.state == "bad").remedy'
      """)

  @Option(help: ArgumentHelp("The folder where the daemon keeps boards.", valueName: "folder"))
  var data: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let findings = Examination(address: connection.address, data: data).findings()
    let ink = Ink.standard
    for finding in findings {
      if output.json {
        try Console.writeLine(finding.json)
      } else {
        try Console.write(finding.text(ink))
      }
    }
    if findings.contains(where: { $0.state == .bad }) {
      throw ExitCode(ExitStatus.failure.rawValue)
    }
  }
}

/// A result of the examination.
struct Finding: Equatable {
  enum State: String {
    case good, bad
    /// Worth knowing, and no fault.
    case note
  }

  let state: State
  /// The part of the installation: "bus".
  let subject: String
  /// Its state in words.
  let words: String
  /// What to do about it; nil if nothing is to be done.
  let remedy: String?

  init(_ state: State, _ subject: String, _ words: String, remedy: String? = nil) {
    self.state = state
    self.subject = subject
    self.words = words
    self.remedy = remedy
  }

  /// As a program reads it.
  var json: JSON {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "words": .string(words),
      "remedy": JSON(text: remedy),
    ]
  }

  /// As a person reads it.
  func text(_ ink: Ink) -> String {
    let mark =
      switch state {
      case .good: ink.green("ok ")
      case .bad: ink.red("bad")
      case .note: ink.yellow("-- ")
      }
    let line = "\(mark)  \(TerminalText(subject).padded(to: 12))\(TerminalText(words).text)\n"
    return line
      + (remedy.map { "     \(TerminalText("").padded(to: 12))\(TerminalText($0).text)\n" } ?? "")
  }
}
