import DragboardClient
import ShelfModel

/// Follows the drags on the bus that are not the shelf's own: those that wait to be picked up.
///
/// That another program carries one by a pointer of its own is nothing that the bus tells of: it is shown, too, until it ends.
final class WaitingDrags {
  /// The drags, the oldest first, at most `mostDrags`.
  private(set) var drags: [WaitingDrag] = []
  /// Called when they are others, or have other items.
  var onChange: () -> Void = {}
  private let connection: DragboardConnection
  private var following: Task<Void, Never>?
  private var sessions: [SessionID: Task<Void, Never>] = [:]
  private var isReading = false
  private var isStale = false
  /// How long a drag is waited for of which nothing is known yet: twice as long each time.
  private var patience = Duration.milliseconds(200)
  private var again: Timer?

  /// So many drags are shown.
  private static let mostDrags = 32

  /// Follows drags from now on.
  init(on connection: DragboardConnection) {
    self.connection = connection
    following = Task { [weak self] in
      guard let events = await self?.connection.events() else { return }
      self?.read()
      do { for try await event in events { self?.take(event) } } catch { self?.show([]) }
    }
  }

  /// Follows them no more.
  func close() {
    following?.cancel()
    for task in sessions.values { task.cancel() }
    again?.cancel()
  }

  private func take(_ event: DragboardEvent) {
    switch event {
    case .dragBegan(_, let application), .dragEnded(_, let application, _):
      if application != Application.shelf.id { readSoon() }
    case .daemonCame, .missed: readSoon()
    case .daemonLeft: show([])
    case .boardAdded, .boardRemoved, .boardRenamed: break
    }
  }

  /// Asks what drags there are, and of what; what is asked for meanwhile is asked for once more.
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
    for (session, info) in try await connection.sessions() where isWaiting(session, info) {
      // One that ends meanwhile is not there any more.
      let count = min(info.itemCount, WaitingDrag.mostItems)
      guard let items = try? await Self.items(of: session, first: count) else { continue }
      guard items.contains(where: { !$0.types.isEmpty }) else {
        askAgain()
        continue
      }
      found.append(
        WaitingDrag(
          id: session.id, application: info.application, itemCount: info.itemCount, items: items))
      if found.count == Self.mostDrags { break }
    }
    return found
  }

  private func isWaiting(_ session: DragSession, _ info: SessionInfo) -> Bool {
    guard info.application != Application.shelf.id, info.state == .active else { return false }
    follow(session)
    return !info.isRestrictedToApplication
  }

  /// The first items of a session, as far as the caller may see them.
  static func items(of session: DragSession, first count: Int) async throws -> [WaitingDrag.Item] {
    var items: [WaitingDrag.Item] = []
    for index in 0..<count {
      items.append(
        WaitingDrag.Item(
          types: try await session.types(ofItem: index),
          suggestedName: try await session.suggestedName(ofItem: index)))
    }
    return items
  }

  /// Asks again when something happens to a session.
  private func follow(_ session: DragSession) {
    guard sessions[session.id] == nil else { return }
    sessions[session.id] = Task { [weak self] in
      do {
        let events = try await session.events()
        // What was added before they were listened for.
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

  /// Something has happened: asks now, and once more when whoever adds an item has had the time to say what it can be had as, which no
  /// signal tells.
  private func readSoon() {
    patience = .milliseconds(200)
    read()
    askAgain()
  }

  private func askAgain() {
    again?.cancel()
    again = MainLoop.after(patience) { [weak self] in self?.read() }
    patience = min(patience * 2, .seconds(60))
  }

  private func show(_ found: [WaitingDrag]) {
    guard found != drags else { return }
    drags = found
    onChange()
  }
}
