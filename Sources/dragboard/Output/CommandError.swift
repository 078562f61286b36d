import ArgumentParser
import DragboardClient

struct CommandError: Error, Equatable, CustomStringConvertible {
  /// The exit code of the command.
  let status: ExitStatus
  let message: String
  /// The remedy, as a second line; nil for none.
  let remedy: String?
  /// More lines, after the remedy.
  private var notes: [String] = []

  init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
    self.status = status
    self.message = message
    self.remedy = remedy
  }

  var description: String { message }

  /// The lines for standard error.
  var text: String { "Error: \(note)" }

  /// The lines for standard error if the command continues after the error.
  var note: String {
    "\(TerminalText(message).text)\n" + (remedy.map { "\(TerminalText($0).text)\n" } ?? "")
      + notes.map { "\(TerminalText($0).text)\n" }.joined()
  }

  /// Returns the error with more lines after the remedy.
  func adding(_ notes: [String]) -> CommandError {
    var error = self
    error.notes += notes
    return error
  }
}

/// The exit codes, one for each kind of failure, for scripts.
///
/// The numbers are from sysexits.h, except 1.
enum ExitStatus: Int32, CaseIterable {
  /// Any other failure.
  case failure = 1
  /// The command line or the input is invalid.
  case usage = 64
  /// The named object does not exist.
  case notFound = 66
  /// There is no bus, or no daemon or clipboard bridge on it.
  case noDaemon = 69
  /// Reading or writing a file, a pipe or the disk failed.
  case inputOutput = 74
  /// The daemon refused the call, the user cancelled, or there was nothing to do.
  case refused = 77

  /// The kind of failure, for the help text.
  var meaning: String {
    switch self {
    case .failure: "any other failure"
    case .usage: "invalid command line or input"
    case .notFound: "no such row, board, section, drag, view, file or program"
    case .noDaemon: "no bus, no daemon or no clipboard bridge"
    case .inputOutput: "error of a file, a pipe or the disk"
    case .refused: "refused or cancelled, or nothing to do"
    }
  }

  /// The paragraph about exit codes in `dragboard --help`.
  static let help =
    "Exit codes: 0 success; "
    + allCases.map { "\($0.rawValue) \($0.meaning); " }.joined()
    + "128 plus the number of the signal that ended the command."
}

extension CommandError {
  init(_ error: DragboardError) {
    self.init(
      Self.status(of: error.reason), DaemonWords.translated(error.message),
      remedy: Self.remedy(for: error))
  }

  private static func status(of reason: DragboardError.Reason) -> ExitStatus {
    switch reason {
    case _ where reason.isAbsence || reason == .noClipboard: .noDaemon
    case _ where reason.isNotFound: .notFound
    case .invalidArguments: .usage
    case .inputOutput: .inputOutput
    case .unsupported, .cancelled, .malformedReply, .other: .failure
    default: .refused
    }
  }

  private static func remedy(for error: DragboardError) -> String? {
    switch error.reason {
    case .noBus, .noDaemon, .noReply:
      "To show the fault and its remedy: \(SuggestedCall("doctor", hasBoard: false))"
    case .noClipboard: "To start it: dragboard clipboard enable"
    case .noSuchBoard: "To list the boards: \(SuggestedCall("boards", hasBoard: false))"
    case .noSuchItem: SuggestedCall.listing
    case .noSuchRepresentation: "'dragboard types' shows the types of a row or of a drag."
    case .noSuchSession: "To list the drags: \(SuggestedCall("sessions", hasBoard: false))"
    case .noSuchView: "To list the views: \(SuggestedCall("view list", hasBoard: false))"
    case .notEditable: "To unlock the row: \(SuggestedCall("unlock", [row(in: error)]))"
    case .notMovable:
      "To unlock its position: \(SuggestedCall("unlock", [row(in: error)], ["--position"]))"
    case .staleRevision: "Another client has edited the board; read it again."
    case .unsupported:
      "The daemon has another version. To show it: \(SuggestedCall("status", hasBoard: false))"
    default: nil
    }
  }

  /// Returns the id of the row that the message names; `ROW` if it names none.
  private static func row(in error: DragboardError) -> String {
    let words = error.message.split { !$0.isHexDigit && $0 != "-" }
    return words.lazy.compactMap { ItemID(String($0))?.description }.first ?? "ROW"
  }
}

extension SuggestedCall {
  /// The remedy for an error about a row of the board.
  static var listing: String { "To list the rows: \(SuggestedCall("list"))" }
}
