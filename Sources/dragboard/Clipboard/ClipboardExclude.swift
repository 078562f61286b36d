import ArgumentParser
import DragboardClient

struct ClipboardExclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exclude", abstract: "Exclude programs and types: their copies are not stored.",
    discussion: """
      Without options, print the exclusions. In a pattern, * matches any characters. The names of a program are the name \
      of its process, the name and the path of its file, and its argument 0. A script also has its own name and path. On \
      Wayland, --application has no effect, because only X11 reports the program of a copy.

      EXAMPLES:
        dragboard clipboard exclude --application keepassxc --type 'x-secret/*'
        dragboard clipboard exclude --remove --application keepassxc
      """)

  @Option(help: ArgumentHelp("A program; can be repeated.", valueName: "pattern"))
  var application: [String] = []
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A type; can be repeated.", valueName: "pattern"),
    completion: .typePatterns)
  var type: [String] = []
  @Flag(help: "Remove these exclusions.")
  var remove = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !remove || !application.isEmpty || !type.isEmpty else {
      throw ValidationError("--remove: needs --application or --type")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      let bridge = dragboard.clipboard
      let info = try await bridge.info()
      if application.isEmpty, type.isEmpty { return try print(info) }
      let applications = try changed(info.excludedApplications, by: application)
      let types = try changed(info.excludedTypes, by: type)
      if !application.isEmpty { try await bridge.setExcludedApplications(applications) }
      if !type.isEmpty { try await bridge.setExcludedTypes(types) }
    }
  }

  /// Returns the exclusions as lines for a person: `application keepassxc`.
  static func words(_ info: ClipboardBridge.Info) -> [String] {
    info.excludedApplications.map { "application \($0)" } + info.excludedTypes.map { "type \($0)" }
  }

  private func print(_ info: ClipboardBridge.Info) throws(Failure) {
    if output.json {
      return try Console.writeLine([
        "excluded_applications": JSON(texts: info.excludedApplications),
        "excluded_types": JSON(texts: info.excludedTypes),
      ])
    }
    for line in Self.words(info) { try Console.writeLine(TerminalText(line).text) }
  }

  private func changed(_ old: [String], by patterns: [String]) throws(CommandError) -> [String] {
    guard remove else { return old + patterns.filter { !old.contains($0) } }
    if let missing = patterns.first(where: { !old.contains($0) }) {
      throw CommandError(
        .notFound, "'\(missing)' is not excluded",
        remedy: "To list the exclusions: \(SuggestedCall("clipboard exclude", hasBoard: false))")
    }
    return old.filter { !patterns.contains($0) }
  }
}
