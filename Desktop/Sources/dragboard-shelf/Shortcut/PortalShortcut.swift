import CGtk4
import Glibc
import Logging
import ShelfModel

/// The shortcut of a desktop that has a portal for shortcuts.
///
/// The desktop asks the user once, and lets the user change the keys.
///
/// Source:
/// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.GlobalShortcuts.html
final class PortalShortcut: ShortcutSource {
  var onPress: () -> Void = {}
  /// Called when the desktop or the user has refused the shortcut.
  var onRefusal: () -> Void = {}
  /// Called when the desktop has bound the shortcut, with the keys as the user reads them; "" if the
  /// desktop does not name them.
  var onBind: (String) -> Void = { _ in }

  private static let name = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.GlobalShortcuts"
  private static let shortcut = "open-picker"

  private let bus: OpaquePointer
  private let keys: ShortcutKeys
  private var subscriptions: [guint] = []
  private var session = ""
  private var requestCount = 0
  private var pending: (Results?) -> Void = { _ in }

  /// Asks the desktop for the shortcut; nil if the portal does not run.
  ///
  /// The connection is an own one, because the portal gives a connection its application id only before
  /// the first other call, and GTK calls the portal, too.
  init?(_ keys: ShortcutKeys) {
    guard let bus = Self.connect() else { return nil }
    guard Self.runs(on: bus) else {
      g_object_unref(bus.object)
      return nil
    }
    (self.bus, self.keys) = (bus, keys)
    subscribe(to: "Activated", of: Self.interface, at: Self.path) { portal, values in
      guard values?.text(0) == portal.session, values?.text(1) == Self.shortcut else { return }
      portal.onPress()
    }
    Task { [weak self] in self?.register() }
  }

  isolated deinit {
    for subscription in subscriptions { g_dbus_connection_signal_unsubscribe(bus, subscription) }
    // The portal ends the session with the connection.
    g_dbus_connection_close_sync(bus, nil, nil)
    g_object_unref(bus.object)
  }

  /// Whether the portal runs.
  static var isAvailable: Bool {
    guard let bus = connect() else { return false }
    defer { g_object_unref(bus.object) }
    return runs(on: bus)
  }

  private static func connect() -> OpaquePointer? {
    guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, nil) else {
      return nil
    }
    defer { g_free(address) }
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    return g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil)?.opaque
  }

  private static func runs(on bus: OpaquePointer) -> Bool {
    let reply = g_dbus_connection_call_sync(
      bus, name, path, "org.freedesktop.DBus.Properties", "Get",
      values("(\(quoted(interface)), 'version')"), nil, G_DBUS_CALL_FLAGS_NONE, 2_000, nil, nil)
    if let reply { g_variant_unref(reply) }
    return reply != nil
  }

  // MARK: Requests

  /// Tells the portal the id of the application, which it needs since version 1.22.
  ///
  /// Earlier versions refuse this call, which has no consequence.
  private func register() {
    call(
      "Register", of: "org.freedesktop.host.portal.Registry",
      "(\(Self.quoted(ShelfApplication.id)), @a{sv} {})"
    ) { portal, _ in portal.createSession() }
  }

  private func createSession() {
    request("CreateSession", { "({'handle_token': <\($0)>, 'session_handle_token': <\($0)>},)" }) {
      portal, results in
      guard let session = results?.text(of: "session_handle") else { return portal.onRefusal() }
      portal.session = session
      portal.bind()
    }
  }

  private func bind() {
    let description = Self.quoted(localized("Pick a row and paste it"))
    let shortcut =
      "('\(Self.shortcut)', {'description': <\(description)>, 'preferred_trigger': <'\(keys.trigger)'>})"
    request(
      "BindShortcuts",
      { [session] in
        "(objectpath \(Self.quoted(session)), [\(shortcut)], '', {'handle_token': <\($0)>})"
      }
    ) { portal, results in
      guard let results else { return portal.onRefusal() }
      portal.onBind(results.trigger ?? "")
    }
  }

  /// Calls a method whose result comes as a signal of a request, which the portal names after the token.
  private func request(
    _ method: String, _ arguments: (String) -> String,
    _ then: @escaping (PortalShortcut, Results?) -> Void
  ) {
    requestCount += 1
    let token = "dragboard\(getpid())_\(requestCount)"
    let sender = g_dbus_connection_get_unique_name(bus).map { String(cString: $0) } ?? ""
    let owner = String(sender.dropFirst().map { $0 == "." ? "_" : $0 })
    subscribe(
      to: "Response", of: "org.freedesktop.portal.Request",
      at: "\(Self.path)/request/\(owner)/\(token)"
    ) { portal, values in then(portal, values?.number(0) == 0 ? values?.results(1) : nil) }
    call(method, of: Self.interface, arguments("'\(token)'")) { portal, isDone in
      if !isDone { then(portal, nil) }
    }
  }

  // MARK: The bus

  private func call(
    _ method: String, of interface: String, _ arguments: String,
    _ then: @escaping (PortalShortcut, Bool) -> Void
  ) {
    let handler = Handler { [weak self] values in
      if let self { then(self, values != nil) }
    }
    g_dbus_connection_call(
      bus, Self.name, Self.path, interface, method, Self.values(arguments), nil,
      G_DBUS_CALL_FLAGS_NONE, 10_000, nil,
      { source, result, data in
        defer { release(data) }
        let reply = g_dbus_connection_call_finish(source?.opaque, result, nil)
        held(data, as: Handler.self)?.body(reply.map(Results.init))
        if let reply { g_variant_unref(reply) }
      }, hold(handler))
  }

  private func subscribe(
    to signal: String, of interface: String, at path: String,
    _ body: @escaping (PortalShortcut, Results?) -> Void
  ) {
    let handler = Handler { [weak self] values in
      if let self { body(self, values) }
    }
    subscriptions.append(
      g_dbus_connection_signal_subscribe(
        bus, Self.name, interface, signal, path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
        { _, _, _, _, _, values, data in
          held(data, as: Handler.self)?.body(values.map(Results.init))
        }, hold(handler), { release($0) }))
  }

  private final class Handler {
    let body: (Results?) -> Void
    init(_ body: @escaping (Results?) -> Void) { self.body = body }
  }

  /// Returns a value, with a floating reference, from its text in GLib's format.
  private static func values(_ text: String) -> OpaquePointer? {
    g_variant_parse(nil, text, nil, nil, nil)
  }

  /// Returns a string in GLib's format.
  private static func quoted(_ text: String) -> String {
    guard let value = g_variant_ref_sink(g_variant_new_string(text)) else { return "''" }
    defer { g_variant_unref(value) }
    guard let printed = g_variant_print(value, 0) else { return "''" }
    defer { g_free(printed) }
    return String(cString: printed)
  }
}

/// A tuple or a dictionary that the bus has delivered.
private struct Results {
  private let value: OpaquePointer

  init(_ value: OpaquePointer) { self.value = value }

  private func member<Result>(
    _ index: Int, _ type: String, _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    guard index < g_variant_n_children(value),
      let member = g_variant_get_child_value(value, gsize(index))
    else { return nil }
    defer { g_variant_unref(member) }
    guard String(cString: g_variant_get_type_string(member)) == type else { return nil }
    return body(member)
  }

  private static func text(_ value: OpaquePointer) -> String? {
    g_variant_get_string(value, nil).map { String(cString: $0) }
  }

  /// The text or path at an index of a tuple.
  func text(_ index: Int) -> String? {
    member(index, "s", Self.text) ?? member(index, "o", Self.text)
  }
  /// The number at an index of a tuple.
  func number(_ index: Int) -> UInt32? { member(index, "u") { g_variant_get_uint32($0) } }
  /// The dictionary at an index of a tuple, which exists as long as the tuple.
  func results(_ index: Int) -> Results? { member(index, "a{sv}") { Results($0) } }

  private func lookUp<Result>(_ key: String, _ type: String, _ body: (OpaquePointer) -> Result?)
    -> Result?
  {
    guard let kind = g_variant_type_new(type) else { return nil }
    defer { g_variant_type_free(kind) }
    guard let found = g_variant_lookup_value(value, key, kind) else { return nil }
    defer { g_variant_unref(found) }
    return body(found)
  }

  /// The text of a key of a dictionary.
  func text(of key: String) -> String? {
    lookUp(key, "s", Self.text) ?? lookUp(key, "o", Self.text)
  }

  /// The keys of the first shortcut, as the user reads them.
  var trigger: String? {
    lookUp("shortcuts", "a(sa{sv})") { list in
      Results(list).member(0, "(sa{sv})") { shortcut in
        Results(shortcut).results(1)?.text(of: "trigger_description")
      }
    }
  }
}
