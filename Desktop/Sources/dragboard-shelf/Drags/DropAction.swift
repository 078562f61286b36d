import CGtk4
import DragboardClient

/// The action that the pointer shows over the shelf and that the shelf reports to the other
/// application.
enum DropAction {
  /// All actions that a drop on the shelf can have.
  static let all = GdkDragAction(
    rawValue: GDK_ACTION_COPY.rawValue | GDK_ACTION_MOVE.rawValue | GDK_ACTION_LINK.rawValue)
  /// No drop.
  static let none = GdkDragAction(rawValue: 0)

  /// Returns the action of a drop for the daemon's proposal.
  ///
  /// For a drag of another application, the daemon proposes a copy. The other application decides
  /// whether it deletes its original. The user can request a move with Shift. Some toolkits then
  /// allow only a move, and other toolkits allow a copy and a move.
  ///
  /// - Parameters:
  ///   - operation: the proposal.
  ///   - drop: the drop.
  ///   - prefersMove: whether rows of another board are moved, unless the user requests a copy.
  /// - Returns: the action.
  static func of(
    _ operation: DropOperation, for drop: OpaquePointer, prefersMove: Bool
  ) -> GdkDragAction {
    let wanted: [GdkDragAction] =
      switch operation {
      case .cancel, .forbidden: []
      // A locked or pinned row moves within its board, although other applications may only copy
      // it.
      case .move: [GDK_ACTION_MOVE, GDK_ACTION_COPY]
      case .copy where prefersMove || ModifierKeys.areHeld(GDK_SHIFT_MASK):
        [GDK_ACTION_MOVE, GDK_ACTION_COPY, GDK_ACTION_LINK]
      case .copy: [GDK_ACTION_COPY, GDK_ACTION_MOVE, GDK_ACTION_LINK]
      }
    let allowed = gdk_drop_get_actions(drop).rawValue
    return wanted.first { $0.rawValue & allowed != 0 } ?? none
  }
}

/// The modifier keys of the keyboard.
enum ModifierKeys {
  /// Returns whether a key is held now.
  ///
  /// Under Wayland, a compositor may not report keys during a drag.
  static func areHeld(_ key: GdkModifierType) -> Bool {
    guard let display = gdk_display_get_default(),
      let keyboard = gdk_seat_get_keyboard(gdk_display_get_default_seat(display))
    else { return false }
    return gdk_device_get_modifier_state(keyboard).contains(key)
  }
}
