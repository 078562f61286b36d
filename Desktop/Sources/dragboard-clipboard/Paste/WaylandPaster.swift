import CDataControl
import ClipboardModel
import DBus
import DragboardClient
import Files
import Glibc

/// Pasting on a Wayland compositor with a data-control protocol, by a keyboard that the desktop provides.
///
/// On compositors of wlroots, the focus and the selections are reported on the connection of the keyboard, in the
/// compositor's order. KWin reports the focus on the bus.
///
/// The focus can change between the last report and the keys, for example because the window closes.
/// So the primary selection, which most terminals paste, is empty if no terminal may get the row.
@ClipboardActor final class WaylandPaster: Paster {
  private static let focusTimeout = Duration.seconds(1)
  /// The time that a window with the focus needs until its shortcuts work.
  ///
  /// Qt regards a window as active only after a request to the compositor has been answered. A key that
  /// arrives before reaches the widget with the focus, but triggers no action. In Konsole, Shift+Insert then
  /// writes an escape sequence into the terminal.
  private static let settleTime = Duration.milliseconds(50)
  /// The time after the last request of the row until the primary selection is restored.
  private static let restoreDelay = Duration.seconds(2)
  /// The time after which the selection is restored even if there are further requests, and after
  /// which a program that has requested nothing keeps the row.
  private static let maxReadTime = Duration.seconds(10)
  /// The maximum size of a text that the primary selection gets back, and the time to read it.
  private static let maxFormerBytes = 1 << 20
  private static let formerTimeout = Duration.seconds(2)

  /// A paste that waits for the focus.
  private struct Attempt {
    let keys: PasteKeys
    let target: PasteTarget
    /// Whether the primary selection has the row.
    let isForTerminals: Bool
    let timer: Timer
    /// Runs until the shortcuts of the window work.
    var settling: Timer?
    /// Whether the compositor has handled the claims, and has reported the focus.
    var isClaimed = false
    /// Whether the keys are being pressed.
    var isPressing = false
    let completion: (Result<Void, PasteFailure>) -> Void
  }

  /// A primary selection that is going to be restored.
  private struct Restoring {
    /// Whether the program with the pasted row is expected to read the primary selection.
    let readsPrimary: Bool
    let end: ContinuousClock.Instant
    var timer: Timer
  }

  private let control: OpaquePointer
  /// The keyboard; nil if the desktop has none.
  private let keyboard: (any PasteKeyboard)?
  private let focus: FocusWatch?
  private let loop: EventLoop
  private let writings: PipeWritings
  /// Calls a function when the compositor has handled all earlier requests and has reported the focus; with
  /// false if the focus is not reported.
  private let synchronize: (@escaping (Bool) -> Void) -> Void
  private let ownsClipboard: () -> Bool
  private var attempt: Attempt?
  /// The bytes of the claimed primary selection; nil if another program owns it.
  private var source: PasteHandler?
  /// The offer of another program.
  private var offer: OpaquePointer?
  private var formerText: ReceivedFile?
  private var formerReading: PipeReading?
  private var formerTimer: Timer?
  private var restoring: Restoring?

  var ownsPrimary: Bool { source != nil }
  var means: String { keyboard?.means ?? "" }
  var permission: (any KeyboardPermission)? { keyboard?.permission }

  /// Creates the paster of a connection.
  ///
  /// - Parameters:
  ///   - control: the connection.
  ///   - keyboard: the keyboard; nil if the desktop has none.
  ///   - focus: the reported focus; nil if the compositor reports none.
  ///   - loop: the loop.
  ///   - synchronize: calls its argument when the compositor has handled all earlier requests and has reported
  ///     the focus.
  ///   - ownsClipboard: returns whether the bridge owns the clipboard.
  init(
    _ control: OpaquePointer, _ keyboard: (any PasteKeyboard)?, _ focus: FocusWatch?,
    on loop: EventLoop, synchronize: @escaping (@escaping (Bool) -> Void) -> Void,
    ownsClipboard: @escaping () -> Bool
  ) {
    (self.control, self.keyboard, self.focus, self.loop) = (control, keyboard, focus, loop)
    (self.synchronize, self.ownsClipboard) = (synchronize, ownsClipboard)
    writings = PipeWritings(on: loop)
    focus?.onChange = { [unowned self] in advance() }
  }

  // MARK: Events

  /// Handles an event about the primary selection.
  func handle(_ event: data_control_event) {
    switch event.kind {
    case DATA_CONTROL_PRIMARY_OFFERED: offered(event.offer)
    case DATA_CONTROL_PRIMARY_REQUESTED:
      let (name, pipe) = (String(cString: event.name), FileDescriptor(adopting: event.fd))
      free(event.name)
      noteRequest(ofPrimary: true)
      source?(name) { [writings] file in
        if let file { writings.write(file, to: pipe) { _ in } }
      }
    case DATA_CONTROL_PRIMARY_LOST: source = nil
    default: break
    }
  }

  private func offered(_ newer: OpaquePointer?) {
    if let offer { data_offer_destroy(offer) }
    offer = newer
    if source == nil { stopReading() }
  }

  // MARK: Preparation

  func prepare() async throws(PasteObstacle) -> PasteTarget {
    guard keyboard != nil, data_control_watch_primary(control) else { throw .unsupported }
    permission?.restore()
    // The compositor now reports the owner of the primary selection.
    let isReported = await withCheckedContinuation { continuation in
      synchronize { continuation.resume(returning: $0) }
    }
    if source == nil { readFormer() }
    guard isReported else { throw .noWindow }
    guard let focus else { return PasteTarget(window: "", program: ProgramNames()) }
    guard let window = focus.focused else { throw .noWindow }
    return PasteTarget(
      window: window.id, program: ProgramNames(applicationID: window.application))
  }

  func mayReachTerminal(with keys: PasteKeys, for target: PasteTarget) -> Bool {
    target.mayBeTerminal
      || focus?.openPrograms.contains { program in
        Terminal.mayBe(program)
          && (keys == .controlShiftV || !Terminal.pastesSelection(program))
      } == true
  }

  /// Starts to read the text of the primary selection, unless it has the mark of a secret.
  private func readFormer() {
    stopReading()
    formerText = nil
    guard let offer else { return }
    let names = (0..<data_offer_count(offer)).map { String(cString: data_offer_name(offer, $0)) }
    var ends: [Int32] = [-1, -1]
    guard let request = try? ClipboardCopyPlan(offering: names).requests.first(where: \.isText),
      let buffer = try? CopyBuffer(limit: Self.maxFormerBytes), data_control_pipe(&ends) == 0
    else { return }
    let (input, output) = (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
    data_offer_receive(offer, request.name, output.number)
    _ = data_control_flush(control)
    formerTimer = loop.schedule(after: Self.formerTimeout) { [weak self] in self?.stopReading() }
    formerReading = PipeReading(input, into: buffer, on: loop) { [weak self] result in
      guard let self else { return }
      if case .success = result {
        let copy = fcntl(buffer.file.number, F_DUPFD_CLOEXEC, 0)
        if copy >= 0 { formerText = ReceivedFile(adopting: copy) }
      }
      stopReading()
    }
  }

  private func stopReading() {
    formerReading?.cancel()
    formerReading = nil
    if let formerTimer { loop.cancel(formerTimer) }
    formerTimer = nil
  }

  // MARK: Pasting

  func paste(
    _ offer: RowOffer, with keys: PasteKeys, into target: PasteTarget
  ) async throws(PasteFailure) {
    stopReading()
    stopRestoring()
    claim(offer.isForTerminals ? offer : RowOffer(names: []) { _, done in done(nil) })
    let result = await withCheckedContinuation { continuation in
      let timer = loop.schedule(after: Self.focusTimeout) { [unowned self] in advance(isLast: true)
      }
      attempt = Attempt(
        keys: keys, target: target, isForTerminals: offer.isForTerminals, timer: timer
      ) { continuation.resume(returning: $0) }
      synchronize { [weak self] isReported in
        self?.attempt?.isClaimed = isReported
        self?.advance(isLast: !isReported)
      }
    }
    try result.get()
  }

  private func claim(_ offer: RowOffer) {
    source = offer.source
    let names = offer.names.map { strdup($0) }
    defer { for name in names { free(name) } }
    data_control_claim_primary(control, names.map { $0.map { UnsafePointer($0) } }, names.count)
    _ = data_control_flush(control)
  }

  private func advance(isLast: Bool = false) {
    guard let attempt, !attempt.isPressing, attempt.isClaimed || isLast else { return }
    if let failure = failure(of: attempt) {
      // The focus may still arrive.
      if failure != .copied(.focusElsewhere) || isLast { finish(attempt, failure) }
      return
    }
    guard let keyboard else { return finish(attempt, .copied(.unsupported)) }
    if let focus, PasteRule.isAction(in: attempt.target.program) {
      let rest = Self.settleTime - (.now - focus.lastFocused)
      if rest > .zero { return settle(for: rest) }
    }
    self.attempt?.isPressing = true
    keyboard.press(attempt.keys, unless: { [weak self] in self?.failure(of: attempt) }) {
      [weak self] in self?.finish(attempt, $0)
    }
  }

  private func settle(for time: Duration) {
    if let timer = attempt?.settling { loop.cancel(timer) }
    attempt?.settling = loop.schedule(after: time) { [weak self] in
      self?.attempt?.settling = nil
      self?.advance()
    }
  }

  /// Returns the reason why the keys must not be pressed now; nil if there is none.
  private func failure(of attempt: Attempt) -> PasteFailure? {
    guard ownsClipboard() else { return .clipboardTaken }
    guard source != nil else { return .copied(.primaryTaken) }
    guard attempt.isClaimed else { return .copied(.refused) }
    if let focus, focus.focused?.id != attempt.target.window { return .copied(.focusElsewhere) }
    return nil
  }

  private func finish(_ attempt: Attempt, _ failure: PasteFailure?) {
    if let timer = self.attempt?.settling { loop.cancel(timer) }
    self.attempt = nil
    loop.cancel(attempt.timer)
    if failure != nil {
      restore()
    } else {
      let target = attempt.target
      let timer = loop.schedule(after: Self.maxReadTime) { [weak self] in
        self?.stopRestoring()
        if !attempt.isForTerminals { self?.restore() }
      }
      restoring = Restoring(
        readsPrimary: attempt.isForTerminals
          && (target.mayBeTerminal || Terminal.pastesSelection(target.program)),
        end: .now + Self.maxReadTime, timer: timer)
    }
    attempt.completion(failure.map { .failure($0) } ?? .success(()))
  }

  // MARK: Restoring the primary selection

  private func stopRestoring() {
    if let timer = restoring?.timer { loop.cancel(timer) }
    restoring = nil
  }

  /// Schedules the restoration after a request of the row.
  ///
  /// The compositor does not say which program requests it. So only a request for the selection that
  /// the program pastes counts.
  func noteRequest(ofPrimary isPrimary: Bool) {
    guard let restoring, restoring.readsPrimary == isPrimary else { return }
    loop.cancel(restoring.timer)
    let delay = min(Self.restoreDelay, max(.zero, restoring.end - .now))
    self.restoring?.timer = loop.schedule(after: delay) { [weak self] in
      guard let self else { return }
      self.restoring = nil
      restore()
    }
  }

  /// Offers the former text again, or empties the primary selection, unless another program has
  /// claimed it.
  private func restore() {
    guard source != nil else { return }
    if let text = formerText {
      claim(RowOffer(names: TextTarget.offered) { _, completion in completion(text) })
    } else {
      release()
    }
  }

  /// Empties the primary selection if the bridge owns it.
  func release() {
    guard source != nil else { return }
    source = nil
    data_control_release_primary(control)
    _ = data_control_flush(control)
  }
}
