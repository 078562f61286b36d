import DragboardService
import Glibc

/// What the daemon was told: by its configuration file, by variables, by options; the later one wins.
struct Configuration {
  /// The bus; nil is the session bus.
  var address: String?
  /// Where boards are kept.
  var dataDirectory: String
  /// What clients can make it hold.
  var limits = Limits()

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
    var configuration = Configuration(
      dataDirectory: environment.folder("XDG_DATA_HOME", orHome: ".local/share") + "/dragboard")
    try configuration.readFile(
      environment.folder("XDG_CONFIG_HOME", orHome: ".config") + "/dragboard/config.toml")
    for (name, value) in environment.variables(beginningWith: "DRAGBOARD_") {
      let setting = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
      try configuration.set(setting, to: value, in: "variable DRAGBOARD_\(name)")
    }
    return try configuration.readOptions(arguments)
  }

  // MARK: The three places

  /// Reads flat `key = value` lines; a file that is not there says nothing.
  private mutating func readFile(_ path: String) throws(Fault) {
    guard let file = fopen(path, "re") else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw Fault(description: "\(path): \(String(cString: strerror(errno)))")
      }
      return
    }
    defer { fclose(file) }
    var number = 0
    while let line = Self.readLine(file) {
      number += 1
      try readLine(line, in: "\(path), line \(number)")
    }
  }

  private static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    guard getline(&line, &size, file) > 0, let line else { return nil }
    return String(cString: line)
  }

  private mutating func readLine(_ line: String, in place: String) throws(Fault) {
    let text = line.prefix { $0 != "#" }.trimmed
    guard !text.isEmpty else { return }
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmed }
    guard parts.count == 2 else {
      throw Fault(description: "\(place): '\(text)' is not of the form 'key = value'")
    }
    try set(parts[0], to: parts[1].filter { $0 != "_" }, in: place)
  }

  private mutating func readOptions(_ arguments: [String]) throws(Fault) -> Request {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" { return .help }
      if option == "--version" { return .version }
      guard option.hasPrefix("--") else {
        throw Fault(description: "'\(option)' is no option; see dragboardd --help")
      }
      let parts = option.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw Fault(description: "\(option) needs a value; see dragboardd --help")
      }
      try set(String(parts[0]), to: value, in: "option --\(parts[0])")
    }
    return .run(self)
  }

  private mutating func set(
    _ name: String, to value: String, in place: String
  ) throws(Fault) {
    switch name {
    case "address": address = value
    case "data": dataDirectory = value
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
        --help, --version                 show this, or the version, and leave

      Limits:
      \(settings.joined())
      Each can stand in ~/.config/dragboard/config.toml ('max-rows = 5000') and in a variable
      (DRAGBOARD_MAX_ROWS=5000); an option wins over a variable, a variable over the file.

      Exit codes: 0 asked to leave, or the bus has gone; 1 could not start; 2 wrong option,
      variable or configuration file; 3 another daemon has the name or the data.

      """
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
