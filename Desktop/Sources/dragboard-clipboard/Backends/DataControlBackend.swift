import CDataControl
import ClipboardModel
import DBus
import DragboardClient
import Files
import Glibc

/// The clipboard of a Wayland compositor that has a data-control protocol.
@ClipboardActor final class DataControlBackend: ClipboardBackend {
  let name: String
  let keepsPartOfContent = false
  let reportsProgram = false
  /// The focus: that of the compositor's own protocol, or of another source that knows it.
  var focus: (any FocusSource)?
  /// The focus, if the compositor reports it on this connection.
  let focusWatch: FocusWatch?
  var paster: (any Paster)? { waylandPaster }
  private lazy var waylandPaster = makePaster()
  private let loop: EventLoop
  private let control: OpaquePointer
  private let writings: PipeWritings
  private var report: (ClipboardEvent) -> Void = { _ in }
  private var offer: OpaquePointer?
  private var reading: PipeReading?
  /// The completions that wait for the compositor, the oldest first.
  private var confirmations: [(Result<Void, ReadError>) -> Void] = []
  /// The bytes of the claimed clipboard; nil if another program owns the clipboard.
  ///
  /// While this is set, offers are ignored, because the compositor also reports the bridge's own
  /// claim as an offer.
  private var source: PasteHandler?

  /// Connects to the compositor that the environment names; nil if there is none, or if it supports
  /// no data-control protocol, or not for this selection.
  init?(on loop: EventLoop, of selection: Selection = .clipboard) {
    guard let control = data_control_connect(selection == .primary) else { return nil }
    self.loop = loop
    self.control = control
    name = String(cString: data_control_protocol(control))
    focusWatch = data_control_reports_focus(control) ? FocusWatch("foreign-toplevel") : nil
    focus = focusWatch
    writings = PipeWritings(on: loop)
  }

  /// Makes the paster when the focus is known.
  private func makePaster() -> WaylandPaster {
    // Without a report of the focus, the portal's keys could reach another window than the user means.
    let kwin = focus as? KWinFocus
    let keyboard: (any PasteKeyboard)? =
      VirtualKeyboard(on: control) ?? kwin.map { _ in PortalKeyboard(on: loop) }
    return WaylandPaster(
      control, keyboard, focusWatch ?? kwin?.watch, on: loop,
      synchronize: { [unowned self] completion in
        synchronize { [unowned self] _ in
          if let focus { focus.settle(completion) } else { completion(true) }
        }
      },
      ownsClipboard: { [unowned self] in source != nil })
  }

  func start(_ report: @escaping (ClipboardEvent) -> Void) throws(BackendError) {
    self.report = report
    do throws(SystemError) {
      try loop.watch(data_control_fd(control), for: .readable) { [unowned self] _ in
        handleEvents()
      }
    } catch { throw BackendError(description: "\(error)") }
    try dropPresentContent()
  }

  /// Discards the event that reports the content that is on the clipboard at the start.
  private func dropPresentContent() throws(BackendError) {
    while case let event = data_control_next(control), event.kind != DATA_CONTROL_NONE {
      switch event.kind {
      case DATA_CONTROL_WINDOW: windowChanged(event)
      case DATA_CONTROL_SELECTED:
        if let offer { data_offer_destroy(offer) }
        offer = event.offer
      default: throw BackendError(description: "the compositor is gone")
      }
    }
  }

  private func handleEvents() {
    while case let event = data_control_next(control), event.kind != DATA_CONTROL_NONE {
      switch event.kind {
      case DATA_CONTROL_SELECTED: selected(event.offer)
      case DATA_CONTROL_REQUESTED:
        requested(String(cString: event.name), FileDescriptor(adopting: event.fd))
        free(event.name)
      case DATA_CONTROL_LOST: source = nil
      case DATA_CONTROL_SYNCHRONIZED: confirmations.removeFirst()(.success(()))
      case DATA_CONTROL_WINDOW: windowChanged(event)
      case DATA_CONTROL_PRIMARY_OFFERED, DATA_CONTROL_PRIMARY_REQUESTED, DATA_CONTROL_PRIMARY_LOST:
        waylandPaster.handle(event)
      default: return close("the compositor is gone")
      }
    }
  }

  private func windowChanged(_ event: data_control_event) {
    let window = FocusedWindow(
      id: "\(event.window)", application: String(cString: event.name),
      title: String(cString: event.title))
    free(event.name)
    free(event.title)
    focusWatch?.handle(window, isFocused: event.is_focused, isOpen: event.is_open)
  }

  private func close(_ reason: String) {
    stopReading()
    loop.unwatch(data_control_fd(control))
    report(.closed(BackendError(description: reason)))
  }

  private func flush() {
    if !data_control_flush(control) { close("the compositor is gone") }
  }

  // MARK: Reading

  private func selected(_ newer: OpaquePointer?) {
    if let offer { data_offer_destroy(offer) }
    offer = newer
    guard source == nil else { return }
    stopReading()
    guard let newer else { return report(.emptied(isDeliberate: false)) }
    let names = (0..<data_offer_count(newer)).map { String(cString: data_offer_name(newer, $0)) }
    report(.changed(Offer(names: names)))
  }

  func read(
    _ name: String, into buffer: CopyBuffer,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    guard let offer else { return completion(.failure(.refused)) }
    var ends: [Int32] = [-1, -1]
    guard data_control_pipe(&ends) == 0 else {
      return completion(.failure(.system("\(SystemError("pipe2"))")))
    }
    let (input, output) = (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
    data_offer_receive(offer, name, output.number)
    flush()
    reading = PipeReading(input, into: buffer, on: loop) { [weak self] result in
      self?.reading = nil
      completion(result)
    }
  }

  func confirm(_ completion: @escaping (Result<Void, ReadError>) -> Void) {
    loop.schedule(after: PipeReading.exitTime) { [unowned self] in synchronize(completion) }
  }

  private func synchronize(_ completion: @escaping (Result<Void, ReadError>) -> Void) {
    confirmations.append(completion)
    data_control_synchronize(control)
    flush()
  }

  func stopReading() {
    reading?.cancel()
    reading = nil
  }

  // MARK: Claiming

  func claim(_ names: [String], from source: @escaping PasteHandler) {
    stopReading()
    self.source = source
    data_control_begin_claim(control)
    for name in names { data_control_offer(control, name) }
    data_control_claim(control)
    flush()
  }

  func release() {
    source = nil
    waylandPaster.release()
    data_control_release(control)
    flush()
  }

  private func requested(_ name: String, _ pipe: FileDescriptor) {
    guard let source else { return }
    waylandPaster.noteRequest(ofPrimary: false)
    source(name) { [writings] file in
      if let file { writings.write(file, to: pipe) { _ in } }
    }
  }
}
