import ClipboardModel
import DBus
import DragboardClient
import Files

/// The clipboard of GNOME: Mutter's remote desktop service, without an active remote desktop.
///
/// Source: `data/dbus-interfaces/org.gnome.Mutter.RemoteDesktop.xml` of Mutter.
@ClipboardActor final class MutterBackend: ClipboardBackend {
  private enum Service {
    static let busName: BusName = "org.gnome.Mutter.RemoteDesktop"
    static let path: ObjectPath = "/org/gnome/Mutter/RemoteDesktop"
    static let createSession = MethodDeclaration<Arguments<>, Arguments<ObjectPath>>(
      "org.gnome.Mutter.RemoteDesktop", "CreateSession", out: "session_path")
    static let version = PropertyDeclaration<Int32>("org.gnome.Mutter.RemoteDesktop", "Version")
  }

  private enum Session {
    static let name: InterfaceName = "org.gnome.Mutter.RemoteDesktop.Session"
    static let stop = MethodDeclaration<Arguments<>, Arguments<>>(name, "Stop")
    static let enableClipboard = MethodDeclaration<Arguments<[String: Variant]>, Arguments<>>(
      name, "EnableClipboard", in: "options")
    static let setSelection = MethodDeclaration<Arguments<[String: Variant]>, Arguments<>>(
      name, "SetSelection", in: "options")
    static let selectionRead = MethodDeclaration<Arguments<String>, Arguments<FileDescriptor>>(
      name, "SelectionRead", in: "mime_type", out: "fd")
    static let selectionWrite = MethodDeclaration<Arguments<UInt32>, Arguments<FileDescriptor>>(
      name, "SelectionWrite", in: "serial", out: "fd")
    static let selectionWriteDone = MethodDeclaration<Arguments<UInt32, Bool>, Arguments<>>(
      name, "SelectionWriteDone", in: "serial", "success")
    static let selectionOwnerChanged = SignalDeclaration<Arguments<[String: Variant]>>(
      name, "SelectionOwnerChanged", "options")
    static let selectionTransfer = SignalDeclaration<Arguments<String, UInt32>>(
      name, "SelectionTransfer", "mime_type", "serial")
    static let closed = SignalDeclaration<Arguments<>>(name, "Closed")
  }

  /// The delay between attempts to open a session.
  private static let retryInterval = Duration.seconds(5)
  private static let readRetryInterval = Duration.milliseconds(20)
  /// The errors of a read during another read: of Mutter before version 51, and of later versions.
  ///
  /// The second error is GLib's name for `G_IO_ERROR_FAILED`, so it can have other reasons, too.
  private static let parallelReadErrors: [ErrorName] = [
    .limitsExceeded, "org.gtk.GDBus.UnmappedGError.Quark._g_2dio_2derror_2dquark.Code0",
  ]
  /// The maximum number of names that are read: one more than a copy may have, so that the bridge
  /// detects too many names.
  private static let maxNames = ClipboardCopyPlan.maxNames + 1

  let name = "mutter"
  let keepsPartOfContent = true
  let reportsProgram = false
  var focus: (any FocusSource)? { shellFocus }
  private let shellFocus: ShellFocus
  var paster: (any Paster)? { shellPaster }
  private lazy var shellPaster = ShellPaster(
    bus, isEnabled: { [unowned self] in shellFocus.name != nil },
    ownsClipboard: { [unowned self] in await untilClaimed() })
  private let bus: Connection
  private let writings: PipeWritings
  private var report: (ClipboardEvent) -> Void = { _ in }
  private var session: ObjectPath?
  /// Whether the session reports changes.
  ///
  /// Reports before that concern the content that is on the clipboard at the start.
  private var isEnabled = false
  private var subscriptions: [Subscription] = []
  /// The timer of the next attempt to open a session.
  private var retry: Timer?
  private var reading: PipeReading?
  /// The number of the latest read.
  ///
  /// Answers to earlier reads are ignored.
  private var readNumber = 0
  private var source: PasteHandler?
  /// The number of claims without an answer.
  ///
  /// Before Mutter answers a claim, it may report an earlier owner. Such a report does not end the
  /// claim.
  private var pendingClaims = 0
  /// The functions that wait for the answers to all claims.
  private var claimWaiters: [() -> Void] = []

  /// Returns whether the service is on the bus.
  static func isAvailable(on bus: Connection) async throws(DBusError) -> Bool {
    try await bus.call(
      BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, Service.busName.text)
  }

  /// The number of bytes after which a type may be cut off.
  ///
  /// Mutter makes the owner's end of the pipe nonblocking, and programs of Qt 5 stop writing when
  /// the pipe is full.
  private static let cutCount = 64 << 10
  private static let cutError = ReadError.system("GNOME delivers only the first 64 KiB of a type")

  /// Creates a client of the service.
  init(_ bus: Connection) {
    self.bus = bus
    shellFocus = ShellFocus(bus)
    writings = PipeWritings(on: bus.loop)
  }

  func start(_ report: @escaping (ClipboardEvent) -> Void) async throws(BackendError) {
    self.report = report
    bus.names.watchOwner(of: Service.busName) { [unowned self] owner in
      if owner == nil { self.report(.closed(BackendError(description: "Mutter is gone"))) }
    }
    await shellFocus.find()
    await openSession()
  }

  // MARK: The session

  /// Opens a session.
  ///
  /// If Mutter grants no session, for example while the screen is locked, tries again later.
  private func openSession() async {
    do throws(DBusError) {
      let path = try await bus.call(Service.createSession, at: Service.path, of: Service.busName)
      session = path
      subscribe(to: path)
      await enableClipboard(of: path)
    } catch { closeSession() }
  }

  /// Enables the reports of a session; closes the session if this fails.
  private func enableClipboard(of path: ObjectPath) async {
    await withCheckedContinuation { continuation in
      bus.call(Session.enableClipboard, at: path, of: Service.busName, [:]) {
        [unowned self] result in
        // Set `isEnabled` here and not in the task, because the next message may be a change.
        if session == path {
          if case .success = result { isEnabled = true } else { closeSession() }
        }
        continuation.resume()
      }
    }
  }

  private func subscribe(to path: ObjectPath) {
    let bus = bus
    subscriptions = [
      bus.subscribe(to: Session.selectionOwnerChanged, from: path, of: Service.busName) {
        [unowned self] in ownerChanged($0)
      },
      bus.subscribe(to: Session.selectionTransfer, from: path, of: Service.busName) {
        [unowned self] in transfer($0, $1)
      },
      bus.subscribe(to: Session.closed, from: path, of: Service.busName) { [unowned self] in
        closeSession()
      },
    ]
  }

  /// Ends the session, if any, and schedules the next attempt.
  private func closeSession() {
    guard retry == nil else { return }
    stopReading()
    for subscription in subscriptions { bus.unsubscribe(subscription) }
    // Also stop a session that was never enabled. Otherwise it would exist until the bridge exits.
    if let session { bus.call(Session.stop, at: session, of: Service.busName) { _ in } }
    (subscriptions, session, isEnabled, source) = ([], nil, false, nil)
    // Without a session, the clipboard can change unnoticed.
    report(.changing)
    retry = bus.loop.schedule(after: Self.retryInterval) { [unowned self] in
      retry = nil
      Task { await openSession() }
    }
  }

  // MARK: Reading

  private func ownerChanged(_ options: [String: Variant]) {
    stopReading()
    guard options["session-is-owner"]?.value != .boolean(true) else { return }
    let names = Self.names(in: options["mime-types"]?.value)
    guard isEnabled else { return report(.present(Offer(names: names))) }
    if pendingClaims == 0 { source = nil }
    if names.isEmpty {
      report(.emptied(isDeliberate: false))
    } else {
      report(.changed(Offer(names: names)))
    }
  }

  /// Returns the strings of an array in a structure.
  private static func names(in value: Value?) -> [String] {
    guard case .structure(let members) = value, case .array(_, let elements) = members.first else {
      return []
    }
    return elements.prefix(maxNames).compactMap {
      if case .string(let name) = $0 { name } else { nil }
    }
  }

  func read(
    _ name: String, into buffer: CopyBuffer,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    guard let session else { return completion(.failure(.refused)) }
    readNumber += 1
    let number = readNumber
    bus.call(Session.selectionRead, at: session, of: Service.busName, name) { [weak self] result in
      guard let self, number == readNumber else { return }
      switch result {
      case .success(let pipe):
        reading = PipeReading(pipe, into: buffer, on: bus.loop) { [weak self] result in
          self?.reading = nil
          completion(buffer.count == Self.cutCount ? .failure(Self.cutError) : result)
        }
      case .failure(let error) where Self.parallelReadErrors.contains(error.name):
        // An earlier read, which was cancelled, has not ended yet. Mutter allows one read at a
        // time, so try again later. The reader cancels the whole copy at the deadline of the type.
        bus.loop.schedule(after: Self.readRetryInterval) { [weak self] in
          guard let self, number == readNumber else { return }
          read(name, into: buffer, whenDone: completion)
        }
      // Mutter reports a new owner before it refuses a type of the earlier one. So it has lost a type
      // of the present owner.
      case .failure(let error):
        completion(.failure(.system("GNOME does not deliver one of its types: \(error.message)")))
      }
    }
  }

  /// Reads a property of Mutter.
  ///
  /// Before Mutter answers, it reports all exits that it has noticed.
  func confirm(_ completion: @escaping (Result<Void, ReadError>) -> Void) {
    bus.loop.schedule(after: PipeReading.exitTime) { [bus] in
      Task {
        do throws(DBusError) {
          _ = try await bus.get(Service.version, at: Service.path, of: Service.busName)
          completion(.success(()))
        } catch { completion(.failure(.refused)) }
      }
    }
  }

  func stopReading() {
    readNumber += 1
    reading?.cancel()
    reading = nil
  }

  // MARK: Claiming

  func claim(_ names: [String], from source: @escaping PasteHandler) throws(BackendError) {
    guard let session, isEnabled else {
      throw BackendError(description: "GNOME grants no access to the clipboard at present")
    }
    stopReading()
    self.source = source
    let names = names.map { Value.string($0) }
    let options = ["mime-types": Variant(.array(of: String.signature, names))]
    pendingClaims += 1
    bus.call(Session.setSelection, at: session, of: Service.busName, options) {
      [unowned self] result in
      pendingClaims -= 1
      guard pendingClaims == 0 else { return }
      if case .failure = result { self.source = nil }
      let waiters = claimWaiters
      claimWaiters = []
      for waiter in waiters { waiter() }
    }
  }

  /// Waits for Mutter's answer to the latest claim.
  ///
  /// - Returns: whether the bridge owns the clipboard.
  private func untilClaimed() async -> Bool {
    if pendingClaims > 0 {
      await withCheckedContinuation { continuation in claimWaiters.append { continuation.resume() }
      }
    }
    return source != nil
  }

  func release() {
    guard let session, source != nil else { return }
    source = nil
    bus.call(Session.setSelection, at: session, of: Service.busName, [:]) { _ in }
  }

  private func transfer(_ name: String, _ serial: UInt32) {
    guard let session else { return }
    let decline = { [bus] in
      bus.call(
        Session.selectionWriteDone, at: session, of: Service.busName, serial, false
      ) { _ in }
    }
    guard let source else { return _ = decline() }
    source(name) { [bus, writings] file in
      bus.call(Session.selectionWrite, at: session, of: Service.busName, serial) { result in
        guard case .success(let pipe) = result else { return }
        guard let file else { return _ = decline() }
        writings.write(file, to: pipe) { isComplete in
          bus.call(
            Session.selectionWriteDone, at: session, of: Service.busName, serial, isComplete
          ) { _ in }
        }
      }
    }
  }
}
