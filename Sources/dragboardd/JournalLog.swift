import Files
import Glibc
import Logging

/// A log handler that writes to standard error, with priority prefixes for the journal.
///
/// Source: sd-daemon(3), "<N>" prefixes; systemd.exec(5), `$JOURNAL_STREAM`.
struct JournalLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let isJournal = getenv("JOURNAL_STREAM") != nil

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = isJournal ? "<\(Self.priority(of: event.level))>" : "dragboardd: "
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
