import ClipboardModel
import DBus

/// The applications that Dragboard's extension of GNOME Shell reports: `gnome-extension/extension.js`.
///
/// The extension remembers the applications at each change of the clipboard, so the time of the
/// question does not matter. It reports no titles of windows, because GNOME tells them to no
/// program.
@ClipboardActor final class ShellFocus: FocusSource {
  private static let name: BusName = "org.gnome.Shell"
  private static let path: ObjectPath = "/org/dragboard/Shell"
  private static let version = PropertyDeclaration<UInt32>("org.dragboard.Shell1", "Version")
  private static let copyingApplications = MethodDeclaration<Arguments<>, Arguments<[String]>>(
    "org.dragboard.Shell1", "CopyingApplications", out: "applications")
  /// The errors if there is no extension, or an earlier version of it.
  private static let absences: [ErrorName] = [
    .serviceUnknown, .nameHasNoOwner, .unknownObject, .unknownInterface, .unknownMethod,
  ]
  /// The time for which the extension may refuse to answer: shortly after the start, it does not know
  /// that the caller is the bridge.
  private static let patience = Duration.seconds(5)
  private static let retryInterval = Duration.milliseconds(20)

  private let bus: Connection
  private(set) var recentApplications = RecentApplications()
  /// Whether the extension has answered the latest call.
  private var isPresent = false

  var name: String? { isPresent ? "gnome-extension" : nil }

  /// Creates a client of the extension.
  init(_ bus: Connection) { self.bus = bus }

  /// Finds out whether the extension is there.
  func find() async {
    let version = try? await bus.get(Self.version, at: Self.path, of: Self.name)
    isPresent = version.map { $0 > 1 } ?? false
  }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    ask(until: .now + Self.patience, completion)
  }

  private func ask(
    until end: ContinuousClock.Instant,
    _ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void
  ) {
    bus.call(Self.copyingApplications, at: Self.path, of: Self.name, timeout: Self.patience) {
      [unowned self] reply in
      if case .success = reply { isPresent = true }
      switch reply {
      case .success(let names):
        for name in names.reversed() { recentApplications.note(name) }
        completion(.success(names.map { FocusedWindow(id: $0, application: $0) }))
      case .failure(let error) where Self.absences.contains(error.name):
        isPresent = false
        completion(.success([]))
      case .failure(let error) where error.name == .accessDenied && .now < end:
        bus.loop.schedule(after: Self.retryInterval) { [unowned self] in
          ask(until: end, completion)
        }
      case .failure:
        completion(.failure(.system("GNOME Shell does not report the application of the copy")))
      }
    }
  }
}
