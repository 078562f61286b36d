import ClipboardModel
import DBus
import struct DragModel.MIMEType
import DragboardClient
import Logging

/// Stores every copy as a row of the board, and copies rows to the clipboard.
///
/// A copy is stored only if it was read completely.
@ClipboardActor final class Bridge {
  /// The maximum number of copies that wait for the daemon, and the maximum number of their bytes.
  private static let maxWaitingCopies = 16
  private static let maxWaitingBytes = 2 * ClipboardCopyPlan.maxByteCount
  /// The maximum number of pastes that wait for the daemon.
  private static let maxLoads = 64
  /// The delay until the content of an owner that has exited is claimed.
  private static let restoreDelay = Duration.milliseconds(200)

  private let loop: EventLoop
  /// The timer of the next claim after the exit of an owner.
  private var restoration: Timer?
  private let board: ClipboardBoard
  private let backend: any ClipboardBackend
  private var reader: CopyReader?
  /// The task that stores the latest copy after all earlier copies.
  private var storing: Task<Void, Never>?
  private var waiting = (copies: 0, bytes: 0)
  private var state: ClipboardState<StoredRow>
  private var loadCount = 0
  /// Whether the bridge owns the clipboard.
  private var isOwner = false
  /// The latest call that claims or empties the clipboard.
  private var latestCall: Task<Void, Never>?
  private var pause: Pause?
  private let lock: ScreenLock
  private let settingsFile = SettingsFile()
  private(set) var settings: ClipboardSettings
  /// The programs of the latest copies, if the display reports them.
  private var recentPrograms = RecentApplications()
  /// Called when the pause or the settings have changed.
  var onStateChange: () -> Void = {}

  /// A pause of the recording.
  struct Pause {
    /// The timer that ends the pause; nil if it lasts until `resume`.
    let timer: Timer?
  }

  /// Creates a bridge that does not store copies yet.
  ///
  /// - Throws: `SettingsFile.Failure` if the settings cannot be read.
  init(
    _ backend: any ClipboardBackend, storingOn board: ClipboardBoard, _ lock: ScreenLock,
    loop: EventLoop
  ) throws(SettingsFile.Failure) {
    (self.backend, self.board, self.lock, self.loop) = (backend, board, lock, loop)
    state = ClipboardState(keepsPart: backend.keepsPartOfContent)
    settings = try settingsFile.read()
    lock.onChange = { [unowned self] in notePause() }
    if settings.pausesWhileLocked { lock.watch() }
  }

  /// Whether the bridge neither reads, stores nor offers a content.
  var isAtRest: Bool {
    reader == nil && waiting.copies == 0 && !isOwner && restoration == nil
  }

  /// The name of the backend.
  var backendName: String { backend.name }
  /// The means by which the application of a copy is known; "" if there is none.
  var applicationReports: String { backend.focus?.name ?? "" }
  /// The applications that have copied or had the focus lately, the latest first.
  var recentApplications: [String] {
    let focused = backend.reportsProgram ? nil : backend.focus?.recentApplications
    return (focused ?? recentPrograms).names
  }

  /// Begins to store copies.
  func start() async throws(BackendError) {
    try await backend.start { [unowned self] event in handle(event) }
  }

  // MARK: Copies

  private func handle(_ event: ClipboardEvent) {
    if case .changed = event { reader?.confirmReplacedOwner() }
    stopReading()
    isOwner = false
    switch event {
    case .changing: state.handle(.changing)
    case .changed(let offer):
      let plan = plan(for: offer)
      let action = state.handle(.changed(offer.names, isReadable: plan != nil))
      if case .read(let change) = action, let plan { read(offer, plan, change) }
    case .present(let offer): state.handle(.changed(offer.names, isReadable: false))
    case .emptied(let isDeliberate):
      if case .restore(let change) = state.handle(.emptied(isDeliberate: isDeliberate)) {
        restore(after: change)
      }
    case .closed(let error): Exit.now(.displayGone, "\(error)")
    }
  }

  private func stopReading() {
    reader?.cancel()
    reader = nil
  }

  private func read(_ offer: Offer, _ plan: ClipboardCopyPlan, _ change: Int) {
    let reader = CopyReader(
      plan, of: offer.program.process, from: backend,
      unless: { [unowned self] in settings.exclusions.match($0) }, on: loop
    ) { [unowned self] result in finish(result, change) }
    self.reader = reader
    reader.start()
  }

  /// Ignores the content that is on the clipboard now, and cancels its read.
  private func ignorePresent() {
    state.handle(.refused)
    stopReading()
  }

  /// Returns the requests for a copy; nil if the copy must not be read.
  ///
  /// The log contains no message about a secret.
  func plan(for offer: Offer) -> ClipboardCopyPlan? {
    recentPrograms.note(offer.program.process)
    guard !isPaused,
      !settings.exclusions.match(offer.program, types: offer.names)
    else { return nil }
    return try? ClipboardCopyPlan(offering: offer.names)
  }

  private func finish(_ result: Result<Copy, ReadError>, _ change: Int) {
    reader = nil
    var isComplete = false
    do {
      let copy = try result.get()
      // When GNOME locks the screen, it replaces the content by an empty text.
      if !copy.isEmptyText {
        guard waiting.copies < Self.maxWaitingCopies,
          waiting.bytes + copy.byteCount <= Self.maxWaitingBytes
        else { throw ReadError.system("the daemon is too slow") }
        store(try copy.contents(), copy, change)
        isComplete = true
      }
    } catch ReadError.excluded {
    } catch { log.warning("a copy was not stored: \(error)") }
    state.handle(.read(isComplete: isComplete))
  }

  /// Stores a copy after all earlier copies.
  private func store(
    _ contents: [(type: ContentType, content: RowBytes)], _ copy: Copy, _ change: Int
  ) {
    let (fingerprint, byteCount) = (copy.fingerprint, copy.byteCount)
    waiting = (waiting.copies + 1, waiting.bytes + byteCount)
    storing = Task { [storing] in
      await storing?.value
      defer { waiting = (waiting.copies - 1, waiting.bytes - byteCount) }
      do throws(DragboardError) {
        if try await repeatsLatest(fingerprint, change) { return }
        let row = try await board.store(contents, of: copy.application)
        state.didStore(row, fingerprint, of: change)
      } catch { log.warning("a copy was not stored: \(error)") }
    }
  }

  /// Returns whether the latest row already has all content of a copy.
  private func repeatsLatest(
    _ fingerprint: Fingerprint, _ change: Int
  ) async throws(DragboardError) -> Bool {
    guard let row = state.row(containing: fingerprint), try await row.exists() else { return false }
    claimAgain(state.didRepeat(fingerprint, in: change))
    return true
  }

  // MARK: Pastes

  /// Claims the clipboard again after the owner of the content has exited.
  ///
  /// On Wayland, a program of GTK 3 empties the clipboard before each copy. A claim at once would
  /// replace this copy.
  private func restore(after change: Int) {
    if let restoration { loop.cancel(restoration) }
    restoration = loop.schedule(after: Self.restoreDelay) { [unowned self] in
      restoration = nil
      Task { [storing] in
        await storing?.value
        claimAgain(state.restore(after: change))
      }
    }
  }

  private func claimAgain(_ row: StoredRow?) {
    guard let row else { return }
    do throws(BackendError) { try claim(row) } catch {
      log.warning("a copy was not restored: \(error)")
    }
  }

  /// Copies a row to the clipboard, after all earlier calls.
  ///
  /// A stored copy becomes the first row of the board again.
  func copy(_ item: ItemID, ofBoardAt path: String) async throws {
    try await inOrder { [self] in
      let row = try await board.row(item, ofBoardAt: path)
      try await claim(offer(of: row), of: row) {}
    }
  }

  /// Runs `body` after all earlier calls, because each of them waits for the daemon.
  func inOrder<Result: Sendable>(
    _ body: @escaping @ClipboardActor () async throws -> Result
  ) async throws -> Result {
    let call = Task { [latestCall] in
      await latestCall?.value
      return try await body()
    }
    latestCall = Task { _ = await call.result }
    return try await call.value
  }

  private func claim(_ row: StoredRow) throws(BackendError) { try claim(offer(of: row)) }

  /// Claims the clipboard.
  private func claim(_ offer: RowOffer) throws(BackendError) {
    stopReading()
    state.handle(.claimed)
    try backend.claim(offer.names, from: offer.source)
    isOwner = true
  }

  /// Returns the offer of a row, with a text that was already read.
  func offer(of row: StoredRow, text: ReceivedFile? = nil) -> RowOffer {
    let offers = TextTarget.offers(of: row.types)
    let types = Dictionary(offers.map { ($0.name, $0.type) }) { first, _ in first }
    return RowOffer(names: offers.map(\.name)) { [unowned self] name, completion in
      guard let type = types[name] else { return completion(nil) }
      if let text, type == MIMEType.plainText.mime { return completion(text) }
      load(type, of: row, completion)
    }
  }

  /// The way to paste on this display; nil if there is none.
  var paster: (any Paster)? { backend.paster }

  /// Returns a row of any board.
  func row(_ item: ItemID, ofBoardAt path: String) async throws(DragboardError) -> StoredRow {
    try await board.row(item, ofBoardAt: path)
  }

  /// Claims the clipboard for a row of a board, and then runs `body`; afterwards, the row becomes the
  /// first one.
  func claim<Result>(
    _ offer: RowOffer, of row: StoredRow, then body: () async throws -> Result
  ) async throws -> Result {
    try claim(offer)
    state.forgetStored()
    let result = try await body()
    // This fails for a row whose position is locked, which is not an error.
    try? await board.moveToTop(row)
    return result
  }

  private func load(
    _ type: String, of row: StoredRow, _ completion: @escaping (ReceivedFile?) -> Void
  ) {
    guard loadCount < Self.maxLoads else { return completion(nil) }
    loadCount += 1
    Task {
      defer { loadCount -= 1 }
      do throws(DragboardError) { completion(try await row.file(as: type)) } catch {
        log.warning("\(type) of row \(row.item) cannot be pasted: \(error)")
        completion(nil)
      }
    }
  }

  // MARK: Control

  /// Whether the bridge stores no copies at present.
  var isPaused: Bool { pause != nil || settings.pausesWhileLocked && lock.isLocked }

  /// Stops storing copies for a time; if it is nil, until `resume`.
  func pause(for time: Duration?) {
    endPause()
    let timer = time.map { loop.schedule(after: $0) { [unowned self] in resume() } }
    pause = Pause(timer: timer)
    notePause()
  }

  /// Starts storing copies again, unless the screen is locked.
  func resume() {
    endPause()
    notePause()
  }

  private func endPause() {
    if let timer = pause?.timer { loop.cancel(timer) }
    pause = nil
  }

  private func notePause() {
    // Also ignore a copy that is being read.
    if isPaused, reader != nil { ignorePresent() }
    onStateChange()
  }

  /// Replaces the settings, and saves them for later starts.
  func set(_ settings: ClipboardSettings) throws(SettingsFile.Failure) {
    try settingsFile.write(settings)
    self.settings = settings
    if settings.pausesWhileLocked { lock.watch() }
    notePause()
  }

  /// Erases the rows of the board, and empties the clipboard if the bridge owns it.
  func clear(includingPinned: Bool) async throws {
    try await inOrder { [self] in
      ignorePresent()
      backend.release()
      isOwner = false
      // First store the copies that wait for the daemon, so that they are erased, too.
      await storing?.value
      state.forgetStored()
      try await board.dragboard.clipboard.board().erase(includingPinned: includingPinned)
    }
  }
}
