import CGtk4
import DragboardClient

/// What the pointer shows over the shelf, and what the other application is told was done.
enum DropAction {
  /// Everything that a drop on the shelf can be to another application.
  static let all = GdkDragAction(
    rawValue: GDK_ACTION_COPY.rawValue | GDK_ACTION_MOVE.rawValue | GDK_ACTION_LINK.rawValue)
  /// No drop.
  static let none = GdkDragAction(rawValue: 0)

  /// The action of a drop for what the daemon proposes.
  ///
  /// The daemon proposes to copy what comes from elsewhere: the board has it then. Whether the other application keeps it is between
  /// that and the person, who asks for a move by holding Shift; some toolkits allow nothing else then, and some leave it to be seen.
  static func of(_ operation: DropOperation, for drop: OpaquePointer) -> GdkDragAction {
    let wanted: [GdkDragAction] =
      switch operation {
      case .cancel, .forbidden: []
      case .move: [GDK_ACTION_MOVE]
      case .copy where isShiftHeld(for: drop): [GDK_ACTION_MOVE, GDK_ACTION_COPY, GDK_ACTION_LINK]
      case .copy: [GDK_ACTION_COPY, GDK_ACTION_MOVE, GDK_ACTION_LINK]
      }
    let allowed = gdk_drop_get_actions(drop).rawValue
    return wanted.first { $0.rawValue & allowed != 0 } ?? none
  }

  private static func isShiftHeld(for drop: OpaquePointer) -> Bool {
    guard let device = gdk_drop_get_device(drop),
      let keyboard = gdk_seat_get_keyboard(gdk_device_get_seat(device))
    else { return false }
    let held = gdk_device_get_modifier_state(keyboard)
    return held.rawValue & GDK_SHIFT_MASK.rawValue != 0
  }
}
