/// A way to learn that the user has pressed the shortcut of the picker, although another window has the
/// focus.
protocol ShortcutSource: AnyObject {
  /// Called when the shortcut was pressed.
  var onPress: () -> Void { get set }
}
