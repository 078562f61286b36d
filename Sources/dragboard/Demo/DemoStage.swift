import DBus
import DragboardInterface

/// The bus, the daemon and the listener of a demonstration, in a home of their own.
///
/// All of it goes with the last reference.
final class DemoStage {
  /// The signals that are listened for: drags, and the daemon's coming and going.
  static let rules = [
    "type='signal',interface='\(ManagerInterface.name)'",
    "type='signal',member='NameOwnerChanged',arg0='\(Dragboard.busName)'",
  ]

  /// What the bus printed when it began to listen: its address.
  let address: String
  /// Where it was told to listen.
  var busAddress: String { home.busAddress }
  /// What the daemon, the bus and the listener have logged.
  var log: String { home.logText }
  /// The daemon's process; nil while there is none.
  var daemonID: Int32? { daemon?.id }

  private let interruption: Interruption
  private let programs: Programs
  private let home: PrivateHome
  private let bus: ChildProcess
  private let listener: SignalListener
  private var daemon: ChildProcess?

  /// The programs that a demonstration needs.
  private struct Programs {
    let bus: String
    let send: String
    let monitor: String
    let daemon: String

    init() throws(Failure) {
      bus = try Program.find("dbus-daemon", package: "dbus-daemon")
      send = try Program.find("dbus-send", package: "dbus-bin")
      monitor = try Program.find("dbus-monitor", package: "dbus-bin")
      daemon = try Program.findSibling("dragboardd")
    }
  }

  /// Starts the bus and the listener.
  ///
  /// - Throws: `missing`, `unexpected`, `interrupted`, `late`, `system`.
  init() throws(Failure) {
    programs = try Programs()
    interruption = try Interruption()
    home = try PrivateHome()
    bus = try ChildProcess(
      programs.bus,
      ["--session", "--nofork", "--print-address", "--address=\(home.busAddress)"], in: home)
    var lines = LineReader(bus.output)
    guard let address = try lines.next("the address of dbus-daemon", interruption) else {
      throw .unexpected(what: "dbus-daemon", expected: "its address", actual: "its end")
    }
    self.address = address
    listener = try SignalListener(programs.monitor, rules: Self.rules, in: home, interruption)
  }

  deinit { daemon?.kill() }

  // MARK: The daemon

  /// Starts the daemon; it has come when the bus says so.
  ///
  /// - Throws: `system`.
  func startDaemon() throws(Failure) {
    daemon = try ChildProcess(programs.daemon, [], in: home)
  }

  /// Kills the daemon with SIGKILL.
  func killDaemon() {
    daemon?.kill()
    daemon = nil
  }

  // MARK: The bus

  /// Waits for the next signal, whatever it is.
  ///
  /// - Throws: `unexpected`, `interrupted`, `late`, `system`.
  func nextSignal(argumentCount: Int) throws(Failure) -> SeenSignal {
    try listener.next(argumentCount: argumentCount, from: daemon, interruption)
  }

  /// How far dbus-send indents what is not in a container.
  private static let indentation = 3

  /// Calls a method through a dbus-send process.
  ///
  /// - Returns: what it printed, the header left out, and that as values.
  /// - Throws: `unexpected` where it fails, or its words cannot be read; `interrupted`, `late`, `system`.
  func send(
    _ call: DBusSendCall
  ) throws(Failure) -> (output: [String], reply: [ReplyValue]) {
    let process = try ChildProcess(programs.send, call.arguments, in: home, errors: .output)
    var lines = LineReader(process.output)
    let output = try lines.rest("the reply to \(call.method)", interruption)
    guard process.wait() == 0, output.first?.hasPrefix("method return") == true else {
      throw .unexpected(
        what: call.method, expected: "a reply", actual: output.joined(separator: " "))
    }
    do throws(ReplyParser.Unreadable) {
      let body = output.dropFirst().map { String($0.dropFirst(Self.indentation)) }
      return (body, try ReplyParser.values(in: body))
    } catch {
      throw .unexpected(
        what: "the reply to \(call.method)", expected: "values", actual: "\(output)")
    }
  }

  /// Reads a board.
  ///
  /// - Throws: `unexpected`, `interrupted`, `late`, `system`.
  func read(_ board: String) throws(Failure) -> BoardListing {
    let path = Dragboard.boardPath(Dragboard.pathElement(board))
    let snapshot = try send(DBusSendCall(BoardInterface.getSnapshot, of: path)).reply
    guard snapshot.count == 2, let revision = snapshot[0].number, let sections = snapshot[1].list
    else { throw .unexpected(what: "GetSnapshot", expected: "ta(sas)", actual: "\(snapshot)") }
    var rows: [BoardListing.Row] = []
    for (index, section) in sections.enumerated() {
      rows += try readRows(of: path, section: index, name: section.list?.first?.text ?? "")
    }
    return BoardListing(board: board, revision: revision, rows: rows)
  }

  private func readRows(
    of path: ObjectPath, section: Int, name: String
  ) throws(Failure) -> [BoardListing.Row] {
    let all = UInt32(1000)
    let reply = try send(DBusSendCall(BoardInterface.getRows, of: path, UInt32(section), 0, all))
    let rows = (reply.reply.last?.list ?? []).enumerated().compactMap { index, row in
      BoardListing.Row(section: section, sectionName: name, row: index, row)
    }
    return rows
  }
}

extension BoardListing.Row {
  /// A row as GetRows tells of it; nil where that is not of its type.
  fileprivate init?(section: Int, sectionName: String, row: Int, _ value: ReplyValue) {
    guard let members = value.list, members.count == 4, let id = members[0].text,
      let text = members[1].text, let types = members[2].list
    else { return nil }
    self.init(
      section: section, sectionName: sectionName, row: row, text: text,
      types: types.compactMap(\.text), id: id)
  }
}
