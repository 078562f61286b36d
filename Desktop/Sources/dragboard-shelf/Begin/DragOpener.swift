import CGtk4
import ClipboardModel
import ShelfModel

/// Opens the shelf when another program begins a drag.
final class DragOpener {
  /// Called when the shelf must open.
  var open: () -> Void = {}
  /// Called when the drag has ended.
  var close: () -> Void = {}
  private let watch: any DragWatch
  private var pending: Timer?

  /// Creates an opener for this display; nil if the display does not report drags.
  init?() {
    guard let display = gdk_display_get_default(), let watch = Self.watch(on: display) else {
      return nil
    }
    self.watch = watch
    watch.onBegin = { [weak self] in self?.didBegin(by: $0) }
    watch.onEnd = { [weak self] in self?.didEnd() }
  }

  /// Whether this display reports drags.
  static let isPossible = gdk_display_get_default().flatMap { watch(on: $0) } != nil

  /// Returns the way to learn of drags on a display; nil if there is none.
  static func watch(on display: OpaquePointer) -> (any DragWatch)? {
    XDragWatch(on: display) ?? LayerStrip(on: display) ?? ShellExtension()
  }

  /// Places the shelf where the drag is.
  var placement: any EdgePlacement { watch.placement }

  private func didBegin(by program: ProgramNames) {
    pending?.cancel()
    let exclusions = Exclusions(applications: ShelfSettings.quietApplications)
    guard !exclusions.match(program, types: []) else { return }
    let delay = ShelfSettings.openingDelay
    guard delay > .zero else { return open() }
    pending = MainLoop.after(delay) { [weak self] in self?.open() }
  }

  private func didEnd() {
    pending?.cancel()
    close()
  }
}
