import ArgumentParser
import DragboardClient

/// The error of a subcommand, for its user.
struct CommandError: Error, Equatable, CustomStringConvertible {
  /// How the command ends then.
  let status: ExitStatus
  /// The problem.
  let message: String
  /// The remedy; nil if the message has it.
  let remedy: String?

  init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
    self.status = status
    self.message = message
    self.remedy = remedy
  }

  /// The problem.
  var description: String { message }

  /// The lines for standard error.
  var text: String {
    "Error: \(TerminalText(message).text)\n" + (remedy.map { "\(TerminalText($0).text)\n" } ?? "")
  }
}

/// How the command ends; scripts decide by it.
///
/// The numbers of sysexits.h are used as far as there are any.
enum ExitStatus: Int32 {
  /// It could not be done for a reason that has no number of its own.
  case failure = 1
  /// The command line is wrong.
  case usage = 64
  /// The named object does not exist.
  case notFound = 66
  /// There is no bus, or no daemon on it.
  case noDaemon = 69
  /// A file, a pipe or the disk failed.
  case inputOutput = 74
  /// The daemon refused it, or nothing came of it.
  case refused = 77

  /// The paragraph of `dragboard --help`.
  static let help = """
    Exit codes: 0 done; 64 wrong usage; 66 what was named is not there; 69 no bus or no daemon; \
    74 a file, a pipe or the disk failed; 77 refused, or nothing came of it; 1 anything else; \
    128 and the signal's number where one ended it.
    """
}

extension CommandError {
  /// Translates an error of the library.
  init(_ error: DragboardError) {
    self.init(Self.status(of: error.reason), error.message, remedy: Self.remedy(for: error.reason))
  }

  private static func status(of reason: DragboardError.Reason) -> ExitStatus {
    switch reason {
    case _ where reason.isAbsence: .noDaemon
    case _ where reason.isNotFound: .notFound
    case .invalidArguments: .usage
    case .inputOutput: .inputOutput
    case .unsupported, .cancelled, .malformedReply, .other: .failure
    default: .refused
    }
  }

  private static func remedy(for reason: DragboardError.Reason) -> String? {
    switch reason {
    case .noBus, .noDaemon: "'dragboard doctor' says what is missing."
    case .noSuchBoard: "'dragboard boards' lists the boards."
    case .noSuchItem: "'dragboard list' shows the rows."
    case .noSuchRepresentation: "'dragboard types' shows the types of a row or of a drag."
    case .noSuchSession: "'dragboard sessions' lists the drags."
    case .noSuchView: "'dragboard view list' lists the views."
    case .notEditable: "'dragboard lock --off ROW' makes a row editable."
    case .notMovable: "'dragboard pin --off ROW' makes a row movable."
    case .staleRevision: "The board has changed meanwhile; read it again."
    case .unsupported: "The daemon is of another version: see 'dragboard status'."
    default: nil
    }
  }
}
