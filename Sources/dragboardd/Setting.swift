import DragboardInterface
import DragboardService

/// A setting of the daemon.
///
/// It is an option, a variable and a key of the configuration file.
///
/// The tables `general` and `limits` declare all settings. Parsing, `--help`, the manual page and
/// the errors use them.
struct Setting: Sendable {
  /// The name of the option and of the key: `max-rows`.
  let name: String
  /// The description of the setting.
  ///
  /// For a number, it includes the unit.
  let meaning: String
  /// The type of the value, and its property in the configuration.
  let value: Value
  /// The default as `--help` shows it, if it depends on the environment.
  let shownDefault: String?

  private init(_ name: String, _ meaning: String, _ value: Value, shownDefault: String? = nil) {
    self.name = name
    self.meaning = meaning
    self.value = value
    self.shownDefault = shownDefault
  }

  typealias Place<Content> = any WritableKeyPath<Configuration, Content> & Sendable

  /// The type of a value, and its property in the configuration.
  enum Value: Sendable {
    case address(Place<String?>)
    case directory(Place<String>)
    case boolean(Place<Bool>)
    case limit(Limits.Value)
    /// An option without a value, a variable or a key.
    case flag(Place<Bool>)
  }

  static let general = [
    Setting("address", "the bus to serve", .address(\.address), shownDefault: "the session bus"),
    Setting(
      "data", "directory of the boards", .directory(\.dataDirectory),
      shownDefault: "~/.local/share/dragboard"),
    Setting(
      "sandboxed-read", "whether sandboxed clients may read rows of other sources",
      .boolean(\.sandboxedRead)),
    Setting("replace", "replace the running daemon", .flag(\.replaces)),
  ]

  static let limits = [
    limit(.maxSessionsPerApplication, "active sessions of one application"),
    limit(.maxSessions, "active sessions of all applications"),
    limit(.maxItems, "items in a session"),
    limit(.maxRepresentationBytes, "bytes of a representation"),
    limit(.maxSessionBytes, "bytes of a session"),
    limit(.maxBytes, "bytes of all sessions"),
    limit(.maxRows, "rows of a board"),
    limit(.maxBoards, "boards"),
    limit(.maxSections, "sections of a board"),
    limit(.maxViews, "open views"),
    limit(.maxSandboxBytes, "bytes of the rows of a sandbox, plus 4 KiB for each row"),
    limit(.undoSteps, "edits of a board that can be undone"),
    limit(.undoBytes, "bytes of the undo history of a board"),
    limit(.sessionTimeout, "seconds until an unused session ends"),
    limit(.loadTimeout, "seconds until a promise fails if its loader sends nothing"),
    limit(.idleTimeout, "seconds until an unused, activated daemon exits"),
  ]

  private static func limit(_ name: LimitName, _ meaning: String) -> Setting {
    Setting(name.rawValue, meaning, .limit(Limits.value(of: name)))
  }

  static let all = general + limits
}

// MARK: Parsing

extension Setting {
  /// Returns the setting with this name; nil if there is none.
  static func named(_ name: some StringProtocol) -> Setting? { all.first { $0.name == name } }

  /// The placeholder in `--help`, whether the configuration file needs quotes, and a description of
  /// the value in the file.
  var syntax: (placeholder: String, isQuoted: Bool, words: String) {
    switch value {
    case .address: (" ADDRESS", true, "a text, in quotes")
    case .directory: (" DIRECTORY", true, "a text, in quotes")
    case .boolean: (" true|false", false, "true or false, without quotes")
    case .limit: (" N", false, "a number, without quotes")
    case .flag: ("", false, "")
    }
  }

  var isFlag: Bool { if case .flag = value { true } else { false } }

  /// Parses and sets a value.
  ///
  /// - Throws: `Fault` if `text` is not a value of the setting.
  func set(
    _ text: String, in source: String, on configuration: inout Configuration
  ) throws(Configuration.Fault) {
    switch value {
    case .address(let place):
      guard !text.isEmpty else {
        throw .init(source, "the address is empty (omit it for the session bus)")
      }
      configuration[keyPath: place] = text
    case .directory(let place):
      guard text.hasPrefix("/") else {
        throw .init(source, "'\(text)' is not the absolute path of a directory")
      }
      configuration[keyPath: place] = text
    case .boolean(let place), .flag(let place):
      guard let isTrue = Self.booleans[text] else {
        throw .init(source, "'\(text)' is not a boolean (expected true or false)")
      }
      configuration[keyPath: place] = isTrue
    case .limit(.count(let place)):
      guard let count = Int(text), 1...Self.maxCount ~= count else {
        throw .init(
          source,
          "\(name): '\(text)' is not a valid number (expected 1…\(Self.maxCount) \(meaning))")
      }
      configuration.limits[keyPath: place] = count
    case .limit(.duration(let place)):
      guard let duration = Self.duration(text) else {
        throw .init(source, "\(name): '\(text)' is not a positive number (expected \(meaning))")
      }
      configuration.limits[keyPath: place] = duration
    }
  }

  private static let booleans = [
    "true": true, "yes": true, "on": true, "1": true,
    "false": false, "no": false, "off": false, "0": false,
  ]

  /// The maximum of every count, so that sums of several counts do not overflow.
  private static let maxCount = 1 << 48

  /// Parses a number of seconds.
  ///
  /// `Double` also accepts hexadecimal numbers and infinities, which are rejected here.
  private static func duration(_ text: String) -> Duration? {
    guard let seconds = Double(text), seconds > 0, seconds <= 1e9,
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
    else { return nil }
    return .milliseconds(max(1, Int64(seconds * 1_000)))
  }
}

// MARK: Help

extension Setting {
  var help: String {
    let option = "  --\(name)\(syntax.placeholder)"
    let gap = String(repeating: " ", count: max(1, 36 - option.count))
    let standard = shownDefault ?? text(in: Configuration(dataDirectory: ""))
    return option + gap + meaning + (isFlag ? "" : " (\(standard))")
  }

  /// The value in the notation of the configuration file.
  private func text(in configuration: Configuration) -> String {
    switch value {
    case .address(let place): configuration[keyPath: place] ?? ""
    case .directory(let place): configuration[keyPath: place]
    case .boolean(let place), .flag(let place): "\(configuration[keyPath: place])"
    case .limit(.count(let place)): "\(configuration.limits[keyPath: place])"
    case .limit(.duration(let place)): "\(configuration.limits[keyPath: place].components.seconds)"
    }
  }
}
