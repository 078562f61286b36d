import ClipboardModel
import DBus
import DragboardClient
import Logging

/// The keyboard of the portal RemoteDesktop, for compositors without virtual keyboards: KWin.
///
/// The desktop asks the user once for the permission, by a dialog that only `ask` lets appear. The portal gives
/// a token for later sessions. One session stays until the bridge exits, because KDE reports each session to
/// the user.
///
/// The desktop adds the modifiers that the user holds to those of this keyboard, and reports them to no program
/// without the focus. So a picker waits until the user holds none.
@ClipboardActor final class PortalKeyboard: PasteKeyboard, KeyboardPermission {
  var means: String { state == .unsupported ? "" : "portal" }
  var permission: (any KeyboardPermission)? { self }

  /// The names of keys, which are independent of the user's layout.
  ///
  /// Source: `keysymdef.h` of X11.
  private enum Keysym {
    static let shift: Int32 = 0xFFE1
    static let control: Int32 = 0xFFE3
    static let insert: Int32 = 0xFF63
    static let v: Int32 = 0x76
  }

  private enum State: Equatable {
    case closed
    case open(ObjectPath)
    /// The user has ended the session, so only `ask` opens another one.
    case ended
    /// The desktop has no portal for this.
    case unsupported
  }

  /// The time in which the desktop must restore a session.
  ///
  /// A dialog that has appeared by then is closed.
  private static let restoreTimeout = Duration.seconds(2)
  /// The time that the user has for an answer.
  private static let questionTimeout = Duration.seconds(300)

  private let loop: EventLoop
  private let token = PasteToken()
  private var portal: RemoteDesktopPortal?
  private var state = State.closed
  /// The session that is being opened.
  private var opening: Task<PasteObstacle?, Never>?
  /// Whether the desktop may ask the user for the session that is being opened.
  private var isAsking = false
  /// The number of calls of `forget`.
  private var forgetCount = 0
  /// Whether the desktop has refused since the latest call of `restore`.
  private var hasFailed = false

  /// Creates a keyboard without a session.
  init(on loop: EventLoop) { self.loop = loop }

  // MARK: The permission

  var isGranted: Bool {
    switch state {
    case .open: true
    case .closed: token.text != nil
    case .ended, .unsupported: false
    }
  }

  func restore() {
    hasFailed = false
    restoreAgain()
  }

  private func restoreAgain() {
    guard state == .closed, !hasFailed, opening == nil, token.text != nil else { return }
    open(asking: false)
  }

  func obstacle() async -> PasteObstacle? {
    // The session may have ended since PreparePaste, for example with the portal.
    restoreAgain()
    if let opening, !isAsking { _ = await opening.value }
    return switch state {
    case .open: nil
    case .unsupported: .unsupported
    case .closed, .ended: .permissionMissing
    }
  }

  func ask() async throws(PasteObstacle) {
    if let opening, !isAsking { _ = await opening.value }
    if case .open = state { return }
    if let obstacle = await (opening ?? open(asking: true)).value { throw obstacle }
  }

  func forget() {
    forgetCount += 1
    portal?.cancelRequests()
    if case .open(let session) = state { portal?.close(session) }
    if let text = token.text { portal?.delete(text) }
    token.store(nil)
    if state != .unsupported { state = .closed }
  }

  // MARK: Sessions

  @discardableResult
  private func open(asking: Bool) -> Task<PasteObstacle?, Never> {
    isAsking = asking
    let task = Task { [self] in
      defer { opening = nil }
      do throws(RemoteDesktopPortal.Failure) {
        try await openSession(asking: asking)
        return PasteObstacle?.none
      } catch {
        state = error == .unsupported ? .unsupported : .closed
        hasFailed = true
        return error == .unsupported ? .unsupported : .refused
      }
    }
    opening = task
    return task
  }

  private func openSession(asking: Bool) async throws(RemoteDesktopPortal.Failure) {
    let count = forgetCount
    let portal = try connect()
    try await portal.examine()
    var known = token.text
    if let text = known {
      switch await portal.state(of: text) {
      case .valid: break
      case .invalid:
        token.store(nil)
        known = nil
      case .unknown: known = nil
      }
    }
    guard asking || known != nil, count == forgetCount else { throw .refused }
    let session = try await portal.createSession()
    do throws(RemoteDesktopPortal.Failure) {
      let next = try await portal.start(
        session, restoring: known, within: asking ? Self.questionTimeout : Self.restoreTimeout)
      guard count == forgetCount else {
        if let next { portal.delete(next) }
        throw .refused
      }
      token.store(next)
      state = .open(session)
    } catch {
      portal.close(session)
      // The portal has deleted a token that was used, and a refusal revokes the permission.
      if error != .unanswered || known != nil { token.store(nil) }
      throw error
    }
  }

  private func connect() throws(RemoteDesktopPortal.Failure) -> RemoteDesktopPortal {
    if let portal { return portal }
    let portal: RemoteDesktopPortal
    do throws(DBusError) { portal = try RemoteDesktopPortal(on: loop) } catch { throw .unanswered }
    portal.onClose = { [unowned self] in if state == .open($0) { state = .ended } }
    portal.onExit = { [unowned self] in if state != .ended { state = .closed } }
    self.portal = portal
    return portal
  }

  // MARK: Keys

  func press(
    _ keys: PasteKeys, unless obstacle: @escaping () -> PasteFailure?,
    _ completion: @escaping (PasteFailure?) -> Void
  ) {
    guard case .open(let session) = state, let portal else {
      return completion(.copied(.permissionMissing))
    }
    Task { completion(await press(keys, in: session, of: portal, unless: obstacle)) }
  }

  private func press(
    _ keys: PasteKeys, in session: ObjectPath, of portal: RemoteDesktopPortal,
    unless obstacle: () -> PasteFailure?
  ) async -> PasteFailure? {
    let modifiers =
      (keys.hasControl ? [Keysym.control] : []) + (keys.hasShift ? [Keysym.shift] : [])
    let key = keys == .shiftInsert ? Keysym.insert : Keysym.v
    var held: [Int32] = []
    var failure: PasteFailure?
    do throws(DBusError) {
      for modifier in modifiers {
        held.append(modifier)
        try await portal.press(modifier, true, in: session)
      }
      failure = obstacle()
      if failure == nil {
        held.append(key)
        try await portal.press(key, true, in: session)
      }
    } catch {
      log.warning("the portal RemoteDesktop: \(error)")
      if state == .open(session) { state = .closed }
      portal.close(session)
      failure = .copied(.refused)
    }
    // A key that stays pressed would repeat, so also release a key whose press was not answered.
    for key in held.reversed() { try? await portal.press(key, false, in: session) }
    return failure
  }
}
