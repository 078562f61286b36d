import DragboardClient
import Logging
import ShelfModel

/// Shows messages to the user.
struct Report {
  /// Shows a message, with a button if one is given.
  let show: (String, Toast.Button?) -> Void

  /// Shows a message.
  func callAsFunction(_ message: String) { show(message, nil) }

  /// Shows a message about an edit, with a button that undoes it.
  func callAsFunction(_ message: String, undo: @escaping () -> Void) {
    show(message, Toast.Button(label: localized("Undo"), action: undo))
  }

  /// Shows a message about the error of a failed operation.
  func callAsFunction(_ error: any Error) {
    guard !(error is CancellationError) else { return }
    guard let error = error as? DragboardError else { return self(ShownText.line("\(error)")) }
    // Other parts of the window show that the bus or the daemon is unreachable.
    guard !error.reason.isAbsence else { return }
    log.warning("\(error.message)")
    self(error.reason.words)
  }
}

extension DragboardError.Reason {
  /// The message for the user.
  ///
  /// It replaces the daemon's message, which is for programmers.
  var words: String {
    switch self {
    case .noBus, .noDaemon, .disconnected, .noReply: localized("Dragboard does not answer.")
    case .noClipboard: localized("The clipboard bridge is not running.")
    case .noSuchBoard: localized("This board no longer exists.")
    case .noSuchItem: localized("This row no longer exists.")
    case .noSuchRepresentation: localized("The row has no content of this type.")
    case .noSuchSession, .sessionEnded, .noSuchView: localized("The drag has already ended.")
    case .boardExists: localized("A board with this name already exists.")
    case .notEditable: localized("A locked row cannot be changed.")
    case .notMovable: localized("The position of this row is locked.")
    case .loadFailed: localized("The other application did not provide the content.")
    case .staleRevision: localized("The board has changed in the meantime.")
    case .nothingToUndo: localized("There is nothing to undo.")
    case .nothingToRedo: localized("There is nothing to redo.")
    case .limitsExceeded: localized("This is more than the board can hold.")
    case .accessDenied: localized("This is not permitted.")
    case .inputOutput: localized("The content could not be read or stored.")
    case .invalidArguments, .duplicateRepresentation, .editing, .unsupported, .cancelled,
      .malformedReply, .other:
      localized("The operation has failed.")
    }
  }
}
