import DBus
import Files

/// The thread of the program's event loop, on which all code except the connection to the daemon
/// runs.
@globalActor actor ClipboardActor {
  static let shared = ClipboardActor()

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private init() {
    do throws(SystemError) { loop = try EventLoop() } catch {
      Exit.now(.displayGone, "\(error)")
    }
  }
}
