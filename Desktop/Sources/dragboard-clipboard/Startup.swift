import DBus
import DragboardClient
import DragboardInterface
import Files
import Glibc

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
      // Create the board now, so that it can be opened before the first copy.
      _ = try? await dragboard.clipboard.board()
      let lock = ScreenLock(bus)
      let bridge = try Bridge(
        backend, storingOn: ClipboardBoard(dragboard: dragboard), lock, loop: loop)
      service = ClipboardService(bridge, Pasting(bridge, lock, on: loop), on: bus)
      try await bridge.start()
      // Request the name last. When other programs see the name, the bridge already stores copies.
      guard try bus.names.request(ClipboardInterface.busName) == .owner else {
        Exit.now(.nameTaken, "\(ClipboardInterface.busName): another program has the name")
      }
    } catch let error as SettingsFile.Failure {
      Exit.now(.usage, error.description)
    } catch { Exit.now(.displayGone, "\(error)") }
  }

  /// Prints the name of the backend and exits.
  private static func check(_ options: Options, _ bus: Connection) async throws -> Never {
    // End the program after five seconds, because the display may not answer.
    alarm(5)
    print(try await backend(options.backend, bus).name)
    exit(0)
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
      if backend.focus == nil { backend.focus = await KWinFocus(on: loop) }
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
