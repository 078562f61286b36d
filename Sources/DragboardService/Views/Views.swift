import DBus
import DragModel
import DragboardInterface

/// The registry of open views.
final class Views: Entity {
  private let server: ObjectServer
  private let peers: PeerWatch
  private let scheduler: Scheduler
  private let maxViews: Int
  private let numbers: PathNumbers
  private var views: [String: ViewEntity] = [:]
  private lazy var table = ViewCommands.table(context, closing: self)
  private let context: (Call) -> Command

  init(
    _ server: ObjectServer, _ peers: PeerWatch, _ scheduler: Scheduler, maxViews: Int,
    numbers: PathNumbers, context: @escaping (Call) -> Command
  ) {
    (self.server, self.peers, self.scheduler) = (server, peers, scheduler)
    (self.maxViews, self.numbers, self.context) = (maxViews, numbers, context)
  }

  /// Whether no view is open.
  var isEmpty: Bool { views.isEmpty }

  /// Opens a view of a board, `OpenView`.
  ///
  /// - Throws: InvalidArgs, AccessDenied; LimitsExceeded, which names the limit; IOError.
  func openView(
    _ board: BoardEntity, _ command: Command, _ application: String
  ) throws(DBusError) -> ObjectPath {
    let (step, application) = (command.step, try command.application(application))
    step.read(self)
    guard views.count < maxViews else { throw .limit("max-views", maxViews) }
    let view = ViewEntity(try numbers.next(in: step), of: board, for: application)
    step.change(self) { { [self] in remove(view) } }
    step.change(view) { {} }
    add(view)
    watch(view, in: step)
    return view.path
  }

  /// Closes a view when its connection leaves the bus.
  private func watch(_ view: ViewEntity, in step: Step) {
    guard case .uniqueName(let name) = view.application else { return }
    step.afterCommit { [self] in
      guard views[view.path.text] != nil else { return }
      view.departure = peers.onDeparture(of: name) { [weak self] in self?.close(view, in: $0) }
    }
  }

  /// Closes a view.
  ///
  /// If a rollback could reopen it, the iteration ends with the step: no later call finds the view
  /// closed.
  func close(_ view: ViewEntity, in step: Step) {
    guard views[view.path.text] != nil else { return }
    step.read(view)
    step.onRollback { [self] in add(view) }
    step.change(view) { {} }
    remove(view)
    step.afterCommit { [peers] in peers.cancel(view.departure) }
    if step.isUncommitted { step.commitNow() }
  }

  private func add(_ view: ViewEntity) {
    views[view.path.text] = view
    view.board.add(view)
    server.export(view.path, [ObjectInterface(table, of: view)])
  }

  private func remove(_ view: ViewEntity) {
    views[view.path.text] = nil
    view.board.remove(view)
    server.withdraw(view.path)
  }
}
