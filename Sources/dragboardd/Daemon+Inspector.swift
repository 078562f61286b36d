import DBus
import DragboardService

extension Daemon {
  /// An inspector leaves when nobody has asked it for so long, or for the idle timeout where that is shorter.
  private static let longestIdleness = Duration.seconds(60)

  /// Runs as the part of the daemon that is not confined, until nobody asks it any more, or it is told to leave.
  static func inspectCallers(_ configuration: Configuration) -> Exit {
    do {
      let (loop, signals, connection) = try begin(configuration)
      let inspector = CallerInspector(
        on: connection, idleTimeout: min(configuration.limits.idleTimeout, longestIdleness)
      ) { loop.stop() }
      connection.onDisconnect = { loop.stop() }
      signals.onSignal = { inspector.leave() }
      guard try inspector.start() else { return end(.taken, "another inspector has the name") }
      loop.run()
      connection.close()
      return .done
    } catch { return end(.failed, "\(error)") }
  }
}
