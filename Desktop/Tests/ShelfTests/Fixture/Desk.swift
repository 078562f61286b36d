import DragboardClient
import Foundation
import TestSupport

/// A desktop for one test: a bus, a daemon, a shelf, and the display on which the tests were
/// started.
///
/// All its processes end when the last reference is released.
final class Desk {
  /// The environment of programs on this desktop.
  let environment: [String: String]
  /// A client of the daemon.
  let connection: DragboardConnection
  /// The board that the shelf shows.
  let board: Board
  /// The display of the desktop.
  let screen: any Screen
  private let bus: PrivateBus
  private var daemon: TestProgram
  private(set) var shelf: TestProgram?
  private var window = ""

  /// Starts the bus and the daemon, but no shelf.
  ///
  /// - Throws: an error if a program cannot be started.
  init() async throws {
    screen =
      WaylandScreen.isUsed
      ? try WaylandScreen(products: Self.ownProducts()) : XScreen()
    let own = ProcessInfo.processInfo.environment
    var variables: [String: String?] = [
      "GTK_A11Y": "none",
      // This is the setting for GTK 3. Without it, GTK 3 would start a bus for screen readers that
      // outlives the test.
      "NO_AT_BRIDGE": "1", "GSK_RENDERER": "cairo",
      "PATH": "\(try Self.products()):\(own["PATH"] ?? "/usr/bin:/bin")",
      // The display on which the tests were started.
      "DISPLAY": own["DISPLAY"], "WAYLAND_DISPLAY": own["WAYLAND_DISPLAY"],
      // File managers restore files from the trash by GVfs.
      "GIO_USE_VFS": nil,
    ]
    for (name, value) in screen.environment { variables[name] = value }
    bus = try PrivateBus(changing: variables)
    environment = bus.environment
    daemon = try TestProgram.daemon(environment)
    connection = try await .connect(to: bus.address)
    board = try await connection.board(named: DragboardConnection.defaultBoard)
  }

  deinit {
    shelf?.kill()
    daemon.kill()
    bus.stop()
  }

  /// The directories of the executables of this package and of the root package, which
  /// `Desktop/test` has built.
  private static func products() throws -> String {
    "\(try ownProducts()):\(try rootProducts())"
  }

  /// The directory of the executables of the root package.
  static func rootProducts() throws -> String {
    guard let root = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PRODUCTS"] else {
      throw TestProgram.Failure(description: "DRAGBOARD_TEST_PRODUCTS is not set: run Desktop/test")
    }
    return root
  }

  /// The directory of the executables of this package.
  static func ownProducts() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().path
  }

  /// Kills the daemon, like a crash.
  func killDaemon() { daemon.kill() }

  /// Stops the daemon, which remains on the bus but answers no call.
  func freezeDaemon() { kill(daemon.id, SIGSTOP) }

  /// Lets a stopped daemon continue.
  func thawDaemon() { kill(daemon.id, SIGCONT) }

  /// Restarts the daemon with the same data.
  func restartDaemon() throws { daemon = try TestProgram.daemon(environment) }

  /// Runs a program on this desktop until it exits, and returns its standard output.
  @discardableResult
  func run(_ arguments: String...) throws -> String { try TestProgram.run(arguments, environment) }

  /// Starts a program on this desktop.
  func start(_ arguments: String...) throws -> TestProgram {
    try TestProgram(arguments, environment)
  }

  /// Opens the shelf, waits until it shows the board, and gives it the keyboard focus.
  func openShelf(
    titled title: String = "Shelf", isFirst: Bool = false, with variables: [String: String] = [:]
  ) async throws {
    try startShelf(isFirst: isFirst, with: variables)
    window = try screen.place(windowTitled: "^\(title)$", at: (0, 0), width: 380, height: 560)
    try await untilBoardIsShown()
    try screen.focus(window)
  }

  /// Starts the shelf, and does not wait for its window.
  ///
  /// It is not the first start, at which the shelf asks questions, unless a test says so.
  func startShelf(
    _ arguments: String..., isFirst: Bool = false, with variables: [String: String] = [:]
  ) throws {
    if !isFirst, !FileManager.default.fileExists(atPath: settingsFile) { try storeSettings("") }
    let command = "exec dragboard-shelf \"$@\" 2> >(tee -a \"$HOME/shelf.log\" >&2)"
    shelf = try TestProgram(
      ["bash", "-c", command, "bash"] + arguments, environment.merging(variables) { $1 })
  }

  /// Writes the settings of a shelf that has not started yet.
  func storeSettings(_ lines: String) throws {
    let file = URL(fileURLWithPath: settingsFile)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try "[Window]\n\(lines)".write(to: file, atomically: true, encoding: .utf8)
  }

  /// The path of the shelf's settings.
  var settingsFile: String {
    "\(environment["XDG_CONFIG_HOME"] ?? folder)/dragboard/shelf.ini"
  }

  /// The standard error of the shelf.
  var shelfLog: String {
    (try? String(contentsOfFile: "\(folder)/shelf.log", encoding: .utf8)) ?? ""
  }

  /// Starts Openbox, and waits for its command of the startup.
  ///
  /// A window that is mapped earlier never appears, even if the root window already has Openbox's
  /// properties.
  func startWindowManager() async throws -> TestProgram {
    let manager = try start("openbox", "--sm-disable", "--startup", "echo started")
    // Openbox may write a warning before.
    while let line = manager.nextLine() {
      if line == "started" { return manager }
    }
    throw TestProgram.Failure(description: "openbox does not start")
  }

  /// Waits until a shelf shows the board.
  func untilBoardIsShown() async throws {
    try await until {
      try await self.connection.views().contains { $0.info.board == self.board.id }
    }
  }

  /// Waits for a window, and returns its number.
  func window(named name: String) throws -> String {
    try XScreen.search("^\(name)$")
  }

  /// Waits until no window has this name.
  func untilClosed(_ name: String) async throws {
    let name = NSRegularExpression.escapedPattern(for: name)
    try await until {
      try self.run(
        "sh", "-c", "xdotool search --onlyvisible --name '^\(name)$' || true"
      ).isEmpty
    }
  }

  /// Waits until a condition is true; fails the test after ``TestProgram/limit``.
  func until(line: Int = #line, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + TestProgram.limit
    while try await !condition() {
      guard ContinuousClock.now < end else {
        throw TestProgram.Failure(description: "line \(line): \(TestProgram.limit) have passed")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  // MARK: Keys and the pointer

  /// Presses keys in the shelf, one after another: `alt+Down`.
  ///
  /// The shelf gets the keyboard focus first, because another window may have it.
  func press(_ keys: String...) throws { try press(keys) }

  /// Presses keys in the shelf, one after another.
  func press(_ keys: [String]) throws {
    try TestProgram.run(["xdotool", "windowfocus", window, "key"] + keys, environment)
  }

  /// Waits for a dialog, and presses keys in it.
  func answer(_ title: String, _ keys: String...) throws {
    let dialog = try window(named: NSRegularExpression.escapedPattern(for: title))
    try TestProgram.run(
      ["xdotool", "windowfocus", "--sync", dialog] + (keys.isEmpty ? [] : ["key"] + keys),
      environment)
  }

  /// Returns the selected rows of the shelf.
  func selection() async throws -> [ItemID] {
    try await connection.views().first { $0.info.board == board.id }?.info.selection ?? []
  }

  /// Presses a key until the row is selected, because the shelf may not show the row yet.
  func select(_ item: ItemID, by key: String) async throws { try await select([item], by: key) }

  /// Presses a key until these rows are selected.
  ///
  /// Waits after each key, because with a slow shelf a second key could move the selection past the
  /// rows.
  func select(_ items: Set<ItemID>, by key: String) async throws {
    var (before, next) = ([ItemID]?.none, ContinuousClock.now)
    try await until {
      let now = try await self.selection()
      if before != nil, Set(now) == items { return true }
      if before != now || ContinuousClock.now >= next {
        try self.press(key)
        (before, next) = (now, .now + .seconds(2))
      }
      return false
    }
  }

  /// Presses the pointer's button at one position and moves the pointer to another in steps, as a
  /// hand does.
  func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) throws {
    var words = ["xdotool", "mousemove", "\(start.x)", "\(start.y)", "mousedown", "1"]
    for step in 1...10 {
      let (x, y) = (
        start.x + (end.x - start.x) * step / 10, start.y + (end.y - start.y) * step / 10
      )
      words += ["sleep", "0.05", "mousemove", "\(x)", "\(y)"]
    }
    try TestProgram.run(words, environment)
  }

  /// Waits until the daemon proposes `operation` for the drag, then releases the pointer's button.
  func drop(when operation: DropOperation) async throws {
    try await until {
      try self.run("xdotool", "mousemove_relative", "--", "1", "0")
      try self.run("xdotool", "mousemove_relative", "--", "-1", "0")
      return try await self.connection.sessions().last?.info.operation == operation
    }
    try run("xdotool", "mouseup", "1")
  }

  // MARK: The board

  /// Returns the texts of the rows of all sections.
  func texts() async throws -> [String] {
    var texts: [String] = []
    for section in try await board.snapshot().sections.indices {
      texts += try await board.texts(ofSection: section, count: 100)
    }
    return texts
  }

  /// Waits until the board has these texts.
  func untilTexts(_ texts: [String], line: Int = #line) async throws {
    try await until(line: line) { try await self.texts() == texts }
  }
}
