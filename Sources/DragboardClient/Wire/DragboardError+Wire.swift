import DBus
import DragboardInterface

extension DragboardError {
  /// Translates an error on the bus; `path` is the called object.
  init(_ error: DBusError, at path: ObjectPath) {
    guard error.name == .unknownObject else {
      let reason = Self.reason(of: error.name)
      self.init(reason, Self.words(for: reason) ?? error.message)
      return
    }
    self.init(Self.absence(of: path), Self.words(forAbsent: path) ?? error.message)
  }

  private static func reason(of name: ErrorName) -> Reason {
    reasons[name] ?? (name.text.hasPrefix(spawnPrefix) ? .noDaemon : .other(name.text))
  }

  /// An object that is not there is a board, session or view that is gone.
  private static func absence(of path: ObjectPath) -> Reason {
    switch path.parent {
    case Dragboard.boardParent: .noSuchBoard
    case Dragboard.sessionParent: .noSuchSession
    case Dragboard.viewParent: .noSuchView
    default: .unsupported
    }
  }

  /// The message for a missing session or view, by its number.
  private static func words(forAbsent path: ObjectPath) -> String? {
    guard let number = path.number else { return nil }
    return switch absence(of: path) {
    case .noSuchSession: "drag \(number) does not exist, or it ended more than a minute ago"
    case .noSuchView: "view \(number) does not exist"
    default: nil
    }
  }

  /// A better message than that of the bus.
  private static func words(for reason: Reason) -> String? {
    switch reason {
    case .noDaemon:
      "nobody on the bus is \(Dragboard.busName), and it could not be started; start dragboardd, or install it"
    case .noReply: "the daemon left, or took too long, before it answered"
    default: nil
    }
  }

  /// Errors of a service that the bus was to start and could not.
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
  /// An unreadable reply or signal of the daemon.
  static func malformed(_ what: String) -> DragboardError {
    DragboardError(.malformedReply, "the daemon's \(what) is not what the contract says")
  }

  static let disconnected = DragboardError(
    .disconnected, "the connection to the bus is gone")

  static let cancelled = DragboardError(.cancelled, "the task was cancelled")
}
