import Files
import FoundationEssentials
import Glibc
import LinkArguments
import LinkEngine
import LinkState
import Text

extension LinkStatus: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    guard let configuration = try store.load() else { throw NotConfigured() }
    let state = try store.openState()
    var status = StatusReport(
      configuration, isRunning: ServiceLock.isHeld(in: store), state,
      ServiceReport.read(from: store))
    status.add(try store.loadRoute(), in: store)
    if ServiceLock.isServiceReplaced(in: store) { status.outdated = true }
    var failure: (any Error)?
    do {
      let group = try store.openGroup()
      try await group.update()
      try await status.add(group)
    } catch {
      failure = error
      status.fail(with: error, in: store)
    }
    let lines = json ? [try status.json()] : status.lines.map { $0.harmlessLine() }
    FileDescriptor.standardOutput.print(lines.map { $0 + "\n" }.joined())
    if let failure { throw failure }
  }
}

/// The state of the link, as the server and the service report it.
private struct StatusReport: Encodable {
  struct Board: Encodable {
    let name: String
    /// The number of entries on the server; nil if they cannot be read.
    var entries: UInt64?
    /// The number of entries that the service has read.
    ///
    /// This and the next members are nil before the first report of the service.
    var read: UInt64?
    var pending: Int?
    /// The time since which edits wait; nil if none waits.
    var pendingSince: String?
    var dropped: UInt64?
    var droppedEdits: [DropReport]?
    var error: String?
    /// Whether the board is not shared on this machine, because the user has not accepted it.
    var waiting: Bool?
    /// The time at which the daemon's board was last an earlier copy or another board; nil if it never
    /// was.
    var replaced: String?
    /// The time at which the board was last computed again from the log, because it differed from that
    /// of another machine; nil if it never was.
    var rebuilt: String?
    /// The number of rows whose contents are not on the server yet.
    var arriving: Int?
    /// The number of contents that this machine has to store on the server; nil if it is 0.
    var pendingContents: Int?
    /// Whether files that are dropped on the board cross machines; nil if not.
    var files: Bool?

    init(_ name: String, _ report: ServiceReport.Board?) {
      self.name = name
      if report?.isWaiting == true {
        waiting = true
        return
      }
      (read, pending) = (report?.entry, report?.pending)
      pendingSince = report?.pendingSince
      (replaced, rebuilt) = (report?.replaced, report?.rebuilt)
      arriving = report.flatMap { $0.arriving > 0 ? $0.arriving : nil }
      pendingContents = report.flatMap { $0.contents > 0 ? $0.contents : nil }
      (dropped, droppedEdits, error) = (report?.dropped, report?.droppedEdits, report?.error)
    }
  }

  struct Drags: Encodable {
    let enabled: Bool
    /// Whether the bytes of files cross that the user drags from the shelf.
    let files: Bool
    /// This and the next members are nil before the first report of the service.
    var offered: Int?
    var received: Int?
    var rejected: UInt64?

    init(enabled: Bool, files: Bool, _ report: ServiceReport.Drags?) {
      (self.enabled, self.files) = (enabled, files)
      (offered, received, rejected) = (report?.offered, report?.received, report?.rejected)
    }
  }

  let server: String
  /// The machine of the group that runs the server; nil if an administrator runs it.
  let host: String?
  /// The way to this server: `server` (this machine runs it for machines that use ssh), `network` (this
  /// machine runs it and listens on the network), `ssh`, or nil.
  var route: String?
  let machine: String
  /// The number of lines that no machine has used yet, if this machine runs the server; nil if there is none.
  var invitations: Int?
  /// Whether the service runs.
  let running: Bool
  /// Whether the user has paused the exchange; nil if not.
  var paused: Bool?
  /// The time since which the service cannot reach the server; nil if it reaches the server.
  var unreachableSince: String?
  /// Whether another version was installed since the service has started; nil if not.
  var outdated: Bool?
  /// The number of the current group key; nil if the server does not answer.
  var key: UInt32?
  /// The names of the machines; nil if the server does not answer.
  var machines: [String]?
  var boards: [Board]
  /// The drags that cross machines.
  let drags: Drags
  /// The error of the server or of the service; nil without an error.
  var error: String?
  /// A sentence about the machine of which this home is a copy, or about the host that has replaced this
  /// machine; nil if there is none.
  var notice: String?

  init(
    _ configuration: LinkConfiguration, isRunning: Bool, _ state: StateDatabase,
    _ report: ServiceReport
  ) {
    drags = Drags(
      enabled: state.sharesDrags, files: state.sharesDraggedFiles, isRunning ? report.drags : nil)
    (server, machine) = (configuration.server.url, configuration.machineName)
    host = configuration.server.host?.machine
    running = isRunning
    paused = state.isPaused ? true : nil
    unreachableSince = isRunning ? report.unreachableSince : nil
    boards = report.boards.sorted { $0.key < $1.key }.map { Board($0.key, $0.value) }
    // If the service has ended, its last error may be outdated.
    error = isRunning ? report.error : nil
  }

  /// Adds the way to the server.
  mutating func add(_ route: ServerRoute?, in store: ConfigurationStore) {
    switch route {
    case .hosted(let server) where server.phase == .retired:
      notice =
        "this machine was the host; \(host ?? "another machine") is the host now, and the server here only tells machines that were off"
    case .hosted(let server):
      self.route = server.networkName == nil ? "server" : "network"
      if server.invitationCount > 0 { invitations = server.invitationCount }
    case .tunnel: self.route = "ssh"
    case nil: break
    }
  }

  /// Records why the group could not be read, and the number of edits that wait.
  mutating func fail(with error: any Error, in store: ConfigurationStore) {
    // The time of day is enough, except after a day.
    func since(_ time: String?) -> String { time.map { " since \(Self.localTime($0))" } ?? "" }
    var words = "\(error)"
    defer { self.error = words }
    switch error {
    case LinkError.offline:
      guard let host else { return }
      words = "\(host) is not reachable\(since(unreachableSince))"
    case LinkError.refused, LinkError.refusedKey: break
    default: return
    }
    let pending = boards.reduce(0) { $0 + ($1.pending ?? 0) }
    if pending > 0 {
      let first = since(boards.compactMap(\.pendingSince).min())
      words += pending == 1 ? "; 1 edit\(first) waits" : "; \(pending) edits\(first) wait"
    }
    if let failure = route == nil ? nil : ServerFailure.read(in: store) { words += "; \(failure)" }
  }

  /// Returns the time of day, with the date if it is not today's.
  private static func localTime(_ text: String) -> String {
    guard let date = try? Date(text, strategy: .iso8601) else { return text }
    var time = time_t(date.timeIntervalSince1970)
    var (parts, today, now) = (tm(), tm(), time_t(Date.now.timeIntervalSince1970))
    guard localtime_r(&time, &parts) != nil, localtime_r(&now, &today) != nil else { return text }
    func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let clock = "\(digits(parts.tm_hour)):\(digits(parts.tm_min))"
    guard (parts.tm_year, parts.tm_yday) != (today.tm_year, today.tm_yday) else { return clock }
    return "\(parts.tm_year + 1_900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday)) \(clock)"
  }

  /// Adds the state of the group, and removes boards that are no longer shared.
  mutating func add(_ group: Group) async throws {
    let state = await group.state
    key = state.epoch
    machines = state.machines.values.map(\.name).sorted()
    if let copy = try Home.notice(of: machine, in: group.database, machines: machines ?? []) {
      notice = copy
    }
    let reported = boards
    boards = []
    for (log, name) in state.boards.sorted(by: { $0.value < $1.value }) {
      var board = reported.first { $0.name == name } ?? Board(name, nil)
      board.entries = try? await group.log(of: log).lastNumber()
      if group.database.sharesFiles(ofLog: "\(log)") { board.files = true }
      boards.append(board)
    }
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    // Other machines choose the names of boards and the titles of rows. Outside of strings, the text
    // has only ASCII characters.
    return text.unicodeScalars.map { $0.isDeceptive ? $0.jsonEscapes : String($0) }.joined()
  }

  private static let isOutdated = ", in an earlier version (to restart it: dragboard restart)"

  private var serverWords: String {
    guard let host else { return server }
    return switch route {
    case "server": "\(host), which is this machine, for machines that use ssh"
    case "network": "\(host), which is this machine, on the network"
    case "ssh": "\(host), by ssh"
    default: "\(host), at \(server)"
    }
  }

  var lines: [String] {
    var lines = [
      "server   \(serverWords)", "machine  \(machine)",
      "service  \(paused == true ? "paused" : running ? "running" : "not running")"
        + (outdated == true ? Self.isOutdated : ""),
    ]
    if let error { lines.append("         \(error)") }
    if let notice { lines.append("notice   \(notice)") }
    if let key { lines.append("key      \(key)") }
    for name in machines ?? [] { lines.append("member   \(name)") }
    if let invitations {
      let words =
        invitations == 1 ? "1 line was not used yet" : "\(invitations) lines were not used yet"
      lines.append("invited  \(words) (to withdraw: dragboard link invite --withdraw)")
    }
    lines.append("drags    \(drags.words)")
    return lines + boards.flatMap { ["board    \($0.name): \($0.words)"] + $0.droppedLines }
  }
}

extension StatusReport.Board {
  /// The number of dropped edits in the text; JSON has all of the report.
  private static let maxLines = 5

  fileprivate var droppedLines: [String] {
    (droppedEdits ?? []).suffix(Self.maxLines).map { dropped in
      let title = dropped.title.isEmpty ? "" : " \"\(dropped.title)\""
      return "dropped  \(dropped.time) \(dropped.edit)\(title): \(dropped.reason)"
    }
  }

  fileprivate var words: String {
    var words = [
      entries.map { "\($0) entries on the server" }, read.map { "\($0) read" },
      pending.map { "\($0) edits to send" },
    ].compactMap(\.self)
    if let pendingContents { words.append("\(pendingContents) contents to send") }
    if let dropped, dropped > 0 { words.append("\(dropped) edits dropped") }
    if let arriving { words.append("\(arriving) rows arriving") }
    if files == true { words.append("files cross") }
    if let rebuilt {
      words.append(
        "computed again from the log at \(rebuilt), because it differed from another machine")
    }
    if let replaced {
      words.append(
        "the daemon had an earlier copy at \(replaced), which now has the rows of the other machines again"
      )
    }
    if let error { words.append(error) }
    if waiting == true {
      words.append("not shared on this machine (to share it: dragboard link accept NAME)")
    }
    return words.isEmpty ? "not readable" : words.joined(separator: ", ")
  }
}

extension StatusReport.Drags {
  fileprivate var words: String {
    guard enabled else { return "off" }
    var words = [
      files ? "on with files" : "on", offered.map { "\($0) from here" },
      received.map { "\($0) from other machines" },
    ].compactMap(\.self)
    if let rejected, rejected > 0 { words.append("\(rejected) altered or repeated messages") }
    return words.joined(separator: ", ")
  }
}
