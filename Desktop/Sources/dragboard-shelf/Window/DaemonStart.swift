import DragboardClient
import ShelfModel

/// Starts a daemon that has left the bus, and finds the reason if the daemon does not start.
final class DaemonStart {
  /// The reason why the daemon does not start; nil if it is not known.
  private(set) var reason: String? {
    didSet { if reason != oldValue { onChange() } }
  }
  /// Called when the reason has changed.
  var onChange: () -> Void = {}
  private let connection: DragboardConnection
  private var attempts: Task<Void, Never>?

  /// The number of attempts before the reason is shown.
  private static let maxAttempts = 3

  /// Creates the start of the daemon of a connection.
  init(on connection: DragboardConnection) { self.connection = connection }

  /// Starts the daemon by bus activation, unless it is being started.
  ///
  /// A daemon that is still writing its data may occupy the data directory for a short time, so a
  /// failed start is repeated.
  func begin() {
    guard attempts == nil else { return }
    attempts = Task { [weak self, connection] in
      for attempt in 1...Self.maxAttempts where !Task.isCancelled {
        if (try? await connection.daemon.version()) != nil { break }
        if attempt < Self.maxAttempts {
          try? await Task.sleep(for: .milliseconds(500))
        } else {
          let reason = await Self.reason(on: connection)
          if !Task.isCancelled { self?.reason = reason }
        }
      }
      if !Task.isCancelled { self?.attempts = nil }
    }
  }

  /// Ends the attempts.
  func end() {
    attempts?.cancel()
    (attempts, reason) = (nil, nil)
  }

  /// Returns the first fault that `dragboard doctor` finds.
  private static func reason(on connection: DragboardConnection) async -> String? {
    if (try? await connection.daemon.isActivatable()) == false {
      return localized("The file that starts Dragboard is missing. Install Dragboard again.")
    }
    guard let doctor = Programs.find("dragboard") else {
      return localized("The command “dragboard” is missing. Install Dragboard again.")
    }
    let lines = await Programs.run(doctor, ["doctor"]).output.split(separator: "\n")
    // A line has a mark of five characters, and the name of a part in 12 characters.
    let fault = lines.first { $0.hasPrefix("bad  ") && !$0.hasPrefix("bad  daemon ") }
    return fault.map { ShownText.line(String($0.dropFirst(5 + 12))) }
  }
}
