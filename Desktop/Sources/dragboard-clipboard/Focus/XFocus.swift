import CXcb
import ClipboardModel
import Glibc

/// The titles of the active windows of an X display.
///
/// X11 reports the program of a copy, but private windows of a browser have the same program as others.
/// So the windows have no application here.
///
/// Source: the Extended Window Manager Hints, `_NET_ACTIVE_WINDOW` and `_NET_WM_NAME`.
@ClipboardActor final class XFocus: FocusSource {
  private static let maxTitleBytes = 4_096

  private let display: XClipboard
  private let watch = FocusWatch("x11")
  private let activeWindow, title, utf8: xcb_atom_t
  /// The window whose title is followed.
  private var followed: xcb_window_t = 0

  var name: String? { watch.name }
  let recentApplications = RecentApplications()

  /// Starts to follow the active window.
  init(_ display: XClipboard) {
    self.display = display
    activeWindow = display.atom("_NET_ACTIVE_WINDOW")
    title = display.atom("_NET_WM_NAME")
    utf8 = display.atom("UTF8_STRING")
    display.watch(display.root)
    refresh()
  }

  /// Handles the change of a property of a window.
  func changed(_ property: xcb_atom_t, of window: xcb_window_t) {
    if window == display.root ? property == activeWindow : window == followed && property == title {
      refresh()
    }
  }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    watch.windowsOfCopy(completion)
  }

  /// Reads the active window and its title.
  ///
  /// A title that a program changes together with the selection is read at the change of the selection.
  func refresh() {
    let bytes = read(activeWindow, of: display.root, as: 0, upTo: 4)
    let window = bytes.count == 4 ? bytes.withUnsafeBytes { $0.load(as: xcb_window_t.self) } : 0
    guard window != 0 else { return watch.handle(onlyFocused: nil) }
    if window != followed {
      followed = window
      display.watch(window)
    }
    let text = read(title, of: window, as: utf8, upTo: Self.maxTitleBytes)
    watch.handle(
      onlyFocused: FocusedWindow(
        id: "\(window)", application: "", title: String(decoding: text, as: UTF8.self)))
  }

  /// Returns the bytes of a property; none if it does not exist or has another type.
  ///
  /// The type 0 is any type.
  private func read(
    _ property: xcb_atom_t, of window: xcb_window_t, as type: xcb_atom_t, upTo count: Int
  ) -> [UInt8] {
    let cookie = xcb_get_property(
      display.raw, 0, window, property, type, 0, UInt32(count / 4))
    guard let reply = xcb_get_property_reply(display.raw, cookie, nil) else { return [] }
    defer { free(reply) }
    return [UInt8](
      UnsafeRawBufferPointer(
        start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply))))
  }
}
