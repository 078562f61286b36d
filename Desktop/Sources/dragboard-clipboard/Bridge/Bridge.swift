import ClipboardModel
import DBus
import DragboardClient

/// Stores every copy as a row of the board, and copies rows to the clipboard.
///
/// A copy is stored only if it was read completely.
@ClipboardActor final class Bridge {
  /// The maximum number of copies that wait for the daemon, and the maximum number of their bytes.
  private static let maxWaitingCopies = 16
  private static let maxWaitingBytes = 2 * ClipboardCopyPlan.maxByteCount
  /// The maximum number of pastes that wait for the daemon.
  private static let maxLoads = 64

  /// A row that has the content of the clipboard.
  private struct Content {
    let row: StoredRow
    let fingerprint: Fingerprint
    /// The number of the change of the clipboard that brought the content.
    var change: Int
    /// Whether the bridge has claimed the clipboard again to restore the content.
    var isRestored = false
  }

  private let loop: EventLoop
  private let board: ClipboardBoard
  private let backend: any ClipboardBackend
  private var reader: CopyReader?
  /// The task that stores the latest copy after all earlier copies.
  private var storing: Task<Void, Never>?
  private var waiting = (copies: 0, bytes: 0)
  /// The number of the latest change of the clipboard's owner.
  private var change = 0
  /// The number of the latest change whose content must not be stored, or was not read completely.
  ///
  /// When the owner of this content exits, this becomes the number of that change.
  private var ignoredChange = -1
  /// The latest change that left the clipboard without an owner.
  private var emptyChange = -1
  /// The names of the latest offer.
  private var names: [String] = []
  private var loadCount = 0
  /// The latest call that claims or empties the clipboard.
  private var latestCall: Task<Void, any Error>?
  /// The latest stored copy.
  private var latest: Content?
  private var pause: Pause?
  private let lock: ScreenLock
  private let settingsFile = SettingsFile()
  private(set) var settings: ClipboardSettings
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
    settings = try settingsFile.read()
    lock.onChange = { [unowned self] in notePause() }
    if settings.pausesWhileLocked { lock.watch() }
  }

  /// The name of the backend.
  var backendName: String { backend.name }

  /// Begins to store copies.
  func start() async throws(BackendError) {
    try await backend.start { [unowned self] event in handle(event) }
  }

  // MARK: Copies

  private func handle(_ event: ClipboardEvent) {
    if case .changed = event { reader?.confirmReplacedOwner() }
    // A copy that has not been read completely must not be stored. The display may now offer a part
    // of it.
    if reader != nil { ignorePresent() }
    change += 1
    switch event {
    case .changing: break
    case .changed(let offer): read(offer)
    case .present(let offer): ignore(offer)
    case .emptied(let isDeliberate):
      emptyChange = change
      if ignoredChange == change - 1 { ignoredChange = change }
      if !isDeliberate { restore() }
    case .closed(let error): Exit.now(.displayGone, "\(error)")
    }
  }

  private func stopReading() {
    reader?.cancel()
    reader = nil
  }

  private func read(_ offer: Offer) {
    // If the previous copy was ignored and its owner has exited, the display may now offer a part
    // of it without the mark of a secret.
    if backend.keepsPartOfContent, ignoredChange == change - 1, emptyChange == change - 1,
      KeptPart.isPart(offer.names, of: names)
    {
      return
    }
    guard let plan = plan(for: offer) else { return ignore(offer) }
    names = offer.names
    let change = change
    let reader = CopyReader(plan, of: offer.program.process, from: backend, on: loop) {
      [unowned self] result in finish(result, change)
    }
    self.reader = reader
    reader.start()
  }

  private func ignore(_ offer: Offer) { (ignoredChange, names) = (change, offer.names) }

  /// Ignores the content that is on the clipboard now, and cancels its read.
  private func ignorePresent() {
    ignoredChange = change
    stopReading()
  }

  /// Returns the requests for a copy; nil if the copy must not be read.
  ///
  /// The log contains no message about a secret.
  private func plan(for offer: Offer) -> ClipboardCopyPlan? {
    guard !isPaused,
      !settings.exclusions.match(offer.program, types: offer.names)
    else { return nil }
    return try? ClipboardCopyPlan(offering: offer.names)
  }

  private func finish(_ result: Result<Copy, ReadError>, _ change: Int) {
    reader = nil
    do {
      let copy = try result.get()
      // When GNOME locks the screen, it replaces the content by an empty text.
      if copy.isEmptyText { return ignoredChange = change }
      guard waiting.copies < Self.maxWaitingCopies,
        waiting.bytes + copy.byteCount <= Self.maxWaitingBytes
      else { throw ReadError.system("the daemon is too slow") }
      store(try copy.contents(), copy, change)
    } catch {
      ignoredChange = change
      writeError("a copy was not stored: \(error)")
    }
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
        latest = Content(
          row: try await board.store(contents, of: copy.application), fingerprint: fingerprint,
          change: change)
      } catch { writeError("a copy was not stored: \(error)") }
    }
  }

  /// Returns whether the latest row already has all content of a copy.
  ///
  /// After a copy, another clipboard manager may claim the clipboard with some types of the copy.
  private func repeatsLatest(
    _ fingerprint: Fingerprint, _ change: Int
  ) async throws(DragboardError) -> Bool {
    guard let latest, fingerprint.isContained(in: latest.fingerprint),
      try await latest.row.exists()
    else { return false }
    self.latest?.change = change
    if fingerprint == latest.fingerprint { self.latest?.isRestored = false }
    // The bridge claims the clipboard only once for each row. If it claimed the clipboard again and
    // again, the bridge and another program could claim it from each other forever.
    if backend.keepsPartOfContent, fingerprint != latest.fingerprint, change == self.change {
      claimLatest()
    }
    return true
  }

  // MARK: Pastes

  /// Claims the clipboard again after the owner of the content has exited.
  ///
  /// The latest change is the exit of the owner, so the latest row must belong to the change before
  /// it. If the row belongs to an earlier change, the last copy was ignored or not stored. Then
  /// nothing is restored.
  private func restore() {
    let end = change
    Task { [storing] in
      await storing?.value
      guard change == end, latest?.change == end - 1 else { return }
      latest?.change = end
      latest?.isRestored = false
      claimLatest()
    }
  }

  private func claimLatest() {
    guard let latest, !latest.isRestored else { return }
    self.latest?.isRestored = true
    do throws(BackendError) { try claim(latest.row) } catch {
      writeError("a copy was not restored: \(error)")
    }
  }

  /// Copies a row to the clipboard, after all earlier calls.
  ///
  /// A stored copy becomes the first row of the board again.
  func copy(_ item: ItemID, ofBoardAt path: String) async throws {
    try await inOrder { [self] in
      let row = try await board.row(item, ofBoardAt: path)
      try claim(row)
      latest = nil
      // This fails for a row whose position is locked, which is not an error.
      try? await board.moveToTop(row)
    }
  }

  /// Runs `body` after all earlier calls, because each of them waits for the daemon.
  private func inOrder(_ body: @escaping @ClipboardActor () async throws -> Void) async throws {
    let call = Task { [latestCall] in
      _ = await latestCall?.result
      try await body()
    }
    latestCall = call
    try await call.value
  }

  private func claim(_ row: StoredRow) throws(BackendError) {
    stopReading()
    let offers = TextTarget.offers(of: row.types)
    let types = Dictionary(offers.map { ($0.name, $0.type) }) { first, _ in first }
    try backend.claim(offers.map(\.name)) { [unowned self] name, completion in
      guard let type = types[name] else { return completion(nil) }
      load(type, of: row, completion)
    }
  }

  private func load(
    _ type: String, of row: StoredRow, _ completion: @escaping (ReceivedFile?) -> Void
  ) {
    guard loadCount < Self.maxLoads else { return completion(nil) }
    loadCount += 1
    Task {
      defer { loadCount -= 1 }
      do throws(DragboardError) { completion(try await row.file(as: type)) } catch {
        writeError("\(type) of row \(row.item) cannot be pasted: \(error)")
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
      // First store the copies that wait for the daemon, so that they are erased, too.
      await storing?.value
      latest = nil
      try await board.dragboard.clipboard.board().erase(includingPinned: includingPinned)
    }
  }
}
