import CXcb
import DBus
import DragboardClient

/// The answers to programs that paste from a claimed clipboard.
@ClipboardActor final class XServer {
  /// The maximum number of bytes of a property.
  ///
  /// Longer contents are sent in increments.
  private static let maxPropertyBytes = 64 << 10
  /// The maximum number of simultaneous transfers in increments.
  private static let maxTransfers = 64
  /// The time after which a transfer is cancelled if the program does not take the next increment.
  private static let timeout = Duration.seconds(30)

  private struct Key: Hashable {
    let window: xcb_window_t
    let property: xcb_atom_t
  }

  /// A transfer of a content in increments.
  private final class Transfer {
    let file: ReceivedFile
    let type: xcb_atom_t
    var offset = 0
    var timer: Timer?
    /// Whether the empty property has been sent, which ends the transfer.
    var isAtEnd = false

    init(_ file: ReceivedFile, _ type: xcb_atom_t) { (self.file, self.type) = (file, type) }
  }

  private let display: XClipboard
  private let loop: EventLoop
  /// The bytes of the claimed clipboard; nil if another program owns the clipboard.
  var source: PasteHandler?
  private var names: [String] = []
  /// The time of the claim.
  private(set) var time: xcb_timestamp_t = 0
  private var transfers: [Key: Transfer] = [:]
  /// Called when a program requests a type, with its window.
  var onRequest: (xcb_window_t) -> Void = { _ in }

  init(_ display: XClipboard, on loop: EventLoop) { (self.display, self.loop) = (display, loop) }

  /// Starts to answer requests for these types.
  func own(
    _ names: [String], _ source: @escaping PasteHandler, since time: xcb_timestamp_t
  ) {
    (self.names, self.source, self.time) = (names, source, time)
  }

  // MARK: Requests

  /// Answers a request, at once or when the bytes have been read.
  func answer(_ request: xcb_selection_request_event_t) {
    // Old clients do not name a property; the protocol then requires the name of the target.
    let property = request.property == 0 ? request.target : request.property
    let atoms = display.atoms
    guard source != nil else { return display.answer(request, with: 0) }
    switch request.target {
    case atoms.targets:
      let targets = [atoms.targets, atoms.timestamp] + names.map { display.atom($0) }
      display.set(
        property, of: request.requestor, to: targets, type: UInt32(XCB_ATOM_ATOM.rawValue))
      display.answer(request, with: property)
    case atoms.timestamp:
      display.set(
        property, of: request.requestor, to: [time], type: UInt32(XCB_ATOM_INTEGER.rawValue))
      display.answer(request, with: property)
    default: answerWithBytes(request, property)
    }
  }

  private func answerWithBytes(
    _ request: xcb_selection_request_event_t, _ property: xcb_atom_t
  ) {
    guard let source, transfers.count < Self.maxTransfers,
      let name = display.names(of: [request.target]).first, names.contains(name)
    else { return display.answer(request, with: 0) }
    onRequest(request.requestor)
    source(name) { [weak self] file in
      guard let self else { return }
      if let file {
        // For TEXT, the owner chooses the encoding.
        let type = name == "TEXT" ? display.atom("UTF8_STRING") : request.target
        send(file, type, request, property)
      } else {
        display.answer(request, with: 0)
      }
      xcb_flush(display.raw)
    }
  }

  private func send(
    _ file: ReceivedFile, _ type: xcb_atom_t, _ request: xcb_selection_request_event_t,
    _ property: xcb_atom_t
  ) {
    let window = request.requestor
    guard let count = try? file.byteCount else { return display.answer(request, with: 0) }
    guard count > Self.maxPropertyBytes else {
      let bytes = (try? file.bytes()) ?? []
      bytes.withUnsafeBytes { display.set(property, of: window, to: $0, type: type) }
      return display.answer(request, with: property)
    }
    let key = Key(window: window, property: property)
    end(key)
    let transfer = Transfer(file, type)
    transfers[key] = transfer
    schedule(transfer, key)
    display.watch(window)
    display.set(
      property, of: window, to: [UInt32(clamping: count)], type: display.atoms.increments)
    display.answer(request, with: property)
  }

  // MARK: Increments

  /// Sends the next increment.
  ///
  /// The program has requested it by deleting the property.
  func advance(_ window: xcb_window_t, _ property: xcb_atom_t) {
    let key = Key(window: window, property: property)
    guard let transfer = transfers[key] else { return }
    guard !transfer.isAtEnd else { return end(key) }
    withUnsafeTemporaryAllocation(byteCount: Self.maxPropertyBytes, alignment: 16) { piece in
      guard let count = try? transfer.file.read(from: transfer.offset, into: piece) else {
        return end(key)
      }
      transfer.offset += count
      transfer.isAtEnd = count == 0
      display.set(
        property, of: window, to: UnsafeRawBufferPointer(rebasing: piece[..<count]),
        type: transfer.type)
      schedule(transfer, key)
    }
  }

  /// Ends the transfers to a window that no longer exists.
  func forget(_ window: xcb_window_t) {
    for key in transfers.keys where key.window == window { end(key) }
  }

  private func schedule(_ transfer: Transfer, _ key: Key) {
    if let timer = transfer.timer { loop.cancel(timer) }
    transfer.timer = loop.schedule(after: Self.timeout) { [weak self] in self?.end(key) }
  }

  private func end(_ key: Key) {
    guard let transfer = transfers.removeValue(forKey: key) else { return }
    if let timer = transfer.timer { loop.cancel(timer) }
  }

}
