import BoardModel
import DBus
import DragModel
import DragboardInterface

/// All views that are open.
final class ViewCollection {
  private unowned let service: Service
  private let table = ViewTable.table()
  private var views: [String: ViewObject] = [:]
  private lazy var sandboxes = SandboxWatch(service) { [unowned self] in closeAll(of: $0) }

  init(_ service: Service) { self.service = service }

  /// Whether none is open.
  var isEmpty: Bool { views.isEmpty }

  /// The view at that path.
  func find(path: String) -> ViewObject? { views[path] }

  /// Opens a view of a board.
  ///
  /// - Throws: LimitsExceeded, which names the limit; IOError if it rests on edits that could not be stored.
  func open(
    _ board: BoardObject, for application: Application, by access: BoardAccess
  ) throws(DBusError) -> ViewObject {
    service.batch.reading(self)
    try checkCount(of: access.sandboxOfQuotas)
    let view = ViewObject(
      try service.viewNumbers.next(), of: board, for: application, by: access)
    add(view)
    if let sandbox = view.sandbox, !sandbox.isEmpty {
      sandboxes.watch(sandbox, as: access.caller.uniqueName)
    }
    if service.batch.isProvisional {
      service.batch.touch(view) { [self] in remove(view) }
      service.batch.touch(self)
    }
    return view
  }

  private func checkCount(of sandbox: String?) throws(DBusError) {
    let most = service.limits.maxViews
    guard views.count < most else { throw .limit("max-views", most) }
    guard let sandbox else { return }
    let share = Quota.share(of: most)
    guard views.values.count(where: { $0.sandbox == sandbox }) < share else {
      throw .limit("a sandbox's share of max-views", share)
    }
  }

  /// The number of rows that are selected, by views of one sandbox or by all.
  func selectedRowCount(of sandbox: String? = nil) -> Int {
    views.values.reduce(0) {
      sandbox == nil || $1.sandbox == sandbox ? $0 + $1.state.selection.count : $0
    }
  }

  /// Closes the views of a sandbox, all connections of which have left.
  private func closeAll(of sandbox: String) {
    let views = views.values.filter { $0.sandbox == sandbox }
    for view in views.sorted(by: { $0.number < $1.number }) {
      service.batch.beginStep()
      close(view)
    }
  }

  /// Closes a view.
  ///
  /// Where a failure could take that back, the batch ends with it: no call finds the view gone that may be there again.
  func close(_ view: ViewObject) {
    guard views[view.path.text] != nil else { return }
    service.batch.reading(view)
    remove(view)
    guard service.batch.isProvisional else { return }
    service.batch.touch(view) { [self] in add(view) }
    service.batch.endSoon()
  }

  private func add(_ view: ViewObject) {
    views[view.path.text] = view
    view.open()
    service.server.export(view.path, [ObjectInterface(table, of: view)])
  }

  private func remove(_ view: ViewObject) {
    views[view.path.text] = nil
    view.didClose()
    if let sandbox = view.sandbox, !views.values.contains(where: { $0.sandbox == sandbox }) {
      sandboxes.forget(sandbox)
    }
    service.server.withdraw(view.path)
  }
}
