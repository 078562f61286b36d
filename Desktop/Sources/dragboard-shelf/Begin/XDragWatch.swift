import CGtk4
import CShelf
import CXcb
import ClipboardModel
import Glibc

/// The drags on an X display.
///
/// A program that begins a drag becomes the owner of the selection XdndSelection. The new owner is
/// only a drag if a button of the pointer is down: some programs become the owner for other reasons,
/// and XWayland does for each drag between Wayland programs. Qt 5 never gives up the selection, so
/// the release of the buttons is an end, too. Sliders, selections of text and motions of windows do
/// not touch the selection.
///
/// The connection is separate from GTK's, so that no event waits for GTK's work, and no reply of
/// GTK's waits for these events.
final class XDragWatch: DragWatch {
  var onBegin: (ProgramNames) -> Void = { _ in }
  var onEnd: () -> Void = {}
  private(set) lazy var placement: any EdgePlacement = PointerWindow { [weak self] in
    self?.pointer ?? (0, 0)
  }
  private let connection: OpaquePointer
  private let root: xcb_window_t
  private let firstFixesEvent: UInt8
  private var source: guint = 0
  private var polling: Timer?
  private var isDragging = false

  /// The time between two reads of the buttons during a drag.
  private static let pollInterval = Duration.milliseconds(50)

  /// Connects to the server of a display; nil if it is not an X display, or if the server has no
  /// XFixes.
  init?(on display: OpaquePointer) {
    guard shelf_x11_is_display(display) != 0,
      let connection = xcb_connect(gdk_display_get_name(display), nil)
    else { return nil }
    self.connection = connection
    guard xcb_connection_has_error(connection) == 0, let fixes = cxcb_fixes(connection),
      fixes.pointee.present != 0
    else {
      xcb_disconnect(connection)
      return nil
    }
    firstFixesEvent = fixes.pointee.first_event
    root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data.pointee.root
    free(
      xcb_xfixes_query_version_reply(connection, xcb_xfixes_query_version(connection, 5, 0), nil))
    let name = "XdndSelection"
    let cookie = xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
    let reply = xcb_intern_atom_reply(connection, cookie, nil)
    xcb_xfixes_select_selection_input(
      connection, root, reply?.pointee.atom ?? 0,
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue
        | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY.rawValue
        | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE.rawValue)
    free(reply)
    xcb_flush(connection)
    source = g_unix_fd_add(
      xcb_get_file_descriptor(connection), G_IO_IN,
      { _, _, data in held(data, as: XDragWatch.self)?.handleEvents() ?? false ? 1 : 0 },
      borrow(self))
  }

  isolated deinit {
    if source != 0 { g_source_remove(source) }
    xcb_disconnect(connection)
  }

  /// Handles all events; returns whether the server is still there.
  ///
  /// Replies may arrive together with events, and then the descriptor does not become readable
  /// again. So this is called after each reply.
  private func handleEvents() -> Bool {
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      guard event.pointee.response_type & 0x7F == firstFixesEvent else { continue }
      let change = UnsafeRawPointer(event).loadUnaligned(
        as: xcb_xfixes_selection_notify_event_t.self)
      let isSet =
        UInt32(change.subtype) == XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER.rawValue
      end()
      if isSet, change.owner != 0 { begin(by: change.owner) }
    }
    guard xcb_connection_has_error(connection) != 0 else { return true }
    source = 0
    end()
    return false
  }

  private func begin(by owner: xcb_window_t) {
    guard areButtonsDown else { return }
    let process = cxcb_process(connection, owner)
    // The shelf knows its own drags.
    guard process != UInt32(getpid()) else { return }
    isDragging = true
    poll()
    onBegin(process == 0 ? ProgramNames() : ProgramNames(ofProcess: process))
  }

  private func end() {
    polling?.cancel()
    guard isDragging else { return }
    isDragging = false
    onEnd()
  }

  private func poll() {
    polling = MainLoop.after(Self.pollInterval) { [weak self] in
      guard let self, isDragging else { return }
      if areButtonsDown { poll() } else { end() }
      _ = handleEvents()
    }
  }

  private var areButtonsDown: Bool {
    let buttons =
      XCB_BUTTON_MASK_1.rawValue | XCB_BUTTON_MASK_2.rawValue | XCB_BUTTON_MASK_3.rawValue
    return (state?.buttons ?? 0) & buttons != 0
  }

  /// The position of the pointer in pixels.
  private var pointer: (x: Int, y: Int)? { state.map { ($0.x, $0.y) } }

  private var state: (x: Int, y: Int, buttons: UInt32)? {
    guard
      let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil)
    else { return nil }
    defer { free(reply) }
    return (
      Int(reply.pointee.root_x), Int(reply.pointee.root_y), UInt32(reply.pointee.mask)
    )
  }
}
