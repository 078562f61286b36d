import ClipboardModel

/// A way to learn that other programs begin and end drags.
protocol DragWatch: AnyObject {
  /// Called when a drag has begun, with the names of its program.
  var onBegin: (ProgramNames) -> Void { get set }
  /// Called when the drag has ended.
  var onEnd: () -> Void { get set }
  /// Places the shelf where the drag is.
  var placement: any EdgePlacement { get }
}
