import CGtk4
import CShelf
import DragboardClient

/// The tabs as drop targets: rows of the shelf that are dropped on the tab of another board move to
/// the end of this board.
final class TabDrop {
  private weak var window: ShelfWindow?

  /// Makes the tabs of a window drop targets.
  init(on window: ShelfWindow) {
    self.window = window
    let target = made(gtk_drop_target_async_new(nil, DropAction.all))
    for signal in ["drag-enter", "drag-motion"] {
      answer(target, signal) { [weak self] in .flags(self?.action(at: $0).rawValue ?? 0) }
    }
    answer(target, "drop") { [weak self] in .handled(self?.drop($0) ?? false) }
    gtk_widget_add_controller(window.tabs.bar, target.opaque)
  }

  /// Returns the board of the tab under the pointer if the dragged rows belong to another board.
  private func target(at arguments: SignalArguments) -> (drag: any CarriedDrag, page: BoardPage)? {
    guard let window, let drop = arguments.object(1), gdk_drop_get_drag(drop) != nil,
      let drag = window.drags.carried, let source = drag.source,
      let child = shelf_tab_child(window.tabs.bar, arguments.double(2), arguments.double(3)),
      let page = window.tabs.pages.first(where: { $0.page.widget == child })?.page, page !== source
    else { return nil }
    return (drag, page)
  }

  private func action(at arguments: SignalArguments) -> GdkDragAction {
    guard let drop = arguments.object(1), target(at: arguments) != nil else {
      return DropAction.none
    }
    return DropAction.of(.copy, for: drop, prefersMove: true)
  }

  private func drop(_ arguments: SignalArguments) -> Bool {
    guard let window, let drop = arguments.object(1), let (drag, page) = target(at: arguments),
      let source = drag.source
    else { return false }
    drag.wasDroppedInside = true
    drag.concludeMove()
    gdk_drop_finish(drop, DropAction.of(.copy, for: drop, prefersMove: true))
    window.move(drag.items, from: source, to: page)
    return true
  }
}
