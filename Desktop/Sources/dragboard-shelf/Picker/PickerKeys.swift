import CGtk4
import ShelfModel

/// The keys of GDK that a picker handles.
extension PickerKey {
  /// Returns the meaning of a pressed key; nil if the search field handles the key.
  init?(value: UInt32, state: UInt32, in search: Search) {
    guard let key = Key(value: value) else { return nil }
    let held = GdkModifierType(rawValue: state)
    var modifiers = Modifiers()
    if held.contains(GDK_CONTROL_MASK) { modifiers.insert(.control) }
    if held.contains(GDK_ALT_MASK) { modifiers.insert(.alt) }
    if held.contains(GDK_SHIFT_MASK) { modifiers.insert(.shift) }
    // GDK reports Shift+Tab as a key of its own, and French keyboards have digits and the slash with Shift.
    switch key {
    case .digit, .slash: modifiers.remove(.shift)
    default: break
    }
    self.init(key, modifiers, in: search)
  }
}

extension PickerKey.Key {
  fileprivate init?(value: UInt32) {
    switch Int32(bitPattern: value) {
    case GDK_KEY_Up, GDK_KEY_KP_Up: self = .up
    case GDK_KEY_Down, GDK_KEY_KP_Down: self = .down
    case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: self = .pageUp
    case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: self = .pageDown
    case GDK_KEY_Home, GDK_KEY_KP_Home: self = .home
    case GDK_KEY_End, GDK_KEY_KP_End: self = .end
    case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .enter
    case GDK_KEY_space, GDK_KEY_KP_Space: self = .space
    case GDK_KEY_Delete, GDK_KEY_KP_Delete: self = .delete
    case GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_KP_Tab: self = .tab
    case GDK_KEY_slash, GDK_KEY_KP_Divide: self = .slash
    case GDK_KEY_Escape: self = .escape
    case GDK_KEY_1...GDK_KEY_9: self = .digit(Int(Int32(bitPattern: value) - GDK_KEY_0))
    case GDK_KEY_KP_1...GDK_KEY_KP_9: self = .digit(Int(Int32(bitPattern: value) - GDK_KEY_KP_0))
    case GDK_KEY_f, GDK_KEY_F: self = .letter("f")
    case GDK_KEY_z, GDK_KEY_Z: self = .letter("z")
    default: return nil
    }
  }
}
