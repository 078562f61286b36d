import DBus
import DragboardClient
import Glibc
import Logging

/// The client of the portal RemoteDesktop, which lets programs press keys with the user's permission.
///
/// Source:
/// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.RemoteDesktop.html
@ClipboardActor final class RemoteDesktopPortal {
  private static let name: BusName = "org.freedesktop.portal.Desktop"
  private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
  /// The application that the desktop names in its question; its desktop file is installed with the shelf.
  private static let application = "org.dragboard.Shelf"
  /// The bit of a keyboard in the sets of devices.
  private static let keyboard: UInt32 = 1
  /// The mode in which a permission is valid until the user revokes it.
  private static let untilRevoked: UInt32 = 2

  private enum Portal {
    static let name: InterfaceName = "org.freedesktop.portal.RemoteDesktop"
    static let createSession = MethodDeclaration<
      Arguments<[String: Variant]>, Arguments<ObjectPath>
    >(
      name, "CreateSession", in: "options", out: "handle")
    static let selectDevices = MethodDeclaration<
      Arguments<ObjectPath, [String: Variant]>, Arguments<ObjectPath>
    >(name, "SelectDevices", in: "session_handle", "options", out: "handle")
    static let start = MethodDeclaration<
      Arguments<ObjectPath, String, [String: Variant]>, Arguments<ObjectPath>
    >(name, "Start", in: "session_handle", "parent_window", "options", out: "handle")
    static let notifyKeysym = MethodDeclaration<
      Arguments<ObjectPath, [String: Variant], Int32, UInt32>, Arguments<>
    >(name, "NotifyKeyboardKeysym", in: "session_handle", "options", "keysym", "state")
  }

  private static let register = MethodDeclaration<
    Arguments<String, [String: Variant]>, Arguments<>
  >(
    "org.freedesktop.host.portal.Registry", "Register", in: "app_id", "options")
  private static let closeRequest = MethodDeclaration<Arguments<>, Arguments<>>(
    "org.freedesktop.portal.Request", "Close")
  private static let response = SignalDeclaration<Arguments<UInt32, [String: Variant]>>(
    "org.freedesktop.portal.Request", "Response", "response", "results")
  private static let closeSession = MethodDeclaration<Arguments<>, Arguments<>>(
    "org.freedesktop.portal.Session", "Close")
  private static let closed = MatchRule(
    sender: name, interface: "org.freedesktop.portal.Session", member: "Closed")

  /// The portal's database of permissions, which programs without a sandbox can read.
  private enum Store {
    static let busName: BusName = "org.freedesktop.impl.portal.PermissionStore"
    static let path: ObjectPath = "/org/freedesktop/impl/portal/PermissionStore"
    static let lookup = MethodDeclaration<
      Arguments<String, String>, Arguments<[String: [String]], Variant>
    >(
      "org.freedesktop.impl.portal.PermissionStore", "Lookup", in: "table", "id",
      out: "permissions", "data")
    static let delete = MethodDeclaration<Arguments<String, String>, Arguments<>>(
      "org.freedesktop.impl.portal.PermissionStore", "Delete", in: "table", "id")
    static let table = "remote-desktop"
    static let notFound: ErrorName = "org.freedesktop.portal.Error.NotFound"
  }

  /// The reason why the portal permits nothing.
  enum Failure: Error, Hashable {
    /// There is no such portal, or it has no keyboard or no tokens.
    case unsupported
    /// The user or the desktop has refused.
    case refused
    /// The portal has not answered in time, or has left the bus.
    case unanswered
  }

  /// What the portal knows about a token.
  enum TokenState { case valid, invalid, unknown }

  /// A request whose result comes as a signal.
  private final class Response {
    private var result: Result<(UInt32, [String: Variant]), Failure>?
    private var waiter: (() -> Void)?

    func end(_ result: Result<(UInt32, [String: Variant]), Failure>) {
      guard self.result == nil else { return }
      self.result = result
      waiter?()
      waiter = nil
    }

    func value() async -> Result<(UInt32, [String: Variant]), Failure> {
      await withCheckedContinuation { continuation in
        guard result == nil else { return continuation.resume() }
        waiter = { continuation.resume() }
      }
      return result ?? .failure(.unanswered)
    }
  }

  /// The time in which the portal must answer a call that asks the user nothing.
  private static let timeout = Duration.seconds(2)
  private static let keyTimeout = Duration.seconds(1)

  /// A connection of its own, because the portal gives a connection its application id only before the first
  /// other call.
  private let bus: Connection
  private var requests: [ObjectIdentifier: Response] = [:]
  private var requestCount = 0
  private var isRegistered = false
  /// Called with the path of a session that the user or the desktop has closed.
  var onClose: (ObjectPath) -> Void = { _ in }
  /// Called when the portal has left the bus, so that all its sessions are gone.
  var onExit: () -> Void = {}

  /// Connects to the bus.
  init(on loop: EventLoop) throws(DBusError) {
    bus = try Connection(on: loop)
    bus.subscribe(to: Self.closed) { [unowned self] message in
      if let path = message.path { onClose(ObjectPath(unchecked: path)) }
    }
    bus.names.watchOwner(of: Self.name) { [unowned self] _ in
      cancelRequests()
      onExit()
    }
  }

  isolated deinit { bus.close() }

  // MARK: The portal

  /// Checks that the portal has a keyboard and tokens, and gives the connection its application id.
  ///
  /// Earlier versions than 1.22 refuse the id, which has no consequence.
  func examine() async throws(Failure) {
    isRegistered =
      (try? await bus.call(
        Self.register, at: Self.path, of: Self.name, timeout: Self.timeout, Self.application, [:]))
      != nil
    let properties: [String: Variant]
    do throws(DBusError) {
      properties = try await bus.call(
        PropertiesInterface.getAll, at: Self.path, of: Self.name, timeout: Self.timeout,
        Portal.name.text)
    } catch {
      log.notice("the portal RemoteDesktop: \(error)")
      throw error.name == .noReply ? .unanswered : .unsupported
    }
    guard case .uint32(let version) = properties["version"]?.value, version >= 2,
      case .uint32(let devices) = properties["AvailableDeviceTypes"]?.value,
      devices & Self.keyboard != 0
    else { throw .unsupported }
  }

  /// Returns whether the portal still knows a token.
  ///
  /// With an unknown token, the desktop would ask the user again.
  func state(of token: String) async -> TokenState {
    do throws(DBusError) {
      let (permissions, _) = try await bus.call(
        Store.lookup, at: Store.path, of: Store.busName, timeout: Self.timeout, Store.table, token)
      let isOwn = isRegistered ? permissions[Self.application] != nil : !permissions.isEmpty
      return isOwn ? .valid : .invalid
    } catch { return error.name == Store.notFound ? .invalid : .unknown }
  }

  /// Deletes a token from the portal's database.
  func delete(_ token: String) {
    bus.call(
      Store.delete, at: Store.path, of: Store.busName, timeout: Self.timeout, Store.table, token
    ) { _ in }
  }

  // MARK: Sessions

  /// Creates a session, which has no permission yet.
  func createSession() async throws(Failure) -> ObjectPath {
    let created = try await request(within: Self.timeout) {
      [bus] (options) async throws(DBusError) in
      var options = options
      options["session_handle_token"] = options["handle_token"]
      _ = try await bus.call(
        Portal.createSession, at: Self.path, of: Self.name, timeout: Self.timeout, options)
    }
    switch created["session_handle"]?.value {
    // The documentation calls this type a mistake that can no longer be corrected.
    case .string(let text): return ObjectPath(unchecked: text)
    case .objectPath(let path): return path
    default: throw .refused
    }
  }

  /// Requests a keyboard for a session.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - token: the token of an earlier session, with which the desktop asks nothing. The portal deletes it.
  ///   - time: the time in which the user, or the desktop alone, must answer.
  /// - Returns: the token for the next session; nil if the permission ends with this one.
  /// - Throws: the reason why the session has no keyboard.
  func start(
    _ session: ObjectPath, restoring token: String?, within time: Duration
  ) async throws(Failure) -> String? {
    var choice = [
      "types": Variant(.uint32(Self.keyboard)), "persist_mode": Variant(.uint32(Self.untilRevoked)),
    ]
    if let token { choice["restore_token"] = Variant(.string(token)) }
    _ = try await request(within: Self.timeout) {
      [bus, choice] (options) async throws(DBusError) in
      _ = try await bus.call(
        Portal.selectDevices, at: Self.path, of: Self.name, timeout: Self.timeout, session,
        options.merging(choice) { $1 })
    }
    let started = try await request(within: time) { [bus] (options) async throws(DBusError) in
      _ = try await bus.call(
        Portal.start, at: Self.path, of: Self.name, timeout: time, session, "", options)
    }
    guard case .uint32(let devices) = started["devices"]?.value, devices & Self.keyboard != 0
    else { throw .refused }
    guard case .string(let next) = started["restore_token"]?.value else { return nil }
    return next
  }

  /// Closes a session.
  func close(_ session: ObjectPath) {
    bus.call(Self.closeSession, at: session, of: Self.name, timeout: Self.timeout) { _ in }
  }

  /// Presses or releases a key, and waits until the portal has passed it on.
  ///
  /// The portal handles calls that arrive together in any order.
  func press(
    _ key: Int32, _ isDown: Bool, in session: ObjectPath
  ) async throws(DBusError) {
    try await bus.call(
      Portal.notifyKeysym, at: Self.path, of: Self.name, timeout: Self.keyTimeout, session, [:],
      key, isDown ? 1 : 0)
  }

  // MARK: Requests

  /// Ends all requests without an answer, so that the desktop removes its dialog.
  func cancelRequests() {
    for request in requests.values { request.end(.failure(.unanswered)) }
  }

  /// Calls a method whose result comes as a signal of a request, which the portal names after the token.
  ///
  /// A request without an answer is closed, so that the desktop removes its dialog.
  private func request(
    within time: Duration,
    _ call: (_ options: [String: Variant]) async throws(DBusError) -> Void
  ) async throws(Failure) -> [String: Variant] {
    requestCount += 1
    let token = "dragboard\(getpid())_\(requestCount)"
    let sender = String(bus.uniqueName.dropFirst().map { $0 == "." ? "_" : $0 })
    let path = ObjectPath(unchecked: "\(Self.path.text)/request/\(sender)/\(token)")
    let response = Response()
    requests[ObjectIdentifier(response)] = response
    let subscription = bus.subscribe(to: Self.response, from: path, of: Self.name) {
      response.end(.success(($0, $1)))
    }
    let timer = bus.loop.schedule(after: time) { response.end(.failure(.unanswered)) }
    defer {
      requests[ObjectIdentifier(response)] = nil
      bus.unsubscribe(subscription)
      bus.loop.cancel(timer)
    }
    do throws(DBusError) { try await call(["handle_token": Variant(.string(token))]) } catch {
      log.notice("the portal RemoteDesktop: \(error)")
      throw error.name == .noReply ? .unanswered : .refused
    }
    switch await response.value() {
    case .success((0, let results)): return results
    case .success: throw .refused
    case .failure(let failure):
      bus.call(Self.closeRequest, at: path, of: Self.name, timeout: Self.timeout) { _ in }
      throw failure
    }
  }
}
