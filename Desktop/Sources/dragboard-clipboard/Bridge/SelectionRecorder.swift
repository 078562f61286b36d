import ClipboardModel
import DBus
import DragboardClient
import Logging

/// Stores selected texts as rows of the board "selections", if the user wants this.
///
/// A program claims the primary selection while the user still selects. So a text is stored only
/// after the pointer button and the Shift key are released. If the display does not report them, a text
/// is stored after two equal reads. Only the latest selection is stored.
///
/// The recorder never claims the primary selection. Pauses, secrets and exclusions have the same
/// effect as for copies.
@ClipboardActor final class SelectionRecorder {
  /// The time between two looks at the pointer.
  private static let pollInterval = Duration.milliseconds(50)
  /// The time for which a text must not change.
  private static let settleTime = Duration.seconds(1)
  /// The maximum number of reads of a text that changes all the time.
  private static let maxReads = 60

  /// A selection that is not stored yet.
  private struct Waiting {
    let offer: Offer
    let plan: ClipboardCopyPlan
    /// The content of the previous read.
    var fingerprint: Fingerprint?
    var readCount = 0
  }

  private let bridge: Bridge
  private let loop: EventLoop
  private let board: ClipboardBoard
  private let makeBackend: () async -> (any ClipboardBackend)?
  private var backend: (any ClipboardBackend)?
  private var isOn = false
  /// The number of events, so that an answer about an earlier selection is ignored.
  private var eventCount = 0
  private var waiting: Waiting?
  private var timer: Timer?
  private var reader: CopyReader?
  /// The task that stores the latest selection after all earlier ones.
  private var storing: Task<Void, Never>?
  /// The content of the latest stored selection.
  private var stored: Fingerprint?

  /// Creates a recorder that is off.
  ///
  /// `makeBackend` connects to the primary selection; nil if the display does not report it.
  init(
    _ bridge: Bridge, on loop: EventLoop, storingOn board: ClipboardBoard,
    _ makeBackend: @escaping () async -> (any ClipboardBackend)?
  ) {
    (self.bridge, self.loop, self.board, self.makeBackend) = (bridge, loop, board, makeBackend)
  }

  /// Whether the display may report selected text.
  var isPossible: Bool { bridge.backendName != "mutter" }

  /// Turns the recorder on or off, as the settings say.
  func apply() async {
    isOn = bridge.settings.storesSelections
    if !isOn { forget() }
    guard isOn, backend == nil else { return }
    guard let backend = await makeBackend() else {
      return log.warning("selected text is not stored: the display reports it to no program")
    }
    guard self.backend == nil else { return }
    self.backend = backend
    do throws(BackendError) {
      try await backend.start { [unowned self] in handle($0) }
    } catch { log.warning("selected text is not stored: \(error)") }
  }

  private func forget() {
    if let timer { loop.cancel(timer) }
    reader?.cancel()
    (waiting, timer, reader) = (nil, nil, nil)
  }

  private func handle(_ event: ClipboardEvent) {
    forget()
    eventCount += 1
    // A paste claims the selection for a row. The bridge exits if the display is gone.
    guard case .changed(let offer) = event, isOn, bridge.paster?.ownsPrimary != true, let backend,
      let plan = bridge.plan(for: offer)
    else { return }
    guard let focus = backend.focus else { return wait(for: Waiting(offer: offer, plan: plan)) }
    let number = eventCount
    focus.windowsOfCopy { [unowned self] windows in
      guard number == eventCount, case .success(let windows) = windows,
        !bridge.settings.exclusions.match(windows)
      else { return }
      wait(for: Waiting(offer: offer, plan: plan))
    }
  }

  private func wait(for waiting: Waiting) {
    self.waiting = waiting
    let reportsPointer = backend is any SelectionProgress
    timer = loop.schedule(after: reportsPointer ? Self.pollInterval : Self.settleTime) {
      [unowned self] in check()
    }
  }

  private func check() {
    guard let waiting, let backend else { return }
    if let progress = backend as? any SelectionProgress, progress.isSelecting {
      return wait(for: waiting)
    }
    guard isOn, !bridge.isPaused else { return forget() }
    let reader = CopyReader(
      waiting.plan, of: waiting.offer.program.process, from: backend, unless: { _ in false },
      on: loop
    ) { [unowned self] in finish($0) }
    self.reader = reader
    reader.start()
  }

  private func finish(_ result: Result<Copy, ReadError>) {
    reader = nil
    guard var waiting, let copy = try? result.get(), !copy.isEmptyText else { return forget() }
    let fingerprint = copy.fingerprint
    if !(backend is any SelectionProgress), fingerprint != waiting.fingerprint {
      guard waiting.readCount < Self.maxReads else { return forget() }
      waiting.fingerprint = fingerprint
      waiting.readCount += 1
      return wait(for: waiting)
    }
    forget()
    guard fingerprint != stored else { return }
    stored = fingerprint
    store(copy)
  }

  private func store(_ copy: Copy) {
    let application = copy.application
    guard let contents = try? copy.contents() else { return }
    storing = Task { [storing] in
      await storing?.value
      do throws(DragboardError) {
        _ = try await board.store(contents, of: application)
      } catch { log.warning("a selected text was not stored: \(error)") }
    }
  }
}
