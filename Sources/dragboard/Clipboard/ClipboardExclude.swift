import ArgumentParser
import DragboardClient

struct ClipboardExclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exclude",
    abstract: "Exclude programs, windows and types: their copies are not stored.",
    discussion: """
      Without options, print the exclusions; some password managers and private windows are excluded by default. In a \
      pattern, * matches any characters. On X11, the names of a program are the name of its process, the name and the path \
      of its file, and its argument 0. A script also has its own name and path. On Wayland, the names are the id of the \
      application whose window has the focus, or had it within the last second, and the last part of the id. 'dragboard \
      clipboard status' shows whether the desktop reports applications. GNOME reports no titles of windows.

      EXAMPLES:
        dragboard clipboard exclude --application keepassxc --type 'x-secret/*'
        dragboard clipboard exclude --window '* - Online Banking*'
        dragboard clipboard exclude --remove --application keepassxc
      """)

  @Option(help: ArgumentHelp("A program; can be repeated.", valueName: "pattern"))
  var application: [String] = []
  @Option(help: ArgumentHelp("The title of a window; can be repeated.", valueName: "pattern"))
  var window: [String] = []
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A type; can be repeated.", valueName: "pattern"),
    completion: .typePatterns)
  var type: [String] = []
  @Flag(help: "Remove these exclusions.")
  var remove = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !remove || !isEmpty else {
      throw ValidationError("--remove: needs --application, --window or --type")
    }
  }

  /// Whether no exclusion is given.
  private var isEmpty: Bool { application.isEmpty && window.isEmpty && type.isEmpty }

  func run() throws {
    try run(on: connection) { dragboard in
      let bridge = dragboard.clipboard
      let info = try await bridge.info()
      if isEmpty { return try print(info) }
      let applications = try changed(info.excludedApplications, by: application)
      let windows = try changed(info.excludedWindows, by: window)
      let types = try changed(info.excludedTypes, by: type)
      if !application.isEmpty { try await bridge.setExcludedApplications(applications) }
      if !window.isEmpty { try await bridge.setExcludedWindows(windows) }
      if !type.isEmpty { try await bridge.setExcludedTypes(types) }
    }
  }

  /// Returns the exclusions as lines for a person: `application keepassxc`.
  static func words(_ info: ClipboardBridge.Info) -> [String] {
    info.excludedApplications.map { "application \($0)" }
      + info.excludedWindows.map { "window \($0)" } + info.excludedTypes.map { "type \($0)" }
  }

  private func print(_ info: ClipboardBridge.Info) throws(Failure) {
    if output.json {
      return try Console.writeLine([
        "excluded_applications": JSON(texts: info.excludedApplications),
        "excluded_windows": JSON(texts: info.excludedWindows),
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
