import DBus
import DragboardInterface

extension DragboardError {
  /// Translates an error on the bus.
  ///
  /// `path` is the object that was called.
  init(_ error: DBusError, at path: ObjectPath) {
    guard error.name == .unknownObject else {
      let reason = Self.reason(of: error.name)
      let words = Self.words(for: reason) ?? error.message
      // Only the bus knows why it could not start the daemon.
      let isFailedStart = error.name.text.hasPrefix(Self.spawnPrefix) && !error.message.isEmpty
      self.init(reason, isFailedStart ? "\(words) (the bus reports: \(error.message))" : words)
      return
    }
    self.init(Self.absence(of: path), Self.words(forAbsent: path) ?? error.message)
  }

  private static func reason(of name: ErrorName) -> Reason {
    reasons[name] ?? (name.text.hasPrefix(spawnPrefix) ? .noDaemon : .other(name.text))
  }

  /// The reason for an unknown object, by its path: a deleted board, session or view.
  private static func absence(of path: ObjectPath) -> Reason {
    switch path.parent {
    case Dragboard.boardParent: .noSuchBoard
    case Dragboard.sessionParent: .noSuchSession
    case Dragboard.viewParent: .noSuchView
    default: .unsupported
    }
  }

  /// The message for a session or view that does not exist.
  private static func words(forAbsent path: ObjectPath) -> String? {
    guard let number = path.number else { return nil }
    return switch absence(of: path) {
    case .noSuchSession: "drag \(number) does not exist, or it ended more than a minute ago"
    case .noSuchView: "view \(number) does not exist"
    default: nil
    }
  }

  /// The message for errors whose message on the bus does not help the user.
  private static func words(for reason: Reason) -> String? {
    switch reason {
    case .noDaemon:
      "no daemon (\(Dragboard.busName)) on the bus, and none could be started; start or install dragboardd"
    case .noReply: "the daemon left the bus or took too long to reply"
    default: nil
    }
  }

  /// The prefix of the errors with which the bus reports that it could not start a service.
  private static let spawnPrefix = "org.freedesktop.DBus.Error.Spawn."

  private static let reasons: [ErrorName: Reason] = [
    .noServer: .noBus, "org.freedesktop.DBus.Error.NotSupported": .noBus,
    "org.freedesktop.DBus.Error.FileNotFound": .noBus,
    "org.freedesktop.DBus.Error.BadAddress": .noBus,
    "org.freedesktop.DBus.Error.AuthFailed": .noBus,
    .serviceUnknown: .noDaemon, .nameHasNoOwner: .noDaemon, .disconnected: .disconnected,
    .noReply: .noReply, "org.freedesktop.DBus.Error.Timeout": .noReply,
    "org.freedesktop.DBus.Error.TimedOut": .noDaemon,
    .noSuchBoard: .noSuchBoard, .noSuchSession: .noSuchSession, .noSuchItem: .noSuchItem,
    .noSuchRepresentation: .noSuchRepresentation, .boardExists: .boardExists,
    .sessionEnded: .sessionEnded, .duplicateRepresentation: .duplicateRepresentation,
    .notEditable: .notEditable, .notMovable: .notMovable, .loadFailed: .loadFailed,
    .staleRevision: .staleRevision, .nothingToUndo: .nothingToUndo,
    .nothingToRedo: .nothingToRedo, .editing: .editing, .accessDenied: .accessDenied,
    .limitsExceeded: .limitsExceeded, .invalidArgs: .invalidArguments, .ioError: .inputOutput,
    .unknownMethod: .unsupported, .unknownInterface: .unsupported, .unknownProperty: .unsupported,
    .propertyReadOnly: .unsupported, .cancelled: .cancelled,
  ]
}

extension DragboardError {
  /// The error for an invalid value in a reply or a signal of the daemon.
  static func malformed(_ value: String) -> DragboardError {
    DragboardError(.malformedReply, "the daemon sent an invalid \(value)")
  }

  static let disconnected = DragboardError(
    .disconnected, "the connection to the bus is closed")

  static let cancelled = DragboardError(.cancelled, "the task was cancelled")
}
