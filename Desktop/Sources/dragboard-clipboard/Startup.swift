import DBus
import DragboardClient
import DragboardInterface
import Files
import Glibc
import Logging

/// The start of the program.
@ClipboardActor enum Startup {
  private static let loop = ClipboardActor.shared.loop
  /// The object on the bus, which owns all other objects.
  private static var service: ClipboardService?

  /// Connects to the bus, the daemon and the display, and starts to store copies.
  static func run(_ options: Options) async {
    do {
      let bus = try Connection(on: loop)
      bus.onDisconnect = { Exit.now(.displayGone, "the connection to the bus is lost") }
      if options.check { try await check(options, bus) }
      let dragboard = try await DragboardConnection.connect()
      let backend = try await backend(options.backend, bus)
      try await useKWin(for: backend, bus)
      // Create the board now, so that it can be opened before the first copy.
      _ = try? await dragboard.clipboard.board()
      let lock = ScreenLock(bus)
      let bridge = try Bridge(
        backend, storingOn: ClipboardBoard(dragboard: dragboard), lock, loop: loop)
      let selections = SelectionRecorder(
        bridge, on: loop, storingOn: ClipboardBoard(dragboard: dragboard, selection: .primary)
      ) { await selectionBackend(like: backend) }
      service = ClipboardService(bridge, Pasting(bridge, lock, on: loop), selections, on: bus)
      try await bridge.start()
      await selections.apply()
      // Request the name last. When other programs see the name, the bridge already stores copies.
      guard try bus.names.request(ClipboardInterface.busName) == .owner else {
        Exit.now(.nameTaken, "\(ClipboardInterface.busName): another program has the name")
      }
      Task { await followUpdates(on: dragboard, bridge) }
    } catch let error as SettingsFile.Failure {
      Exit.now(.usage, error.description)
    } catch { Exit.now(.displayGone, "\(error)") }
  }

  /// Uses the reports of KWin about the focus, if the backend has no others.
  ///
  /// A bridge that runs already has its script in KWin, which this one must not replace.
  private static func useKWin(
    for backend: any ClipboardBackend, _ bus: Connection
  ) async throws(DBusError) {
    guard let backend = backend as? DataControlBackend, backend.focus == nil,
      try await !bus.call(
        BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, ClipboardInterface.busName.text)
    else { return }
    backend.focus = await KWinFocus(on: loop)
  }

  /// Starts the installed version if the daemon leaves after an update.
  ///
  /// The daemon leaves for its own new version, when no drag and no view is open. While the bridge owns
  /// the clipboard, it stays, because the content would be lost.
  private static func followUpdates(on dragboard: DragboardConnection, _ bridge: Bridge) async {
    do {
      for try await event in await dragboard.events() {
        guard case .daemonLeft = event, let program = RunningProgram.own, program.isReplaced,
          bridge.isAtRest
        else { continue }
        log.notice("another version is installed: \(program.path)")
        try program.restart(Array(CommandLine.arguments.dropFirst()))
      }
    } catch { log.warning("\(error)") }
  }

  /// Prints the name of the backend and exits.
  private static func check(_ options: Options, _ bus: Connection) async throws -> Never {
    // End the program after five seconds, because the display may not answer.
    alarm(5)
    print(try await backend(options.backend, bus).name)
    exit(0)
  }

  /// Returns a backend of the primary selection; nil if the display reports it to no program.
  private static func selectionBackend(
    like backend: any ClipboardBackend
  ) async -> (any ClipboardBackend)? {
    switch backend {
    case is X11Backend: return try? X11Backend(on: loop, of: .primary)
    case let clipboard as DataControlBackend:
      guard let primary = DataControlBackend(on: loop, of: .primary) else { return nil }
      // Without reports on the own connection, use those of KWin.
      if primary.focus == nil { primary.focus = clipboard.focus }
      return primary
    default: return nil
    }
  }

  /// Returns the best backend.
  ///
  /// X11 is the last choice, because on Wayland, XWayland sees only some copies.
  private static func backend(_ only: Options.Backend?, _ bus: Connection) async throws
    -> any ClipboardBackend
  {
    func allows(_ backend: Options.Backend) -> Bool { only.map { $0 == backend } ?? true }
    let (isWayland, isX) = (getenv("WAYLAND_DISPLAY") != nil, getenv("DISPLAY") != nil)
    guard isWayland || isX else {
      throw BackendError(
        description: "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set")
    }
    if allows(.dataControl), isWayland, let backend = DataControlBackend(on: loop) {
      return backend
    }
    if allows(.mutter), isWayland, try await MutterBackend.isAvailable(on: bus) {
      return MutterBackend(bus)
    }
    guard allows(.x11), isX else {
      throw BackendError(description: "the display has no clipboard that this program can use")
    }
    return try X11Backend(on: loop)
  }
}
