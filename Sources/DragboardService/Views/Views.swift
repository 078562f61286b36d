import BoardModel
import DBus
import DragModel
import DragboardInterface

final class Views: Entity {
  private let server: ObjectServer
  private let admission: Admission
  private let peers: PeerWatch
  private let scheduler: Scheduler
  private let maxViews: Int
  private let numbers: PathNumbers
  var interfaces: (ViewEntity) -> [ObjectInterface] = { _ in [] }
  private var views: [String: ViewEntity] = [:]
  private lazy var sandboxes = SandboxWatch(peers, admission) { [unowned self] in
    closeAll(of: $0)
  }

  init(
    _ server: ObjectServer, _ admission: Admission, _ peers: PeerWatch, _ scheduler: Scheduler,
    maxViews: Int, numbers: PathNumbers
  ) {
    (self.server, self.admission, self.peers) = (server, admission, peers)
    (self.scheduler, self.maxViews, self.numbers) = (scheduler, maxViews, numbers)
  }

  var isEmpty: Bool { views.isEmpty }

  /// Opens a view of a board (method `OpenView`).
  ///
  /// - Throws: InvalidArgs or AccessDenied if `application` is not valid for the caller;
  ///   LimitsExceeded if there are too many views; IOError if the call depends on edits that cannot
  ///   be stored.
  func openView(
    _ board: BoardEntity, _ command: Command, _ application: String
  ) throws(DBusError) -> ObjectPath {
    let (step, application) = (command.step, try command.application(application))
    step.read(self)
    let sandbox = command.access.sandboxOfQuotas
    try checkCount(of: sandbox)
    let view = ViewEntity(
      try numbers.next(in: step), of: board, for: application, sandbox: sandbox)
    step.change(self) { { [self] in remove(view) } }
    step.markChanged(view)
    add(view)
    watch(view, openedBy: command.sender, in: step)
    return view.path
  }

  private func checkCount(of sandbox: String?) throws(DBusError) {
    guard views.count < maxViews else { throw .limit("application: max-views", maxViews) }
    guard let sandbox else { return }
    let share = Quota.share(of: maxViews)
    guard views.values.count(where: { $0.sandbox == sandbox }) < share else {
      throw .limit("application: a sandbox's share of max-views", share)
    }
  }

  /// Returns the number of rows that the views of one sandbox select; nil means all views.
  func selectedRowCount(of sandbox: String? = nil) -> Int {
    views.values.reduce(0) {
      sandbox == nil || $1.sandbox == sandbox ? $0 + $1.state.selection.count : $0
    }
  }

  // MARK: Closing

  /// Closes the view when its connection, or the last connection of its sandbox, leaves the bus.
  private func watch(_ view: ViewEntity, openedBy client: String, in step: Step) {
    step.afterCommit { [self] in
      guard views[view.path.text] != nil else { return }
      if case .uniqueName(let name) = view.application {
        view.departure = peers.onDeparture(of: name) { [weak self] in self?.close(view, in: $0) }
      }
      // The empty name stands for all unidentified clients. They share no sandbox, so the departure
      // of one of them must not close the views of the others.
      if let sandbox = view.sandbox, !sandbox.isEmpty { sandboxes.watch(sandbox, as: client) }
    }
  }

  private func closeAll(of sandbox: String) {
    let views = views.values.filter { $0.sandbox == sandbox }
    for view in views.sorted(by: { $0.number < $1.number }) {
      scheduler.step { close(view, in: $0) }
    }
  }

  /// Closes a view.
  ///
  /// If a rollback could reopen the view, the iteration ends with this step, so that no later call
  /// finds the view closed.
  func close(_ view: ViewEntity, in step: Step) {
    guard views[view.path.text] != nil else { return }
    step.read(view)
    step.onRollback { [self] in add(view) }
    step.markChanged(view)
    remove(view)
    step.afterCommit { [self] in
      peers.cancel(view.departure)
      if let sandbox = view.sandbox, !views.values.contains(where: { $0.sandbox == sandbox }) {
        sandboxes.forget(sandbox)
      }
    }
    if step.isUncommitted { step.commitNow() }
  }

  private func add(_ view: ViewEntity) {
    views[view.path.text] = view
    view.board.add(view)
    server.export(view.path, interfaces(view))
  }

  private func remove(_ view: ViewEntity) {
    views[view.path.text] = nil
    view.board.remove(view)
    server.withdraw(view.path)
  }
}
