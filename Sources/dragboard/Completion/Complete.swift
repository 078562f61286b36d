import ArgumentParser

/// `dragboard __complete`, which the completion scripts call.
struct Complete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__complete", abstract: "Print the continuations of a command line.",
    discussion: """
      The first line of the output is 'words', 'files' or 'folders'. After 'words', each line has a word, and its \
      description after a tab. 'files' and 'folders' stand for the names that the shell finds.

      EXAMPLES:
        dragboard __complete 'dragboard move '
      """, shouldDisplay: false)

  @Argument(help: "The line up to the cursor, with its quotes.")
  var line: String
  @Argument(
    parsing: .captureForPassthrough,
    help: "The end of the line that the shell replaces (default: the whole word).")
  var replaced: [String] = []

  func run() throws {
    let line = ShellLine(line, replacing: replaced.first)
    switch TimeLimit.run({ Completion(of: line) }) {
    case .files: try Console.writeLine("files")
    case .folders: try Console.writeLine("folders")
    case .words(let candidates):
      let words = candidates.compactMap { candidate -> String? in
        let scalars = candidate.word.unicodeScalars
        guard scalars.starts(with: line.kept.unicodeScalars) else { return nil }
        let rest = scalars.dropFirst(line.kept.unicodeScalars.count)
        return Candidate(String(rest), candidate.description).line
      }
      try Console.write((["words"] + words).map { $0 + "\n" }.joined())
    }
  }
}
