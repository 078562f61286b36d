import CXcb
import DBus
import Files
import Glibc

/// The clipboard of an X display: the selection CLIPBOARD, or PRIMARY.
///
/// Source: the Inter-Client Communication Conventions Manual, section 2.
@ClipboardActor final class X11Backend: ClipboardBackend, SelectionProgress {
  /// The maximum number of targets that are read from an owner.
  private static let maxTargets = 1_024

  /// The time for which the window of a cancelled read still exists, and the maximum number of such
  /// windows.
  private static let retirement = Duration.seconds(60)
  private static let maxRetired = 64

  let name = "x11"
  let keepsPartOfContent = false
  let reportsProgram = true
  var focus: (any FocusSource)? { titles }
  private let titles: XFocus
  private let loop: EventLoop
  private let display: XClipboard
  /// The window that owns the clipboard when it is claimed.
  private let window: xcb_window_t
  /// The window with the property to which the owner writes.
  private var readWindow: xcb_window_t
  /// The windows of cancelled reads, oldest first.
  private var retired: [(window: xcb_window_t, timer: Timer)] = []
  private let server: XServer
  /// Pastes on this display; nil if the server lacks an extension.
  private let xPaster: XPaster?
  var paster: (any Paster)? { xPaster }
  private var report: (ClipboardEvent) -> Void = { _ in }
  /// The active read of the owner's targets or of a type.
  private var reading: XReading?
  private var owner: (window: xcb_window_t, time: xcb_timestamp_t) = (0, 0)
  /// A claim that waits for the current time of the server.
  private var pendingClaim: (names: [String], source: PasteHandler)?

  /// Connects to the display that the environment names.
  init(on loop: EventLoop, of selection: Selection = .clipboard) throws(BackendError) {
    self.loop = loop
    display = try XClipboard(selection)
    titles = XFocus(display)
    window = display.makeWindow()
    readWindow = display.makeWindow()
    server = XServer(display, on: loop)
    xPaster = XPaster(display, owning: window, on: loop)
    server.onRequest = { [xPaster] in xPaster?.noteRequest(by: $0) }
  }

  func start(_ report: @escaping (ClipboardEvent) -> Void) throws(BackendError) {
    self.report = report
    do throws(SystemError) {
      try loop.watch(xcb_get_file_descriptor(display.raw), for: .readable) { [unowned self] _ in
        handleEvents()
      }
    } catch { throw BackendError(description: "\(error)") }
    display.watchClipboard(for: window)
    handleEventsSoon()
  }

  var isSelecting: Bool { display.isSelecting }

  // MARK: Events

  /// Handles the events that arrived together with a reply, because the descriptor does not become
  /// readable for them.
  private func handleEventsSoon() {
    xcb_flush(display.raw)
    loop.schedule(after: .zero) { [weak self] in self?.handleEvents() }
  }

  private func handleEvents() {
    while let event = xcb_poll_for_event(display.raw) {
      handle(event)
      free(event)
    }
    if xcb_connection_has_error(display.raw) != 0 {
      stopReading()
      loop.unwatch(xcb_get_file_descriptor(display.raw))
      return report(.closed(BackendError(description: "the X display is gone")))
    }
    xcb_flush(display.raw)
  }

  /// Handles an event.
  ///
  /// Errors (type 0) are ignored, because they concern windows of programs that have exited.
  private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    func read<Event>(_: Event.Type) -> Event {
      UnsafeRawPointer(event).loadUnaligned(as: Event.self)
    }
    switch Int32(event.pointee.response_type & 0x7F) {
    case XCB_SELECTION_NOTIFY: reading?.notify(read(xcb_selection_notify_event_t.self))
    case XCB_SELECTION_REQUEST:
      let request = read(xcb_selection_request_event_t.self)
      server(of: request.selection)?.answer(request)
    case XCB_SELECTION_CLEAR:
      server(of: read(xcb_selection_clear_event_t.self).selection)?.source = nil
    case XCB_PROPERTY_NOTIFY: propertyChanged(read(xcb_property_notify_event_t.self))
    case XCB_DESTROY_NOTIFY: server.forget(read(xcb_destroy_notify_event_t.self).window)
    case Int32(display.firstFixesEvent):
      let change = read(xcb_xfixes_selection_notify_event_t.self)
      let isDeliberate =
        UInt32(change.subtype) == XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER.rawValue
      ownerChanged(to: change.owner, at: change.timestamp, isDeliberate: isDeliberate)
    default: break
    }
    xPaster?.handle(event)
  }

  private func server(of selection: xcb_atom_t) -> XServer? {
    selection == display.atoms.clipboard ? server : xPaster?.server
  }

  private func propertyChanged(_ event: xcb_property_notify_event_t) {
    titles.changed(event.atom, of: event.window)
    if event.window == window {
      guard UInt32(event.state) == XCB_PROPERTY_NEW_VALUE.rawValue,
        event.atom == display.atoms.data, let claim = pendingClaim
      else { return }
      pendingClaim = nil
      server.own(claim.names, claim.source, since: event.time)
      xcb_set_selection_owner(display.raw, window, display.atoms.clipboard, event.time)
      xPaster?.clipboardClaimed(at: event.time)
    } else if UInt32(event.state) == XCB_PROPERTY_DELETE.rawValue {
      server.advance(event.window, event.atom)
    } else {
      reading?.propertyChanged(event)
    }
  }

  // MARK: Reading

  private func ownerChanged(
    to newOwner: xcb_window_t, at time: xcb_timestamp_t, isDeliberate: Bool
  ) {
    stopReading()
    owner = (newOwner, time)
    guard newOwner != window else { return }
    guard newOwner != 0 else { return report(.emptied(isDeliberate: isDeliberate)) }
    // A pending claim would get a later time than the new owner's, and replace the newer copy.
    pendingClaim = nil
    xPaster?.clipboardTaken()
    if Int32(bitPattern: time &- server.time) > 0 { server.source = nil }
    titles.refresh()
    report(.changing)
    guard let buffer = try? CopyBuffer(limit: Self.maxTargets * 4) else { return }
    let program = display.program(of: newOwner)
    read(display.atoms.targets, into: buffer) { [unowned self] result in
      guard case .success = result, let bytes = try? buffer.bytes() else { return }
      let atoms = bytes.withUnsafeBytes { Array($0.bindMemory(to: xcb_atom_t.self)) }
      report(.changed(Offer(names: display.names(of: atoms), program: program)))
    }
  }

  func read(
    _ name: String, into buffer: CopyBuffer,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    read(display.atom(name), into: buffer, whenDone: completion)
  }

  private func read(
    _ target: xcb_atom_t, into buffer: CopyBuffer,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    reading = XReading(
      target, for: readWindow, at: owner.time, into: buffer, on: display
    ) { [unowned self] result in
      switch result {
      case .success, .failure(.refused): reading = nil
      case .failure: stopReading()
      }
      completion(result)
    }
    handleEventsSoon()
  }

  /// Calls `completion` at once.
  ///
  /// No check is needed: if an owner exits during a read, its property is never completed, so the
  /// read does not succeed.
  func confirm(_ completion: @escaping (Result<Void, ReadError>) -> Void) {
    completion(.success(()))
  }

  /// Cancels the read.
  ///
  /// Late answers go to the window of the cancelled read. The window still exists for some time,
  /// because many programs exit with an error if they write to a window that does not exist.
  func stopReading() {
    guard reading != nil else { return }
    reading = nil
    if retired.count == Self.maxRetired { destroyOldestWindow() }
    let timer = loop.schedule(after: Self.retirement) { [weak self] in self?.destroyOldestWindow() }
    retired.append((readWindow, timer))
    readWindow = display.makeWindow()
  }

  private func destroyOldestWindow() {
    let (window, timer) = retired.removeFirst()
    loop.cancel(timer)
    xcb_destroy_window(display.raw, window)
    xcb_flush(display.raw)
  }

  // MARK: Claiming

  /// Claims the clipboard at the current time of the server.
  ///
  /// The time comes with the event for a changed property.
  func claim(_ names: [String], from source: @escaping PasteHandler) {
    stopReading()
    pendingClaim = (names, source)
    display.set(
      display.atoms.data, of: window, to: [], type: UInt32(XCB_ATOM_INTEGER.rawValue))
    handleEventsSoon()
  }

  func release() {
    pendingClaim = nil
    xPaster?.release()
    guard server.source != nil else { return }
    server.source = nil
    // Use the time of the claim, so that the server ignores the request if there is a newer owner.
    xcb_set_selection_owner(display.raw, 0, display.atoms.clipboard, server.time)
    xcb_flush(display.raw)
  }
}
