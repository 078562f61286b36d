import DragboardClient
import ShelfModel

/// The drags of other applications on the bus that wait for a pointer.
///
/// The bus does not report whether another program already carries a drag with a pointer, so these
/// drags are listed, too.
final class WaitingDrags {
  /// The drags, oldest first, at most `maxDrags`.
  private(set) var drags: [WaitingDrag] = []
  /// Called when the drags or their items have changed.
  var onChange: () -> Void = {}
  private let connection: DragboardConnection
  private var following: Task<Void, Never>?
  private var sessions: [SessionID: Task<Void, Never>] = [:]
  /// The drags that are not listed, because the user has dismissed them.
  private var hidden: Set<SessionID> = []
  private var isReading = false
  private var isStale = false
  /// The delay before a drag whose items are unknown is read again.
  ///
  /// It doubles after each read.
  private var retryDelay = Duration.milliseconds(200)
  private var again: Timer?

  /// The maximum number of listed drags.
  private static let maxDrags = 32

  /// Creates a list that follows the drags.
  init(on connection: DragboardConnection) {
    self.connection = connection
    following = Task { [weak self] in
      guard let events = await self?.connection.events() else { return }
      self?.read()
      do { for try await event in events { self?.take(event) } } catch { self?.show([]) }
    }
  }

  /// Stops following the drags.
  func close() {
    following?.cancel()
    for task in sessions.values { task.cancel() }
    again?.cancel()
  }

  private func take(_ event: DragboardEvent) {
    switch event {
    case .dragBegan(_, let application), .dragEnded(_, let application, _):
      if !Application.isShelf(application) { readSoon() }
    case .daemonCame, .missed: readSoon()
    case .daemonLeft: show([])
    case .boardAdded, .boardRemoved, .boardRenamed: break
    }
  }

  /// Reads the drags and their items.
  ///
  /// A request during a read causes another read.
  func read() {
    isStale = true
    guard !isReading else { return }
    isReading = true
    Task {
      while isStale {
        isStale = false
        if let found = try? await find() { show(found) }
      }
      isReading = false
    }
  }

  private func find() async throws -> [WaitingDrag] {
    var found: [WaitingDrag] = []
    let sessions = try await connection.sessions()
    hidden.formIntersection(sessions.map(\.session.id))
    for (session, info) in sessions where isWaiting(session, info) {
      // Skip a session that has ended in the meantime.
      let count = min(info.itemCount, WaitingDrag.maxItems)
      guard let items = try? await Self.items(of: session, first: count) else { continue }
      guard items.contains(where: { !$0.types.isEmpty }) else {
        askAgain()
        continue
      }
      found.append(
        WaitingDrag(
          id: session.id, application: info.application, machine: info.machine,
          itemCount: info.itemCount, items: items))
      if found.count == Self.maxDrags { break }
    }
    return found
  }

  private func isWaiting(_ session: DragSession, _ info: SessionInfo) -> Bool {
    guard !Application.isShelf(info.application), info.state == .active,
      !hidden.contains(session.id)
    else { return false }
    follow(session)
    return !info.isRestrictedToApplication
  }

  /// Returns the first items of a session that the caller may see.
  static func items(of session: DragSession, first count: Int) async throws -> [WaitingDrag.Item] {
    var items: [WaitingDrag.Item] = []
    for index in 0..<count {
      let attributes = try await session.attributes(ofItem: index)
      items.append(
        WaitingDrag.Item(
          types: try await session.types(ofItem: index), suggestedName: attributes.name,
          application: attributes.application))
    }
    return items
  }

  /// Removes a drag from the list until it ends.
  func hide(_ session: SessionID) {
    hidden.insert(session)
    read()
  }

  /// Reads the waiting drags again whenever the session changes.
  private func follow(_ session: DragSession) {
    guard sessions[session.id] == nil else { return }
    sessions[session.id] = Task { [weak self] in
      do {
        let events = try await session.events()
        // Items may have been added before the subscription began.
        self?.read()
        for try await event in events {
          switch event {
          case .itemsAdded, .willEnd, .missed: self?.readSoon()
          default: break
          }
        }
      } catch {}
      self?.sessions[session.id] = nil
    }
  }

  /// Reads now, and again after a delay.
  ///
  /// No signal reports when the source has registered the types of a new item.
  private func readSoon() {
    retryDelay = .milliseconds(200)
    read()
    askAgain()
  }

  private func askAgain() {
    again?.cancel()
    again = MainLoop.after(retryDelay) { [weak self] in self?.read() }
    retryDelay = min(retryDelay * 2, .seconds(60))
  }

  private func show(_ found: [WaitingDrag]) {
    guard found != drags else { return }
    drags = found
    onChange()
  }
}
