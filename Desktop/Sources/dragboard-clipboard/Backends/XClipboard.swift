import CXcb
import ClipboardModel
import Files
import Glibc

/// The requests to an X server that a clipboard needs: atoms, properties and the selection.
///
/// All calls of libxcb are here, and their replies are freed here. The connection exists until the
/// process exits.
@ClipboardActor final class XClipboard {
  /// The atoms that the protocol of selections uses.
  struct Atoms {
    let clipboard, targets, timestamp, increments, data, primaryTime, state, active: xcb_atom_t
  }

  let raw: OpaquePointer
  let root: xcb_window_t
  let atoms: Atoms
  /// The opcode of XFixes's first event.
  let firstFixesEvent: UInt8
  private var names = AtomNames()

  /// Connects to the display that the environment names.
  init(_ selection: Selection) throws(BackendError) {
    guard let raw = xcb_connect(nil, nil) else { throw BackendError(description: "out of memory") }
    guard xcb_connection_has_error(raw) == 0 else {
      xcb_disconnect(raw)
      throw BackendError(description: "the X display cannot be opened")
    }
    self.raw = raw
    root = xcb_setup_roots_iterator(xcb_get_setup(raw)).data.pointee.root
    guard let fixes = cxcb_fixes(raw), fixes.pointee.present != 0 else {
      xcb_disconnect(raw)
      throw BackendError(description: "the X server has no extension XFIXES")
    }
    firstFixesEvent = fixes.pointee.first_event
    free(xcb_xfixes_query_version_reply(raw, xcb_xfixes_query_version(raw, 5, 0), nil))
    func atom(_ name: String) -> xcb_atom_t { Self.atom(name, on: raw) }
    atoms = Atoms(
      clipboard: atom(selection.rawValue), targets: atom("TARGETS"),
      timestamp: atom("TIMESTAMP"), increments: atom("INCR"), data: atom("DRAGBOARD_DATA"),
      primaryTime: atom("DRAGBOARD_PRIMARY"), state: atom("WM_STATE"),
      active: atom("_NET_ACTIVE_WINDOW"))
  }

  /// Creates a window that is never shown.
  func makeWindow() -> xcb_window_t {
    let window = xcb_generate_id(raw)
    var mask = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    xcb_create_window(
      raw, 0, window, root, -10, -10, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0,
      XCB_CW_EVENT_MASK.rawValue, &mask)
    return window
  }

  // MARK: Atoms

  /// Returns the atom of a name.
  func atom(_ name: String) -> xcb_atom_t { Self.atom(name, on: raw) }

  private static func atom(_ name: String, on raw: OpaquePointer) -> xcb_atom_t {
    let cookie = xcb_intern_atom(raw, 0, UInt16(clamping: name.utf8.count), name)
    guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return 0 }
    defer { free(reply) }
    return reply.pointee.atom
  }

  /// Returns the names of atoms in order; omits invalid atoms and names that are too long.
  func names(of atoms: [xcb_atom_t]) -> [String] {
    names.names(of: atoms) { unknown in
      // Send all requests before the first reply is read.
      let cookies = unknown.map { xcb_get_atom_name(raw, $0) }
      return cookies.map { cookie in
        guard let reply = xcb_get_atom_name_reply(raw, cookie, nil) else { return nil }
        defer { free(reply) }
        let bytes = UnsafeRawBufferPointer(
          start: xcb_get_atom_name_name(reply), count: Int(xcb_get_atom_name_name_length(reply)))
        // One byte more than is allowed shows that the name is too long.
        return [UInt8](bytes.prefix(AtomNames.maxNameBytes + 1))
      }
    }
  }

  // MARK: Properties

  /// The type and the size of a property.
  struct Property {
    let type: xcb_atom_t
    let byteCount: Int
  }

  /// Returns the type and the size of a property; nil if it does not exist.
  func property(_ name: xcb_atom_t, of window: xcb_window_t) -> Property? {
    let cookie = xcb_get_property(raw, 0, window, name, 0, 0, 0)
    guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return nil }
    defer { free(reply) }
    guard reply.pointee.type != 0 else { return nil }
    return Property(type: reply.pointee.type, byteCount: Int(reply.pointee.bytes_after))
  }

  /// Passes the bytes of a property to `body` in pieces, and deletes the property.
  ///
  /// - Returns: the number of bytes; nil if the property does not exist.
  func take(
    _ name: xcb_atom_t, of window: xcb_window_t,
    _ body: (UnsafeRawBufferPointer) throws(ReadError) -> Void
  ) throws(ReadError) -> Int? {
    let pieceSize = 1 << 20
    var count = 0
    while true {
      let cookie = xcb_get_property(
        raw, 1, window, name, 0, UInt32(count / 4), UInt32(pieceSize / 4))
      guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return nil }
      defer { free(reply) }
      guard reply.pointee.type != 0 else { return nil }
      let size = Int(xcb_get_property_value_length(reply))
      try body(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: size))
      count += size
      // The request for the last byte also deletes the property.
      guard reply.pointee.bytes_after > 0, size > 0 else { return count }
    }
  }

  /// Deletes a property.
  func delete(_ name: xcb_atom_t, of window: xcb_window_t) {
    xcb_delete_property(raw, window, name)
  }

  /// Sets a property to bytes.
  func set(
    _ name: xcb_atom_t, of window: xcb_window_t, to bytes: UnsafeRawBufferPointer,
    type: xcb_atom_t
  ) {
    xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 8, UInt32(bytes.count),
      bytes.baseAddress)
  }

  /// Sets a property to numbers of 32 bits.
  func set(
    _ name: xcb_atom_t, of window: xcb_window_t, to numbers: [UInt32], type: xcb_atom_t
  ) {
    xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 32, UInt32(numbers.count),
      numbers)
  }

  // MARK: Windows

  /// Requests the events of a window of another program: of its properties, its focus and its end.
  ///
  /// Several parts of the bridge may follow the same window, and the server has one set of events for
  /// all of them. So all parts request the same events, and none withdraws them.
  func watch(_ window: xcb_window_t) {
    var events =
      XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
      | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue
    xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, &events)
  }

  /// Returns the part of a window's id that all windows of its client share.
  func client(of window: xcb_window_t) -> UInt32 {
    window & ~xcb_get_setup(raw).pointee.resource_id_mask
  }

  /// Returns the window that owns a selection; 0 if there is none.
  func owner(of selection: xcb_atom_t) -> xcb_window_t {
    let cookie = xcb_get_selection_owner(raw, selection)
    guard let reply = xcb_get_selection_owner_reply(raw, cookie, nil) else { return 0 }
    defer { free(reply) }
    return reply.pointee.owner
  }

  // MARK: The selection

  /// Whether a button of the pointer or a Shift key is pressed.
  var isSelecting: Bool {
    guard let reply = xcb_query_pointer_reply(raw, xcb_query_pointer(raw, root), nil) else {
      return false
    }
    defer { free(reply) }
    let pressed =
      XCB_KEY_BUT_MASK_BUTTON_1.rawValue | XCB_KEY_BUT_MASK_BUTTON_2.rawValue
      | XCB_KEY_BUT_MASK_BUTTON_3.rawValue | XCB_KEY_BUT_MASK_SHIFT.rawValue
    return UInt32(reply.pointee.mask) & pressed != 0
  }

  /// Requests the events of the clipboard, and waits until the server has enabled them.
  func watchClipboard(for window: xcb_window_t) {
    let events =
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE.rawValue
    xcb_xfixes_select_selection_input(raw, window, atoms.clipboard, events)
    // The server performs requests in order, so a reply to this request means that the earlier ones
    // have been performed.
    _ = property(atoms.data, of: window)
  }

  /// Sends a program the answer to its request for the selection.
  func answer(_ request: xcb_selection_request_event_t, with property: xcb_atom_t) {
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    event.time = request.time
    event.requestor = request.requestor
    event.selection = request.selection
    event.target = request.target
    event.property = property
    // xcb_send_event always reads 32 bytes.
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 4) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      withUnsafeBytes(of: event) { bytes.copyMemory(from: $0) }
      xcb_send_event(raw, 0, request.requestor, 0, bytes.baseAddress)
    }
  }

  /// Returns the names of the program that owns a window; none if it is unknown.
  func program(of window: xcb_window_t) -> ProgramNames {
    let process = cxcb_process(raw, window)
    return process == 0 ? ProgramNames() : ProgramNames(ofProcess: process)
  }
}
