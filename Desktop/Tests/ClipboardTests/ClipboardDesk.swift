import DragboardClient
import Foundation
import TestSupport

/// A desktop for one test: a bus, a daemon, a display without a monitor, and the bridge.
///
/// All its processes end when the last reference is released.
final class ClipboardDesk {
  let display: Display
  let environment: [String: String]
  let connection: DragboardConnection
  /// The directory of the desktop's files.
  let home: URL
  private let bus: PrivateBus
  private let systemBus: PrivateBus
  private var daemon: TestProgram
  private var server: TestProgram
  private(set) var bridge: TestProgram
  /// The shelf with an open picker; nil without one.
  private(set) var picker: TestProgram?

  /// Whether the picker is open during the tests, on the displays that show windows.
  private static let opensPicker =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PICKER"] != nil

  /// Starts the bus, the daemon, the display and the bridge.
  init(_ display: Display) async throws {
    self.display = display
    bus = try PrivateBus(changing: try Self.variables())
    home = bus.home
    systemBus = try PrivateBus()
    var environment = bus.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = systemBus.address
    (server, environment) = try display.start(environment)
    self.environment = environment
    daemon = try Self.startDaemon(environment)
    bridge = try Self.startBridge(environment)
    connection = try await .connect(to: bus.address)
    try await untilBridgeIsReady()
    guard Self.opensPicker, Display.withWindows.contains(display) else { return }
    picker = try TestProgram(["dragboard-shelf", "--picker"], environment)
    try Self.wait(for: "org.dragboard.Shelf", environment)
  }

  deinit {
    picker?.kill()
    bridge.kill()
    daemon.kill()
    server.kill()
    systemBus.stop()
    bus.stop()
  }

  private static func variables() throws -> [String: String?] {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let products = URL(fileURLWithPath: own).deletingLastPathComponent().path
    let environment = ProcessInfo.processInfo.environment
    guard let root = environment["DRAGBOARD_TEST_PRODUCTS"] else {
      throw TestProgram.Failure(description: "DRAGBOARD_TEST_PRODUCTS is not set: run Desktop/test")
    }
    return [
      "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSK_RENDERER": "cairo", "SWAYSOCK": nil,
      "GIO_USE_VFS": nil,
      "PATH": "\(products):\(root):\(environment["PATH"] ?? "/usr/bin:/bin")",
    ]
  }

  private static func startDaemon(_ environment: [String: String]) throws -> TestProgram {
    try TestProgram.daemon(environment, by: ["bash", "-c", "exec dragboardd \(Self.logging)"])
  }

  /// Starts a bridge.
  ///
  /// The only line of output is the exit status of the bridge.
  static func startBridge(_ environment: [String: String]) throws -> TestProgram {
    try TestProgram(["bash", "-c", "dragboard-clipboard \(Self.logging); echo $?"], environment)
  }

  /// Redirects standard error to the file `log`, too.
  private static let logging = "2> >(tee -a \"$HOME/log\" >&2)"

  /// The standard error of the daemon and the bridge.
  var log: String {
    (try? String(contentsOf: home.appending(path: "log"), encoding: .utf8)) ?? ""
  }

  static func wait(for name: String, _ environment: [String: String]) throws {
    try TestProgram.run(["gdbus", "wait", "--session", "--timeout", "60", name], environment)
  }

  /// Waits until a condition is true; fails the test after `TestProgram.limit`.
  func until(line: Int = #line, _ condition: () async throws -> Bool) async throws {
    try await Self.until(line: line, condition)
  }

  static func until(
    within limit: Duration = TestProgram.limit, line: Int = #line,
    _ condition: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while true {
      // On a busy machine, the answer of a check can be late. The last check begins after the
      // deadline.
      let isLast = ContinuousClock.now >= end
      if try await condition() { return }
      guard !isLast else {
        throw TestProgram.Failure(description: "the condition of line \(line) does not hold")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  // MARK: The bridge

  func untilBridgeIsReady() async throws {
    try Self.wait(for: "org.dragboard.Clipboard1", environment)
    try await until { self.display.backends.contains((try? self.property("Backend")) ?? "") }
  }

  /// Ends the display.
  func endDisplay() { server.kill() }

  /// A process that a test can kill and restart.
  enum Part: CaseIterable { case daemon, bridge, display }

  func kill(_ part: Part) {
    switch part {
    case .daemon: daemon.kill()
    case .bridge: bridge.kill()
    case .display: server.kill()
    }
  }

  /// Starts a part.
  ///
  /// The bridge is restarted until it finds a display, as systemd would do.
  func start(_ part: Part) async throws {
    switch part {
    case .daemon: daemon = try Self.startDaemon(environment)
    case .display: server = try display.start(environment).0
    case .bridge:
      bridge = try TestProgram(
        ["bash", "-c", "until dragboard-clipboard \(Self.logging); do sleep 0.1; done"], environment
      )
    }
  }

  /// Sends a command to the display, and returns its next line of output.
  func sendToDisplay(_ command: String) throws -> String? {
    try server.send(command)
    return nextLineOfDisplay()
  }

  func nextLineOfDisplay() -> String? { server.nextLine() }

  /// Returns the id of the process that owns a name on the bus.
  func process(_ name: String) throws -> String {
    let answer = try shell(
      "gdbus call --session -d org.freedesktop.DBus -o / -m"
        + " org.freedesktop.DBus.GetConnectionUnixProcessID \(name)")
    return String(answer.filter(\.isNumber).dropFirst(2))
  }

  /// Returns the memory of the bridge in KiB: its private memory and its files in memory, but no
  /// mapped files of the disk.
  func bridgeMemory() throws -> Int {
    let process = try process("org.dragboard.Clipboard1")
    let words = try shell(
      "grep RssAnon /proc/\(process)/status; stat -L -c %s /proc/\(process)/fd/* 2>/dev/null"
        + " | awk '{s+=$1} END {print int(s/1024)}'")
    return words.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }.reduce(0, +)
  }

  @discardableResult
  func call(_ member: String, _ arguments: String...) throws -> String {
    try TestProgram.run(
      [
        "gdbus", "call", "--session", "-d", "org.dragboard.Clipboard1", "-o",
        "/org/dragboard/Clipboard1", "-m", member,
      ] + arguments, environment)
  }

  /// Returns a property of the bridge in GLib's text format.
  func property(_ name: String) throws -> String {
    let text = try call(
      "org.freedesktop.DBus.Properties.Get", "org.dragboard.Clipboard1", name)
    return String(text.dropFirst().dropLast(2))
  }

  /// Makes a row the clipboard, and waits until programs can paste it.
  func copy(_ row: Row) async throws {
    try call(
      "org.dragboard.Clipboard1.Copy", try await board().id.path, row.id.description)
  }

  // MARK: The board

  func board() async throws -> Board { try await connection.board(named: "clipboard") }

  /// Returns the rows of the board; none if it does not exist.
  func rows() async throws -> [Row] {
    do { return try await board().page(count: 1_000).rows } catch let error as DragboardError
      where error.reason == .noSuchBoard
    {
      return []
    }
  }

  /// Waits for a number of rows.
  ///
  /// A row of up to 64 MiB takes three seconds of CPU time in debug builds. It takes 40 seconds
  /// when 25 other programs use both cores.
  @discardableResult
  func untilRows(_ count: Int, areLarge: Bool = false, line: Int = #line) async throws -> [Row] {
    var rows: [Row] = []
    try await Self.until(within: TestProgram.limit * (areLarge ? 2 : 1), line: line) {
      rows = try await self.rows()
      return rows.count == count
    }
    return rows
  }

  // MARK: Files

  /// Writes bytes to a new file.
  func file(_ bytes: [UInt8]) throws -> String {
    let path = home.appending(path: UUID().uuidString).path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Runs a shell command, and returns its output.
  @discardableResult
  func shell(_ command: String) throws -> String {
    try TestProgram.run(["bash", "-c", command], environment)
  }
}
