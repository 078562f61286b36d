import CXcb
import ClipboardModel
import Glibc

/// The focus and the keys of an X display.
@ClipboardActor final class XKeyboard {
  private let display: XClipboard
  private var raw: OpaquePointer { display.raw }

  init(_ display: XClipboard) { self.display = display }

  // MARK: The focus

  /// Returns the window that has the focus; 0 or 1 if no particular window has it.
  func focus() -> xcb_window_t {
    guard let reply = xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil) else {
      return 0
    }
    defer { free(reply) }
    return reply.pointee.focus
  }

  /// Returns the window of a program that contains a window: the one that the window manager manages.
  func client(of window: xcb_window_t) -> xcb_window_t? {
    var window = window
    // The focus is XCB_NONE or XCB_POINTER_ROOT if no window has it.
    while window > 1, window != display.root {
      if display.property(display.atoms.state, of: window) != nil { return window }
      guard let reply = xcb_query_tree_reply(raw, xcb_query_tree(raw, window), nil) else {
        return nil
      }
      window = reply.pointee.parent
      free(reply)
    }
    return nil
  }

  // MARK: Keys

  /// Returns whether no other program has grabbed the keyboard.
  ///
  /// The keys would go to such a program: an open menu, or the lock of a screen.
  func isFree() -> Bool {
    let cookie = xcb_grab_keyboard(
      raw, 0, display.root, 0, UInt8(XCB_GRAB_MODE_ASYNC.rawValue),
      UInt8(XCB_GRAB_MODE_ASYNC.rawValue))
    guard let reply = xcb_grab_keyboard_reply(raw, cookie, nil) else { return false }
    defer { free(reply) }
    guard UInt32(reply.pointee.status) == XCB_GRAB_STATUS_SUCCESS.rawValue else { return false }
    xcb_ungrab_keyboard(raw, 0)
    return true
  }

  /// Releases all keys that are held, such as those of the user's shortcut and the Return key, which
  /// would repeat.
  ///
  /// When the user releases such a key later, this has no effect.
  func releaseHeldKeys() {
    guard let reply = xcb_query_keymap_reply(raw, xcb_query_keymap(raw), nil) else { return }
    defer { free(reply) }
    withUnsafeBytes(of: &reply.pointee.keys) { keys in
      for code in 8...255 where keys[code / 8] & 1 << (code % 8) != 0 {
        send(UInt8(XCB_KEY_RELEASE), UInt8(code))
      }
    }
  }

  /// Returns whether a modifier is active that would change the meaning of the keys.
  ///
  /// The locks of capitals and numbers do not.
  func hasModifiers(besidesShift: Bool) -> Bool {
    guard let reply = xcb_query_pointer_reply(raw, xcb_query_pointer(raw, display.root), nil) else {
      return true
    }
    defer { free(reply) }
    var modifiers =
      XCB_MOD_MASK_CONTROL.rawValue | XCB_MOD_MASK_1.rawValue | XCB_MOD_MASK_4.rawValue
    if !besidesShift { modifiers |= XCB_MOD_MASK_SHIFT.rawValue }
    return UInt32(reply.pointee.mask) & modifiers != 0
  }

  /// Presses and releases keys; returns whether the keyboard has them.
  func press(_ keys: PasteKeys) -> Bool {
    // The symbols of the left Control and Shift keys, Insert and v.
    let symbols: [xcb_keysym_t] =
      (keys.hasControl ? [0xFFE3] : []) + (keys.hasShift ? [0xFFE1] : [])
      + [keys == .shiftInsert ? 0xFF63 : 0x76]
    let codes = [UInt8](unsafeUninitializedCapacity: symbols.count) { codes, count in
      cxcb_find_keys(raw, symbols, codes.baseAddress, symbols.count)
      count = symbols.count
    }
    guard !codes.contains(0) else { return false }
    for code in codes { send(UInt8(XCB_KEY_PRESS), code) }
    for code in codes.reversed() { send(UInt8(XCB_KEY_RELEASE), code) }
    // When this reply arrives, the server has handled the keys.
    _ = focus()
    return true
  }

  private func send(_ type: UInt8, _ code: UInt8) {
    xcb_test_fake_input(raw, type, code, 0, 0, 0, 0, 0)
  }
}
