import DragModel

/// What clients can make the daemon hold, and how long it waits for them.
///
/// The table `settings` is the one statement of each limit: options, variables, the configuration file, `--help` and the errors that
/// name a limit are read off it.
public struct Limits: Sendable {
  /// Sessions of one application that have not ended.
  public var maxSessionsPerApplication = 256
  /// Sessions in all that have not ended.
  public var maxSessions = 4_096
  /// Items in a session.
  public var maxItems = 10_000
  /// Bytes of a representation.
  public var maxRepresentationBytes = 256 << 20
  /// Bytes of a session, all representations together.
  public var maxSessionBytes = 1 << 30
  /// Bytes of all sessions together.
  public var maxBytes = 4 << 30
  /// Rows of a board.
  public var maxRows = 1_000_000
  /// Boards.
  public var maxBoards = 256
  /// Sections of a board.
  public var maxSections = 256
  /// Views that are open.
  public var maxViews = 1_024
  /// Bytes that the rows of one sandbox hold on all boards; each row counts as 4 KiB more.
  public var maxSandboxBytes = 1 << 30
  /// Steps of undo that are kept for sure, of each board.
  public var undoSteps = 100
  /// Bytes that these may hold, of each board: of more, the oldest steps go.
  public var undoBytes = 1 << 30
  /// How long a session lasts that nobody names.
  public var sessionTimeout = Duration.seconds(600)
  /// How long a loader may be silent.
  public var loadTimeout = Duration.seconds(30)
  /// How long a service that comes when it is called stays when nobody uses it.
  public var idleTimeout = Duration.seconds(300)

  /// Rows that a view selects.
  static let maxSelectedRows = 10_000
  /// Rows that all views select and all active sessions drag together.
  ///
  /// Their ids are in the reply of `GetManagedObjects`, which holds 64 MiB.
  static let maxNamedRows = 300_000

  /// The limits as the design gives them.
  public init() {}

  /// Those that hold for each session by itself.
  var ofSessions: SessionLimits {
    SessionLimits(
      maxItems: maxItems, maxRepresentationBytes: maxRepresentationBytes,
      maxSessionBytes: maxSessionBytes)
  }

  /// One limit: its name, what it limits, and where it stands.
  public struct Setting: Sendable {
    /// As it is written in options and in the configuration file: `max-rows`.
    public let name: String
    /// What it limits, with its unit.
    public let meaning: String
    let place: Place

    /// Where a setting's value is.
    enum Place: Sendable {
      case count(any WritableKeyPath<Limits, Int> & Sendable)
      case duration(any WritableKeyPath<Limits, Duration> & Sendable)
    }
  }

  /// Every limit, in the order in which `--help` shows them.
  public static let settings: [Setting] = [
    Setting(
      name: "max-sessions-per-application", meaning: "active sessions of one application",
      place: .count(\.maxSessionsPerApplication)),
    Setting(
      name: "max-sessions", meaning: "active sessions in all", place: .count(\.maxSessions)),
    Setting(name: "max-items", meaning: "items in a session", place: .count(\.maxItems)),
    Setting(
      name: "max-representation-bytes", meaning: "bytes of a representation",
      place: .count(\.maxRepresentationBytes)),
    Setting(
      name: "max-session-bytes", meaning: "bytes of a session", place: .count(\.maxSessionBytes)),
    Setting(name: "max-bytes", meaning: "bytes of all sessions", place: .count(\.maxBytes)),
    Setting(name: "max-rows", meaning: "rows of a board", place: .count(\.maxRows)),
    Setting(name: "max-boards", meaning: "boards", place: .count(\.maxBoards)),
    Setting(name: "max-sections", meaning: "sections of a board", place: .count(\.maxSections)),
    Setting(name: "max-views", meaning: "open views", place: .count(\.maxViews)),
    Setting(
      name: "max-sandbox-bytes", meaning: "bytes of all rows of a sandbox, and 4 KiB for each",
      place: .count(\.maxSandboxBytes)),
    Setting(
      name: "undo-steps", meaning: "edits of a board that can be taken back",
      place: .count(\.undoSteps)),
    Setting(
      name: "undo-bytes", meaning: "bytes that are kept for that, of a board",
      place: .count(\.undoBytes)),
    Setting(
      name: "session-timeout", meaning: "seconds until a session ends that nobody names",
      place: .duration(\.sessionTimeout)),
    Setting(
      name: "load-timeout", meaning: "seconds until a promise fails whose loader is silent",
      place: .duration(\.loadTimeout)),
    Setting(
      name: "idle-timeout", meaning: "seconds until an activated daemon leaves that nobody uses",
      place: .duration(\.idleTimeout)),
  ]

  /// No count is set higher: sums of several stay numbers.
  private static let highest = 1 << 48

  /// Why a text is no value of a setting.
  public struct InvalidSetting: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence that names the setting, the text, and what would have been right.
    public let description: String
  }

  /// Gives the setting of that name the value that `text` says.
  ///
  /// - Throws: `InvalidSetting` where there is no such setting, or `text` is not a positive whole number or, for a time, not a
  ///   positive number of seconds.
  public mutating func set(_ name: String, to text: String) throws(InvalidSetting) {
    guard let setting = Self.settings.first(where: { $0.name == name }) else {
      throw InvalidSetting(description: "there is no setting '\(name)'")
    }
    switch setting.place {
    case .count(let place):
      guard let count = Int(text), 1...Self.highest ~= count else {
        throw InvalidSetting(
          description:
            "\(name): '\(text)' is not a positive whole number up to \(Self.highest) (\(setting.meaning))"
        )
      }
      self[keyPath: place] = count
    case .duration(let place):
      guard let seconds = Double(text), seconds > 0, seconds <= 1e9, text.allSatisfy(Self.isNumeric)
      else {
        throw InvalidSetting(
          description: "\(name): '\(text)' is not a positive number of seconds")
      }
      self[keyPath: place] = .milliseconds(max(1, Int64(seconds * 1_000)))
    }
  }

  /// The setting's value as it is written.
  public func text(of setting: Setting) -> String {
    switch setting.place {
    case .count(let place): return "\(self[keyPath: place])"
    case .duration(let place):
      let (seconds, attoseconds) = self[keyPath: place].components
      return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) / 1e18)"
    }
  }

  /// `Double` reads more than people write: hexadecimals, infinities.
  private static func isNumeric(_ character: Character) -> Bool {
    character.isASCII && (character.isNumber || character == ".")
  }
}
