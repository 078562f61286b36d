import DragboardService

/// What the daemon was told: by its configuration file, by variables, by options; the later one wins.
struct Configuration {
  /// The bus; nil is the session bus.
  var address: String?
  /// Where boards are kept.
  var dataDirectory: String
  /// What clients can make it hold.
  var limits = Limits()
  /// Whether it takes the place of a daemon that is there.
  var replaces = false
  /// Whether sandboxed clients may read rows that others brought.
  var sandboxedRead = false

  /// What the daemon was asked to do.
  enum Request {
    case run(Configuration)
    case help
    case version
  }

  /// What is wrong with the configuration: where, what, and what would have been right.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads all three places.
  static func read(
    arguments: [String], environment: Environment
  ) throws(Fault) -> Request {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    if arguments.contains("--version") { return .version }
    var configuration = Configuration(
      dataDirectory: environment.folder("XDG_DATA_HOME", orHome: ".local/share").map {
        $0 + "/dragboard"
      } ?? "")
    if let folder = environment.folder("XDG_CONFIG_HOME", orHome: ".config") {
      try configuration.readFile(folder + "/dragboard/config.toml")
    }
    for (name, value) in environment.variables(beginningWith: "DRAGBOARD_") {
      let setting = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
      try configuration.set(setting, to: value, in: "variable DRAGBOARD_\(name)")
    }
    try configuration.readOptions(arguments)
    guard !configuration.dataDirectory.isEmpty else {
      throw Fault(description: "HOME is no absolute path: set it, or XDG_DATA_HOME, or give --data")
    }
    return .run(configuration)
  }

  // MARK: The three places

  private mutating func readFile(_ path: String) throws(Fault) {
    for entry in try ConfigurationFile.read(path) {
      guard Self.texts.contains(entry.key) == entry.isText else {
        let bare = entry.key == Self.sandboxedReadName ? "true or false" : "a number"
        let form = entry.isText ? "\(bare), without quotes" : "a text, in quotes"
        throw Fault(description: "\(entry.place): \(entry.key) is \(form)")
      }
      try set(entry.key, to: entry.value, in: entry.place)
    }
  }

  private mutating func readOptions(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard option.hasPrefix("--") else {
        throw Fault(description: "'\(option)' is no option; see dragboardd --help")
      }
      if option == "--replace" {
        replaces = true
        continue
      }
      let parts = option.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard Self.settings.contains(name) else {
        let fault =
          Self.flags.contains(name) ? "--\(name) takes no value" : "there is no option --\(name)"
        throw Fault(description: "\(fault); see dragboardd --help")
      }
      guard let value = parts.count == 2 ? String(parts[1]) : Self.takeValue(of: name, from: &rest)
      else { throw Fault(description: "\(option) needs a value; see dragboardd --help") }
      try set(name, to: value, in: "option --\(name)")
    }
  }

  /// The value behind an option; a truth value may be left out where it is true.
  private static func takeValue(of name: String, from rest: inout ArraySlice<String>) -> String? {
    if name == sandboxedReadName, rest.first?.hasPrefix("--") ?? true { return "true" }
    return rest.popFirst()
  }

  /// The options that have no value.
  private static let flags = ["replace"]
  /// Everything that can be set.
  private static let settings = texts + [sandboxedReadName] + Limits.settings.map(\.name)
  /// The settings that are texts; all others are numbers.
  private static let texts = ["address", "data"]
  /// The one that is a truth value.
  private static let sandboxedReadName = "sandboxed-read"
  private static let truthValues = [
    "true": true, "yes": true, "on": true, "1": true,
    "false": false, "no": false, "off": false, "0": false,
  ]

  private mutating func set(
    _ name: String, to value: String, in place: String
  ) throws(Fault) {
    switch name {
    case "address":
      guard !value.isEmpty else {
        throw Fault(
          description: "\(place): the address is empty; without one it is the session bus")
      }
      address = value
    case "data":
      guard value.hasPrefix("/") else {
        throw Fault(description: "\(place): '\(value)' is not the absolute path of a folder")
      }
      dataDirectory = value
    case Self.sandboxedReadName:
      guard let isOpen = Self.truthValues[value] else {
        throw Fault(description: "\(place): '\(value)' is neither true nor false")
      }
      sandboxedRead = isOpen
    default:
      do throws(Limits.InvalidSetting) { try limits.set(name, to: value) } catch {
        throw Fault(description: "\(place): \(error)")
      }
    }
  }

  // MARK: Help

  /// What `--help` shows.
  static var help: String {
    let limits = Limits()
    let settings = Limits.settings.map { setting in
      let option = "  --\(setting.name) N"
      let gap = String(repeating: " ", count: max(1, 36 - option.count))
      return "\(option)\(gap)\(setting.meaning) (\(limits.text(of: setting)))\n"
    }
    return """
      usage: dragboardd [OPTION VALUE]...

      Keeps boards and drag sessions on the D-Bus session bus, as org.dragboard.Dragboard1.
      Usually nobody starts it by hand: the first call does.

        --address ADDRESS                 the bus to serve (the session bus)
        --data FOLDER                     where boards are kept (~/.local/share/dragboard)
        --sandboxed-read true|false       whether sandboxed clients may read what others brought (false)
        --replace                         take the place of the daemon that is there
        --help, --version                 show this, or the version, and leave

      Limits:
      \(settings.joined())
      All of them, and address, data and sandboxed-read, can stand in
      ~/.config/dragboard/config.toml ('max-rows = 5000', 'data = "/srv/boards"') and in variables
      (DRAGBOARD_MAX_ROWS=5000); an option wins over a variable, a variable over the file.

      Exit codes: 0 asked to leave, replaced or idle, or the bus has ended; 1 could not start, or the bus has
      closed the connection and goes on; 2 wrong option, variable or configuration file; 3 another daemon has
      the name or the data.

      """
  }
}
