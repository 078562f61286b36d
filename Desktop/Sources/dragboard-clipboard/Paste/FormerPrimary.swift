import CXcb
import ClipboardModel
import DBus
import DragboardClient
import Files
import Glibc

/// The text that the selection PRIMARY has before a paste.
@ClipboardActor final class FormerPrimary {
  private static let maxByteCount = 1 << 20
  private static let timeout = Duration.seconds(2)
  /// The time for which the window of a read still exists, because its owner may answer late.
  private static let retirement = Duration.seconds(60)

  private let display: XClipboard
  private let loop: EventLoop
  private let selection = xcb_atom_t(XCB_ATOM_PRIMARY.rawValue)
  private var reading: XReading?
  private var window: xcb_window_t = 0
  private var timer: Timer?
  /// The text; nil if there was none, or if it was not read.
  private(set) var text: ReceivedFile?

  init(_ display: XClipboard, on loop: EventLoop) { (self.display, self.loop) = (display, loop) }

  /// Starts to read the text of the present owner.
  ///
  /// A selection with the mark of a secret is not read.
  func read() {
    stop()
    text = nil
    guard display.owner(of: selection) != 0 else { return }
    let window = display.makeWindow()
    self.window = window
    timer = loop.schedule(after: Self.timeout) { [weak self] in self?.stop() }
    loop.schedule(after: Self.retirement) { [display] in
      xcb_destroy_window(display.raw, window)
      xcb_flush(display.raw)
    }
    read(display.atoms.targets) { [unowned self] buffer in
      let atoms = try buffer.bytes().withUnsafeBytes { Array($0.bindMemory(to: xcb_atom_t.self)) }
      guard let plan = try? ClipboardCopyPlan(offering: display.names(of: atoms)),
        let request = plan.requests.first(where: \.isText)
      else { return stop() }
      read(display.atom(request.name)) { [unowned self] buffer in
        let copy = fcntl(buffer.file.number, F_DUPFD_CLOEXEC, 0)
        if copy >= 0 { text = ReceivedFile(adopting: copy) }
        stop()
      }
    }
  }

  /// Ends the read.
  ///
  /// The text is then unknown, unless it was read completely.
  func stop() {
    reading = nil
    if let timer { loop.cancel(timer) }
    timer = nil
  }

  private func read(_ target: xcb_atom_t, _ then: @escaping (CopyBuffer) throws -> Void) {
    guard let buffer = try? CopyBuffer(limit: Self.maxByteCount) else { return stop() }
    reading = XReading(target, of: selection, for: window, at: 0, into: buffer, on: display) {
      [unowned self] result in
      reading = nil
      do {
        try result.get()
        try then(buffer)
      } catch { stop() }
    }
    xcb_flush(display.raw)
  }

  /// Handles the owner's answer.
  func notify(_ event: xcb_selection_notify_event_t) { reading?.notify(event) }

  /// Handles a new increment.
  func propertyChanged(_ event: xcb_property_notify_event_t) { reading?.propertyChanged(event) }
}
