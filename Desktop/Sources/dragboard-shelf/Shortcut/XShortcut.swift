import CGtk4
import CShelf
import CXcb
import Glibc
import ShelfModel

/// A shortcut on X11: a grab of the keys on the root window, by an own connection.
final class XShortcut: ShortcutSource {
  var onPress: () -> Void = {}
  private let connection: OpaquePointer
  private let root: xcb_window_t
  private let keys: ShortcutKeys
  private var code: xcb_keycode_t = 0
  private var source: guint = 0
  /// The timer while the key is down.
  ///
  /// A held key repeats.
  private var polling: Timer?

  private static let pollInterval = Duration.milliseconds(50)
  /// The locks of capitals and numbers, with which the shortcut works, too.
  private static let locks: [UInt32] = [
    0, XCB_MOD_MASK_LOCK.rawValue, XCB_MOD_MASK_2.rawValue,
    XCB_MOD_MASK_LOCK.rawValue | XCB_MOD_MASK_2.rawValue,
  ]

  /// Grabs the keys; nil if it is not an X display, if the keyboard lacks the key, or if another
  /// program has grabbed the keys.
  init?(_ keys: ShortcutKeys, on display: OpaquePointer) {
    guard shelf_x11_is_display(display) != 0,
      let connection = xcb_connect(gdk_display_get_name(display), nil)
    else { return nil }
    self.connection = connection
    self.keys = keys
    guard xcb_connection_has_error(connection) == 0 else {
      xcb_disconnect(connection)
      return nil
    }
    root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data.pointee.root
    // All properties have values, so `deinit` closes the connection.
    guard grab() else { return nil }
    source = g_unix_fd_add(
      xcb_get_file_descriptor(connection), G_IO_IN,
      { _, _, data in held(data, as: XShortcut.self)?.handleEvents() ?? false ? 1 : 0 },
      borrow(self))
  }

  isolated deinit {
    polling?.cancel()
    if source != 0 { g_source_remove(source) }
    xcb_disconnect(connection)
  }

  private func grab() -> Bool {
    var symbol = gdk_keyval_from_name(keys.key)
    cxcb_find_keys(connection, &symbol, &code, 1)
    guard code != 0 else { return false }
    let cookies = Self.locks.map { lock in
      xcb_grab_key_checked(
        connection, 0, root, UInt16(modifiers | lock), code, UInt8(XCB_GRAB_MODE_ASYNC.rawValue),
        UInt8(XCB_GRAB_MODE_ASYNC.rawValue))
    }
    let errors = cookies.map { xcb_request_check(connection, $0) }
    defer { for error in errors { free(error) } }
    return errors.allSatisfy { $0 == nil }
  }

  private var modifiers: UInt32 {
    let masks: [ShortcutKeys.Modifier: xcb_mod_mask_t] = [
      .control: XCB_MOD_MASK_CONTROL, .alt: XCB_MOD_MASK_1, .shift: XCB_MOD_MASK_SHIFT,
      .logo: XCB_MOD_MASK_4,
    ]
    return keys.modifiers.reduce(0) { $0 | (masks[$1]?.rawValue ?? 0) }
  }

  /// Handles all events; returns whether the server is still there.
  private func handleEvents() -> Bool {
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_KEY_PRESS: didPress()
      case XCB_MAPPING_NOTIFY:
        // The keys may have other codes now.
        xcb_ungrab_key(
          connection, xcb_keycode_t(XCB_GRAB_ANY.rawValue), root,
          UInt16(XCB_MOD_MASK_ANY.rawValue))
        _ = grab()
      default: break
      }
    }
    guard xcb_connection_has_error(connection) != 0 else { return true }
    source = 0
    return false
  }

  private func didPress() {
    // The keys would go to this connection until they are released, and not to the picker.
    xcb_ungrab_keyboard(connection, 0)
    xcb_flush(connection)
    guard polling == nil else { return }
    poll()
    onPress()
  }

  private func poll() {
    polling = MainLoop.after(Self.pollInterval) { [weak self] in
      guard let self else { return }
      if isDown { poll() } else { polling = nil }
      // The reply may have arrived together with events.
      _ = handleEvents()
    }
  }

  private var isDown: Bool {
    guard let reply = xcb_query_keymap_reply(connection, xcb_query_keymap(connection), nil) else {
      return false
    }
    defer { free(reply) }
    return withUnsafeBytes(of: &reply.pointee.keys) { $0[Int(code) / 8] & 1 << (code % 8) != 0 }
  }
}
