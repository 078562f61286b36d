import DBus
import DragModel
import DragboardInterface

/// All views that are open.
final class ViewCollection {
  private unowned let service: Service
  private let table = ViewTable.table()
  private var views: [String: ViewObject] = [:]

  init(_ service: Service) { self.service = service }

  /// Whether none is open.
  var isEmpty: Bool { views.isEmpty }

  /// The view at that path.
  func find(path: String) -> ViewObject? { views[path] }

  /// Opens a view of a board.
  ///
  /// - Throws: LimitsExceeded, which names the limit; IOError if it rests on edits that could not be stored.
  func open(
    _ board: BoardObject, for application: Application
  ) throws(DBusError) -> ViewObject {
    service.batch.reading(self)
    guard views.count < service.limits.maxViews else {
      throw .limit("max-views", service.limits.maxViews)
    }
    let view = ViewObject(try service.viewNumbers.next(), of: board, for: application)
    add(view)
    if service.batch.isProvisional {
      service.batch.touch(view) { [self] in remove(view) }
      service.batch.touch(self)
    }
    return view
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
    service.server.withdraw(view.path)
  }
}
