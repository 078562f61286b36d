import DBus
import Glibc
import Logging

/// The state of the screen's lock, which logind and the screen saver report.
@ClipboardActor final class ScreenLock {
  private enum Login {
    static let busName: BusName = "org.freedesktop.login1"
    static let path: ObjectPath = "/org/freedesktop/login1"
    static let getSession = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
      "org.freedesktop.login1.Manager", "GetSession", in: "session_id", out: "object_path")
    static let lockedHint = PropertyDeclaration<Bool>(
      "org.freedesktop.login1.Session", "LockedHint")
  }

  /// A screen saver's interface: `org.freedesktop.ScreenSaver`, or GNOME's, which has another name.
  private struct ScreenSaver {
    let busName: BusName
    let path: ObjectPath
    let getActive: MethodDeclaration<Arguments<>, Arguments<Bool>>
    let activeChanged: SignalDeclaration<Arguments<Bool>>

    init(_ busName: BusName, _ path: ObjectPath, _ interface: InterfaceName) {
      (self.busName, self.path) = (busName, path)
      getActive = MethodDeclaration(interface, "GetActive", out: "active")
      activeChanged = SignalDeclaration(interface, "ActiveChanged", "active")
    }
  }

  private static let screenSavers = [
    ScreenSaver(
      "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver"),
    ScreenSaver("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver"),
  ]

  private let bus: Connection
  private var systemBus: Connection?
  private var isWatched = false
  /// The names of the services that report a lock at present.
  private var reporters: Set<BusName> = []
  /// The number of questions that wait for an answer, and the functions that wait for all of them.
  private var unanswered = 0
  private var waiting: [() -> Void] = []
  /// Called when `isLocked` may have changed.
  var onChange: () -> Void = {}

  /// Creates the state of a lock, which is not watched yet.
  init(_ bus: Connection) { self.bus = bus }

  /// Whether the screen is locked; false if no service reports a lock.
  var isLocked: Bool { !reporters.isEmpty }

  /// Whether all services have answered.
  var isKnown: Bool { unanswered == 0 }

  /// Waits until all services have answered, or until the time is over.
  func untilKnown(within time: Duration) async {
    guard !isKnown else { return }
    await withCheckedContinuation { continuation in
      var isDone = false
      let end = {
        guard !isDone else { return }
        isDone = true
        continuation.resume()
      }
      waiting.append(end)
      bus.loop.schedule(after: time, end)
    }
  }

  private func answered() {
    unanswered -= 1
    guard isKnown else { return }
    let functions = waiting
    waiting = []
    for function in functions { function() }
  }

  /// Asks the services for their state, and starts to watch them.
  func watch() {
    guard !isWatched else { return }
    isWatched = true
    for screenSaver in Self.screenSavers { watch(screenSaver) }
    let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    // A container may have no system bus, and some systems have no logind.
    systemBus = try? Connection(
      to: address ?? "unix:path=/var/run/dbus/system_bus_socket", on: bus.loop)
    guard let systemBus else { return }
    unanswered += 1
    Task {
      await watchSession(on: systemBus)
      answered()
    }
  }

  private func note(_ isLocked: Bool, by reporter: BusName) {
    if isLocked { reporters.insert(reporter) } else { reporters.remove(reporter) }
    onChange()
  }

  // MARK: The screen saver

  private func watch(_ screenSaver: ScreenSaver) {
    let name = screenSaver.busName
    bus.subscribe(to: screenSaver.activeChanged, from: screenSaver.path, of: name) {
      [unowned self] in note($0, by: name)
    }
    bus.names.watchOwner(of: name) { [unowned self] owner in
      if owner == nil { note(false, by: name) } else { ask(screenSaver) }
    }
    // First ask whether the name has an owner: a call to a name without an owner could start a
    // screen saver.
    unanswered += 1
    bus.call(BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, name.text) {
      [unowned self] result in
      if case .success(true) = result { ask(screenSaver) }
      answered()
    }
  }

  private func ask(_ screenSaver: ScreenSaver) {
    unanswered += 1
    bus.call(screenSaver.getActive, at: screenSaver.path, of: screenSaver.busName) {
      [unowned self] result in
      if case .success(let isActive) = result { note(isActive, by: screenSaver.busName) }
      answered()
    }
  }

  // MARK: logind

  /// Watches the session of the bridge.
  ///
  /// logind calls the bridge's session `auto`. If the bridge is a service of the user, this is the
  /// session of the user's display.
  private func watchSession(on systemBus: Connection) async {
    let name = Login.busName
    do throws(DBusError) {
      let path = try await systemBus.call(Login.getSession, at: Login.path, of: name, "auto")
      systemBus.subscribe(to: PropertiesInterface.changed, from: path, of: name) {
        [unowned self] _, _, _ in
        Task { await self.askSession(path, on: systemBus) }
      }
      await askSession(path, on: systemBus)
    } catch { log.warning("logind does not report the lock of the screen: \(error)") }
  }

  private func askSession(_ path: ObjectPath, on systemBus: Connection) async {
    do throws(DBusError) {
      note(
        try await systemBus.get(Login.lockedHint, at: path, of: Login.busName), by: Login.busName)
    } catch { log.warning("logind does not report the lock of the screen: \(error)") }
  }
}
