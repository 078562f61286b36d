import CGtk4
import CShelf
import ClipboardModel
import ShelfModel

/// The strip at the screen's edge on Wayland.
///
/// No protocol of Wayland reports drags of other programs. So a strip of two pixels waits at the edge,
/// and opens under a drag that reaches it.
final class LayerStrip: DragWatch {
  // It reports nothing, because the drag itself opens the strip.
  var onBegin: (ProgramNames) -> Void = { _ in }
  var onEnd: () -> Void = {}
  let placement: any EdgePlacement

  /// Creates the strip at the right edge of a display; nil if the display does not support layers.
  init?(on display: OpaquePointer) {
    guard shelf_layer_is_supported() != 0 else { return nil }
    placement = LayerWindow(at: .right, isThin: true, on: display)
  }
}
