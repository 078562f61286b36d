import CXcb
import ClipboardModel
import DBus
import DragboardClient
import Files
import Glibc

/// Pasting on X11: the keys of the extension XTEST, and the selection PRIMARY.
///
/// The server is grabbed while the selections, the focus and the keyboard are checked and the keys
/// are pressed. So nothing can change between the check and the keys.
@ClipboardActor final class XPaster: Paster {
  /// The time in which the remembered window must get the focus.
  private static let focusTimeout = Duration.seconds(1)
  /// The delay until held keys are checked again, because no event reports their release here.
  private static let heldKeysInterval = Duration.milliseconds(20)
  /// The time after the last request of the program until PRIMARY is restored, and the time after
  /// which a program that requests nothing keeps the row.
  private static let restoreDelay = Duration.milliseconds(500)
  private static let maxReadTime = Duration.seconds(10)

  /// A paste that waits for the focus.
  private struct Attempt {
    let offer: RowOffer
    let keys: PasteKeys
    let target: xcb_window_t
    let timer: Timer
    /// Whether both selections were claimed.
    var isClaimed = false
    let completion: (Result<Void, PasteFailure>) -> Void
  }

  /// A paste whose keys were pressed, until PRIMARY is restored.
  private struct Pasted {
    /// The target's client: the part of its windows' ids that all windows of a client share.
    let client: UInt32
    var timer: Timer
  }

  private let display: XClipboard
  private let keyboard: XKeyboard
  private let loop: EventLoop
  /// The window that owns both selections when they are claimed.
  private let window: xcb_window_t
  private let selection = xcb_atom_t(XCB_ATOM_PRIMARY.rawValue)
  /// The answers to requests for PRIMARY.
  let server: XServer
  private var attempt: Attempt?
  private var pasted: Pasted?
  /// The text that PRIMARY had before.
  private let former: FormerPrimary

  let means = "xtest"
  var ownsPrimary: Bool { server.source != nil }

  /// Creates the paster of a display; nil if the server lacks XTEST.
  init?(_ display: XClipboard, owning window: xcb_window_t, on loop: EventLoop) {
    guard cxcb_has_test(display.raw) else { return nil }
    (self.display, self.window, self.loop) = (display, window, loop)
    keyboard = XKeyboard(display)
    server = XServer(display, on: loop)
    former = FormerPrimary(display, on: loop)
    server.onRequest = { [unowned self] in noteRequest(by: $0) }
  }

  // MARK: Preparation

  func prepare() async throws(PasteObstacle) -> PasteTarget {
    defer { xcb_flush(display.raw) }
    if server.source == nil { former.read() }
    let focus = keyboard.focus()
    guard let client = keyboard.client(of: focus) else { throw .noWindow }
    for window in [client, focus] { display.watch(window) }
    let process = cxcb_process(display.raw, client)
    return PasteTarget(
      window: "\(client)",
      program: process == 0 ? ProgramNames() : ProgramNames(ofProcess: process),
      isTerminal: ProgramNames.holdsTerminal(process))
  }

  // MARK: Events

  /// Handles an event of the display.
  func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    func read<Event>(_: Event.Type) -> Event {
      UnsafeRawPointer(event).loadUnaligned(as: Event.self)
    }
    switch Int32(event.pointee.response_type & 0x7F) {
    case XCB_FOCUS_IN, XCB_FOCUS_OUT: advance()
    case XCB_SELECTION_NOTIFY: former.notify(read(xcb_selection_notify_event_t.self))
    case XCB_PROPERTY_NOTIFY: propertyChanged(read(xcb_property_notify_event_t.self))
    case XCB_DESTROY_NOTIFY:
      let window = read(xcb_destroy_notify_event_t.self).window
      server.forget(window)
      if window == attempt?.target { finish(.failure(.copied(.windowGone))) }
    default: break
    }
  }

  private func propertyChanged(_ event: xcb_property_notify_event_t) {
    if event.window == window {
      if event.atom == display.atoms.primaryTime { claimFormer(at: event.time) }
    } else if event.window == display.root {
      if event.atom == display.atoms.active { advance() }
    } else if UInt32(event.state) == XCB_PROPERTY_DELETE.rawValue {
      server.advance(event.window, event.atom)
    } else {
      former.propertyChanged(event)
    }
  }

  // MARK: Pasting

  func paste(
    _ offer: RowOffer, with keys: PasteKeys, into target: PasteTarget
  ) async throws(PasteFailure) {
    finish(.failure(.copied(.focusElsewhere)))
    endRestoring()
    former.stop()
    let result = await withCheckedContinuation { continuation in
      let timer = loop.schedule(after: Self.focusTimeout) { [unowned self] in advance(isLast: true)
      }
      attempt = Attempt(
        offer: offer, keys: keys, target: xcb_window_t(target.window) ?? 0, timer: timer
      ) { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  /// Claims PRIMARY for the row, at the time at which the backend has claimed the clipboard.
  func clipboardClaimed(at time: xcb_timestamp_t) {
    guard let attempt else { return }
    self.attempt?.isClaimed = true
    own(attempt.offer, since: time)
    advance()
  }

  /// Ends a paste that waits, because another program has claimed the clipboard.
  func clipboardTaken() { finish(.failure(.clipboardTaken)) }

  private func own(_ offer: RowOffer, since time: xcb_timestamp_t) {
    server.own(offer.names, offer.source, since: time)
    xcb_set_selection_owner(display.raw, window, selection, time)
  }

  /// Presses the keys if nothing prevents this; at the last try, gives up otherwise.
  func advance(isLast: Bool = false) {
    guard let attempt else { return }
    switch press(attempt) {
    case nil:
      finish(.success(()))
      startRestoring(attempt)
    case .clipboardTaken: finish(.failure(.clipboardTaken))
    case .copied(let obstacle):
      // Another owner of PRIMARY stays. Everything else can still change.
      if isLast || [.primaryTaken, .noKey].contains(obstacle) {
        finish(.failure(.copied(obstacle)))
      } else if obstacle == .keysHeld {
        loop.schedule(after: Self.heldKeysInterval) { [weak self] in self?.advance() }
      }
    }
  }

  private func finish(_ result: Result<Void, PasteFailure>) {
    guard let attempt else { return }
    self.attempt = nil
    loop.cancel(attempt.timer)
    if case .failure = result { restore() }
    xcb_flush(display.raw)
    attempt.completion(result)
  }

  /// Presses the keys; returns the obstacle if there is one.
  private func press(_ attempt: Attempt) -> PasteFailure? {
    guard attempt.isClaimed else { return .copied(.refused) }
    xcb_grab_server(display.raw)
    defer {
      xcb_ungrab_server(display.raw)
      xcb_flush(display.raw)
    }
    guard display.owner(of: display.atoms.clipboard) == window else { return .clipboardTaken }
    guard display.owner(of: selection) == window else { return .copied(.primaryTaken) }
    guard keyboard.client(of: keyboard.focus()) == attempt.target else {
      return .copied(.focusElsewhere)
    }
    keyboard.releaseHeldKeys()
    guard !keyboard.hasModifiers(besidesShift: attempt.keys.hasShift) else {
      return .copied(.keysHeld)
    }
    // This comes last, because it makes events of the focus, which would begin the next try.
    guard keyboard.isFree() else { return .copied(.keyboardGrabbed) }
    return keyboard.press(attempt.keys) ? nil : .copied(.noKey)
  }

  // MARK: Restoring PRIMARY

  private func startRestoring(_ attempt: Attempt) {
    let timer = loop.schedule(after: Self.maxReadTime) { [weak self] in self?.endRestoring() }
    pasted = Pasted(client: display.client(of: attempt.target), timer: timer)
  }

  private func endRestoring() {
    if let timer = pasted?.timer { loop.cancel(timer) }
    pasted = nil
  }

  /// Schedules the restoration after a request of the target's program for either selection.
  ///
  /// Other programs, such as clipboard managers, request the selections, too.
  func noteRequest(by requestor: xcb_window_t) {
    guard let pasted, display.client(of: requestor) == pasted.client else { return }
    loop.cancel(pasted.timer)
    self.pasted?.timer = loop.schedule(after: Self.restoreDelay) { [weak self] in
      guard let self else { return }
      self.pasted = nil
      restore()
    }
  }

  /// Offers the former text of PRIMARY again, or empties PRIMARY, unless another program has claimed it.
  private func restore() {
    guard server.source != nil else { return }
    if former.text != nil {
      // The event of this property has the time of the server.
      display.set(
        display.atoms.primaryTime, of: window, to: [], type: UInt32(XCB_ATOM_INTEGER.rawValue))
    } else {
      release()
    }
    xcb_flush(display.raw)
  }

  private func claimFormer(at time: xcb_timestamp_t) {
    guard server.source != nil, attempt == nil, let text = former.text else { return }
    own(RowOffer(names: TextTarget.offered) { _, completion in completion(text) }, since: time)
    xcb_flush(display.raw)
  }

  /// Empties PRIMARY if the bridge owns it.
  func release() {
    guard server.source != nil else { return }
    server.source = nil
    xcb_set_selection_owner(display.raw, 0, selection, server.time)
  }
}
