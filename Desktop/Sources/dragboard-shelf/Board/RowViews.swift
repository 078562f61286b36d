import CGtk4
import CShelf
import ShelfModel

/// The lines of a list that have widgets: the visible lines, and some lines above and below them.
///
/// GTK uses a widget again for another line.
final class RowViews {
  /// Called with a new line, to add controllers.
  var onMake: (RowView) -> Void = { _ in }
  /// Called with a line that has become visible.
  var onShow: (RowView) -> Void = { _ in }
  /// Called with a line of a stack whose button was pressed.
  var onToggle: (RowView) -> Void = { _ in }

  /// The model, which the list view owns.
  let model: OpaquePointer?
  private var views: [OpaquePointer: RowView] = [:]
  private var shown: Set<OpaquePointer> = []

  /// Gives a list view a model and lines.
  ///
  /// - Parameters:
  ///   - list: the list view.
  ///   - source: the functions that the model calls.
  ///   - owner: the object that these functions get.
  init(in list: Widget, source: ShelfRowsSource, owner: AnyObject) {
    var source = source
    model = shelf_rows_new(&source, borrow(owner))
    gtk_list_view_set_model(list.opaque, model)
    // The list now has a reference to the model.
    if let model { g_object_unref(UnsafeMutableRawPointer(model)) }
    let factory = made(gtk_signal_list_item_factory_new())
    connect(factory, "setup") { [weak self] in
      guard let self, let item = $0.object(1) else { return }
      let view = RowView(item) { [weak self] in self?.onToggle($0) }
      views[item] = view
      onMake(view)
    }
    connect(factory, "bind") { [weak self] in
      guard let self, let item = $0.object(1), let view = views[item] else { return }
      shown.insert(item)
      onShow(view)
    }
    connect(factory, "unbind") { [weak self] in
      if let item = $0.object(1) { self?.shown.remove(item) }
    }
    connect(factory, "teardown") { [weak self] in
      if let item = $0.object(1) { self?.views[item] = nil }
    }
    gtk_list_view_set_factory(list.opaque, factory.opaque)
    g_object_unref(factory.object)
  }

  /// The lines that are visible, and some lines above and below them, in any order.
  var visible: [RowView] { shown.compactMap { views[$0] } }
}
