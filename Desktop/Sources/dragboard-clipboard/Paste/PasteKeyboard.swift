import CDataControl
import ClipboardModel

/// A keyboard of a Wayland display that the bridge can press.
@ClipboardActor protocol PasteKeyboard: AnyObject {
  /// The name of the means, as `PasteMeans` reports it.
  var means: String { get }
  /// The permission that the desktop requires; nil if it requires none.
  var permission: (any KeyboardPermission)? { get }

  /// Presses and releases the keys.
  ///
  /// - Parameters:
  ///   - keys: the keys.
  ///   - obstacle: returns the reason why the keys must no longer be pressed; nil if there is none. It is
  ///     asked after the modifiers are pressed, which have no effect alone.
  ///   - completion: gets the reason why the keys were not pressed; called exactly once, possibly before the
  ///     function returns.
  func press(
    _ keys: PasteKeys, unless obstacle: @escaping () -> PasteFailure?,
    _ completion: @escaping (PasteFailure?) -> Void)
}

/// The permission to press keys, for which the desktop asks the user once.
@ClipboardActor protocol KeyboardPermission: AnyObject {
  /// Whether the user has granted the permission, as far as this is known.
  var isGranted: Bool { get }

  /// Starts to use a permission that the user has granted before. The desktop asks nothing.
  func restore()

  /// Waits for the end of `restore`, and returns the reason why no key can be pressed at present; nil if
  /// keys can be pressed.
  func obstacle() async -> PasteObstacle?

  /// Lets the desktop ask the user, unless keys can be pressed already.
  ///
  /// - Throws: the reason why no key can be pressed.
  func ask() async throws(PasteObstacle)

  /// Revokes the permission.
  func forget()
}

/// The keyboard of a compositor with the protocol `zwp_virtual_keyboard_v1`.
///
/// One keyboard stays, because programs first have to learn of a new one. Its modifiers are its own, so keys
/// that the user holds on another keyboard have no effect.
@ClipboardActor final class VirtualKeyboard: PasteKeyboard {
  let means = "virtual-keyboard"
  let permission: (any KeyboardPermission)? = nil
  private let control: OpaquePointer

  /// Makes the keyboard; nil if the compositor has no such keyboards.
  init?(on control: OpaquePointer) {
    guard data_control_make_keyboard(control) else { return nil }
    self.control = control
  }

  func press(
    _ keys: PasteKeys, unless obstacle: @escaping () -> PasteFailure?,
    _ completion: @escaping (PasteFailure?) -> Void
  ) {
    data_control_press(control, keys.hasControl, keys.hasShift, keys == .shiftInsert)
    _ = data_control_flush(control)
    completion(nil)
  }
}
