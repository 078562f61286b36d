internal import Files
internal import Glibc
public import Logging

/// The log of a program that runs for a long time: lines on standard error, with priorities for the
/// journal.
///
/// Outside of the journal, each line begins with the name of the program.
///
/// Source: sd-daemon(3), "<N>" prefixes; systemd.exec(5), `$JOURNAL_STREAM`.
struct JournalLog: LogHandler {
  let program: String
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let isJournal = getenv("JOURNAL_STREAM") != nil

  init(of program: String) { self.program = program }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = isJournal ? "<\(Self.priority(of: event.level))>" : "\(program): "
    StandardError.writeLine("\(prefix)\(event.message)")
  }

  private static func priority(of level: Logger.Level) -> Int32 {
    switch level {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}

extension Logger {
  /// Creates the log of a program, which writes to standard error or the journal.
  public init(of program: String) { self.init(label: program) { JournalLog(of: $0) } }
}
