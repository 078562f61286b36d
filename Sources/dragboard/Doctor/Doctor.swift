import ArgumentParser
import DragboardClient

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find faults of the installation, and their remedies.",
    discussion: """
      Examine the bus, the daemon, its version, the files that start it, its configuration, its data, the \
      clipboard bridge, the link of shared boards, and whether running programs are older than the installed ones. This \
      starts no daemon and changes nothing. The second line of a fault is its remedy, usually a \
      command. The exit code is 1 if there is a fault, and 0 otherwise.

      With --desktop, examine instead the parts of the shelf and the clipboard bridge that depend on the display: \
      whether they work here, by which means, and why not.

      EXAMPLES:
        dragboard doctor
        dragboard doctor --desktop
        dragboard doctor --json | jq -r 'select(.state == "bad").remedy'
      """)

  @Option(
    help: ArgumentHelp(
      "The data directory (default: the daemon's directory).", valueName: "directory"),
    completion: .directory)
  var data: String?

  @Flag(help: "Examine the desktop: the shelf and the clipboard bridge on this display.")
  var desktop = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let examination = Examination(address: connection.address, data: data)
    let findings = desktop ? examination.desktopFindings() : examination.findings()
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

struct Finding: Equatable {
  enum State: String {
    case good, bad
    /// Information that is not a fault.
    case note
  }

  let state: State
  /// The part of the installation: "bus".
  let subject: String
  /// The state of this part in words.
  let words: String
  /// The remedy; nil if none is necessary.
  let remedy: String?

  init(_ state: State, _ subject: String, _ words: String, remedy: String? = nil) {
    self.state = state
    self.subject = subject
    self.words = words
    self.remedy = remedy
  }

  var json: JSON {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "words": .string(words),
      "remedy": JSON(text: remedy),
    ]
  }

  func text(_ ink: Ink) -> String {
    let mark =
      switch state {
      case .good: ink.green("ok ")
      case .bad: ink.red("bad")
      case .note: ink.yellow("-- ")
      }
    let line = "\(mark)  \(TerminalText(subject).padded(to: 13))\(TerminalText(words).text)\n"
    return line
      + (remedy.map { "     \(TerminalText("").padded(to: 13))\(TerminalText($0).text)\n" } ?? "")
  }
}
