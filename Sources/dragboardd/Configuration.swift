import DragboardService
import Files

/// The configuration of the daemon.
///
/// Options take precedence over variables, and variables over the file. One table of settings, `Setting`,
/// serves all three. ArgumentParser would need the options in a second place, and takes 11 million
/// instructions to parse them. The table takes 0.5 million, and the daemon 10 million until it has read
/// its configuration; the first call of a client waits for the start.
struct Configuration {
  /// The address of the bus; nil means the session bus.
  var address: String?
  /// The absolute path of the directory of the boards.
  var dataDirectory: String
  /// The limits of the resources that clients can use.
  var limits = Limits()
  var replaces = false
  /// Whether sandboxed clients may read the rows of other sources.
  var sandboxedRead = false
  /// The variables that are ignored, because they have no setting, and the reason for each.
  var ignoredVariables: [Fault] = []

  /// Variables of other programs of this project.
  private static let foreignVariables: Set = ["BOARD"]

  enum Request {
    case run(Configuration)
    case help
    case version
  }

  /// An error in the configuration: its location, the problem, and the valid values.
  struct Fault: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    init(_ place: String, _ problem: String) { description = "\(place): \(problem)" }

    static func usage(_ problem: String) -> Fault {
      Fault(description: "\(problem); see dragboardd --help")
    }
  }

  /// Reads the file, the variables and the options.
  static func read(
    arguments: [String], environment: Environment
  ) throws(Fault) -> Request {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    if arguments.contains("--version") { return .version }
    var configuration = Configuration(
      dataDirectory: environment.directory(.data).map {
        $0 + "/dragboard"
      } ?? "")
    if let directory = environment.directory(.configuration) {
      try configuration.readFile(directory + "/dragboard/config.toml")
    }
    try configuration.readVariables(environment)
    try configuration.readOptions(arguments)
    guard !configuration.dataDirectory.isEmpty else {
      throw Fault(
        description: "HOME is not an absolute path: set it or XDG_DATA_HOME, or use --data")
    }
    return .run(configuration)
  }

  // MARK: Sources

  private mutating func readFile(_ path: String) throws(Fault) {
    for entry in try ConfigurationFile.read(path) {
      let setting = try Self.setting(entry.key, in: entry.place)
      guard setting.syntax.isQuoted == entry.isQuoted else {
        throw Fault(entry.place, "\(entry.key) must be \(setting.syntax.words)")
      }
      try setting.set(entry.value, in: entry.place, on: &self)
    }
  }

  private mutating func readVariables(_ environment: Environment) throws(Fault) {
    for (name, value) in environment.variables(beginningWith: "DRAGBOARD_")
    where !Self.foreignVariables.contains(name) {
      let place = "variable DRAGBOARD_\(name)"
      let key = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
      let setting: Setting
      do throws(Fault) { setting = try Self.setting(key, in: place) } catch {
        ignoredVariables.append(error)
        continue
      }
      try setting.set(value, in: place, on: &self)
    }
  }

  private static func setting(_ key: String, in place: String) throws(Fault) -> Setting {
    guard let setting = Setting.named(key), !setting.isFlag else {
      throw Fault(place, "there is no setting '\(key)'")
    }
    return setting
  }

  private mutating func readOptions(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard option.hasPrefix("--") else { throw .usage("'\(option)' is not an option") }
      let parts = option.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let setting = Setting.named(parts[0]) else {
        throw .usage("unknown option --\(parts[0])")
      }
      guard parts.count == 1 || !setting.isFlag else {
        throw .usage("--\(setting.name) takes no value")
      }
      guard
        let value = parts.count == 2 ? String(parts[1]) : Self.takeValue(of: setting, from: &rest)
      else { throw .usage("\(option) needs a value") }
      try setting.set(value, in: "option --\(setting.name)", on: &self)
    }
  }

  /// Returns the value of an option.
  ///
  /// A flag has no value argument, and a boolean may have none. In both cases the value is "true".
  private static func takeValue(
    of setting: Setting, from rest: inout ArraySlice<String>
  ) -> String? {
    switch setting.value {
    case .flag: "true"
    case .boolean where rest.first?.hasPrefix("--") ?? true: "true"
    default: rest.popFirst()
    }
  }

  // MARK: Help

  static var help: String {
    """
    usage: dragboardd [OPTION VALUE]...

    Provides boards and drag sessions on the D-Bus session bus, as org.dragboard.Dragboard1.
    The bus starts it at the first call.

    \(Setting.general.map(\.help).joined(separator: "\n"))
      --help, --version                 show this help or the version, and exit

    Limits:
    \(Setting.limits.map(\.help).joined(separator: "\n"))

    Limits, address, data and sandboxed-read can also be set in ~/.config/dragboard/config.toml
    ('max-rows = 5000', 'data = "/srv/boards"') and in variables (DRAGBOARD_MAX_ROWS=5000). Options take
    precedence over variables, and variables over the file.

    Exit codes: 0 the daemon was asked to exit, was replaced or was not used, or the bus has ended; 1 the
    daemon could not start, or a bus that still runs has closed the connection; 2 an option, a variable or
    the configuration file is invalid; 3 another daemon has the name or the data.

    """
  }
}
