import DragboardService

/// A setting of the daemon: an option, a variable and a key of the configuration file.
///
/// The two tables are the only statement of the settings. Parsing, `--help`, the manual page and
/// the errors are read from them.
struct Setting: Sendable {
  /// The name of the option and of the key: `max-rows`.
  let name: String
  /// The meaning, with the unit of a number.
  let meaning: String
  /// The value, and where the configuration has it.
  let value: Value
  /// The default as `--help` shows it, if it depends on the environment.
  var shownDefault: String?

  typealias Place<Content> = any WritableKeyPath<Configuration, Content> & Sendable

  /// The type of a value, and its place in the configuration.
  enum Value: Sendable {
    case address(Place<String?>)
    case directory(Place<String>)
    case boolean(Place<Bool>)
    case count(Place<Int>)
    case duration(Place<Duration>)
    /// An option without a value; no variable and no key.
    case flag(Place<Bool>)
  }

  static let general = [
    Setting(
      name: "address", meaning: "the bus to serve", value: .address(\.address),
      shownDefault: "the session bus"),
    Setting(
      name: "data", meaning: "where boards are kept", value: .directory(\.dataDirectory),
      shownDefault: "~/.local/share/dragboard"),
    Setting(
      name: "sandboxed-read", meaning: "whether sandboxed clients may read what others brought",
      value: .boolean(\.sandboxedRead)),
    Setting(
      name: "replace", meaning: "take the place of the daemon that is there",
      value: .flag(\.replaces)),
  ]

  static let limits = [
    Setting(
      name: "max-sessions-per-application", meaning: "active sessions of one application",
      value: .count(\.limits.maxSessionsPerApplication)),
    Setting(
      name: "max-sessions", meaning: "active sessions in all", value: .count(\.limits.maxSessions)),
    Setting(name: "max-items", meaning: "items in a session", value: .count(\.limits.maxItems)),
    Setting(
      name: "max-representation-bytes", meaning: "bytes of a representation",
      value: .count(\.limits.maxRepresentationBytes)),
    Setting(
      name: "max-session-bytes", meaning: "bytes of a session",
      value: .count(\.limits.maxSessionBytes)),
    Setting(name: "max-bytes", meaning: "bytes of all sessions", value: .count(\.limits.maxBytes)),
    Setting(name: "max-rows", meaning: "rows of a board", value: .count(\.limits.maxRows)),
    Setting(name: "max-boards", meaning: "boards", value: .count(\.limits.maxBoards)),
    Setting(
      name: "max-sections", meaning: "sections of a board", value: .count(\.limits.maxSections)),
    Setting(name: "max-views", meaning: "open views", value: .count(\.limits.maxViews)),
    Setting(
      name: "undo-steps", meaning: "edits of a board that can be taken back",
      value: .count(\.limits.undoSteps)),
    Setting(
      name: "undo-bytes", meaning: "bytes that are kept for that, of a board",
      value: .count(\.limits.undoBytes)),
    Setting(
      name: "session-timeout", meaning: "seconds until a session ends that nobody names",
      value: .duration(\.limits.sessionTimeout)),
    Setting(
      name: "load-timeout", meaning: "seconds until a promise fails whose loader is silent",
      value: .duration(\.limits.loadTimeout)),
    Setting(
      name: "idle-timeout", meaning: "seconds until an activated daemon leaves that nobody uses",
      value: .duration(\.limits.idleTimeout)),
  ]

  static let all = general + limits
}

// MARK: Parsing

extension Setting {
  /// The setting of that name; nil if there is none.
  static func named(_ name: some StringProtocol) -> Setting? { all.first { $0.name == name } }

  /// Whether the configuration file has the value in quotes.
  var isQuoted: Bool {
    switch value {
    case .address, .directory: true
    case .boolean, .count, .duration, .flag: false
    }
  }

  /// Whether it is an option without a value.
  var isFlag: Bool { if case .flag = value { true } else { false } }

  /// The value in the configuration file, for errors.
  var form: String {
    switch value {
    case .address, .directory: "a text, in quotes"
    case .boolean, .flag: "true or false, without quotes"
    case .count, .duration: "a number, without quotes"
    }
  }

  /// Sets the value that `text` states.
  ///
  /// - Throws: `Fault` if `text` is no value of the setting.
  func set(
    _ text: String, in source: String, on configuration: inout Configuration
  ) throws(Configuration.Fault) {
    switch value {
    case .address(let place):
      guard !text.isEmpty else {
        throw .init(source, "the address is empty; without one it is the session bus")
      }
      configuration[keyPath: place] = text
    case .directory(let place):
      guard text.hasPrefix("/") else {
        throw .init(source, "'\(text)' is not the absolute path of a folder")
      }
      configuration[keyPath: place] = text
    case .boolean(let place), .flag(let place):
      guard let isTrue = Self.booleans[text] else {
        throw .init(source, "'\(text)' is neither true nor false")
      }
      configuration[keyPath: place] = isTrue
    case .count(let place):
      guard let count = Int(text), 1...Self.maxCount ~= count else {
        throw .init(
          source,
          "\(name): '\(text)' is not a positive whole number up to \(Self.maxCount) (\(meaning))")
      }
      configuration[keyPath: place] = count
    case .duration(let place):
      guard let duration = Self.duration(text) else {
        throw .init(source, "\(name): '\(text)' is not a positive number of seconds")
      }
      configuration[keyPath: place] = duration
    }
  }

  private static let booleans = [
    "true": true, "yes": true, "on": true, "1": true,
    "false": false, "no": false, "off": false, "0": false,
  ]

  /// Maximum of every count: sums of several do not overflow.
  private static let maxCount = 1 << 48

  /// `Double` also reads hexadecimals and infinities, which are refused.
  private static func duration(_ text: String) -> Duration? {
    guard let seconds = Double(text), seconds > 0, seconds <= 1e9,
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
    else { return nil }
    return .milliseconds(max(1, Int64(seconds * 1_000)))
  }
}

// MARK: Help

extension Setting {
  /// The line of `--help`.
  var help: String {
    let option = "  --\(name)\(placeholder)"
    let gap = String(repeating: " ", count: max(1, 36 - option.count))
    let standard = shownDefault ?? text(in: Configuration(dataDirectory: ""))
    return option + gap + meaning + (isFlag ? "" : " (\(standard))")
  }

  private var placeholder: String {
    switch value {
    case .address: " ADDRESS"
    case .directory: " FOLDER"
    case .boolean: " true|false"
    case .count, .duration: " N"
    case .flag: ""
    }
  }

  /// The value as a user writes it.
  private func text(in configuration: Configuration) -> String {
    switch value {
    case .address(let place): configuration[keyPath: place] ?? ""
    case .directory(let place): configuration[keyPath: place]
    case .boolean(let place), .flag(let place): "\(configuration[keyPath: place])"
    case .count(let place): "\(configuration[keyPath: place])"
    case .duration(let place): "\(configuration[keyPath: place].components.seconds)"
    }
  }
}
