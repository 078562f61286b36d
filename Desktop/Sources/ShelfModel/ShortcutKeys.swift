/// The keys of a shortcut in the notation of GTK: `<Super>v`.
public struct ShortcutKeys: Hashable, Sendable {
  /// A modifier key.
  public enum Modifier: String, Hashable, Sendable, CaseIterable {
    case control = "Control"
    case alt = "Alt"
    case shift = "Shift"
    case logo = "Super"
  }

  /// The modifiers, at least one of them not Shift.
  public let modifiers: Set<Modifier>
  /// The name of the key's symbol, such as `v` or `F9`.
  public let key: String

  /// The keys that open the picker unless the user has set others.
  public static let standard = ShortcutKeys(modifiers: [.logo], key: "v")

  private init(modifiers: Set<Modifier>, key: String) {
    (self.modifiers, self.key) = (modifiers, key)
  }

  /// Reads a text; nil if it is invalid.
  public init?(_ text: String) {
    var (modifiers, rest): (Set<Modifier>, Substring) = ([], text[...])
    while rest.first == "<", let end = rest.firstIndex(of: ">") {
      let name = rest[..<end].dropFirst().lowercased()
      let known = ["ctrl": .control, "primary": .control, "mod1": .alt, "mod4": Modifier.logo]
      guard
        let modifier = known[name]
          ?? Modifier.allCases.first(where: { $0.rawValue.lowercased() == name })
      else { return nil }
      modifiers.insert(modifier)
      rest = rest[end...].dropFirst()
    }
    guard !modifiers.subtracting([.shift]).isEmpty, !rest.isEmpty,
      rest.utf8.allSatisfy({ 0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == 0x5F })
    else { return nil }
    self.init(modifiers: modifiers, key: rest.utf8.count == 1 ? rest.lowercased() : String(rest))
  }

  private func joined(
    _ names: [Modifier: String], by separator: String, key: String
  ) -> String {
    (Modifier.allCases.filter(modifiers.contains).compactMap { names[$0] } + [key])
      .joined(separator: separator)
  }

  /// The text.
  public var text: String {
    Modifier.allCases.filter(modifiers.contains).map { "<\($0.rawValue)>" }.joined() + key
  }

  /// The keys as a user reads them, such as `Super+V`.
  public var label: String {
    joined(
      [.control: "Ctrl", .alt: "Alt", .shift: "Shift", .logo: "Super"], by: "+",
      key: key.utf8.count == 1 ? key.uppercased() : key)
  }

  /// The keys in the notation of the XDG shortcuts specification.
  public var trigger: String {
    joined([.control: "CTRL", .alt: "ALT", .shift: "SHIFT", .logo: "LOGO"], by: "+", key: key)
  }

  /// A compositor without an interface for shortcuts, in whose configuration the user binds the keys.
  public enum Compositor: Hashable, Sendable, CaseIterable {
    case sway, hyprland, niri, labwc
  }

  /// Returns the line that binds a command to the keys in the configuration of a compositor.
  ///
  /// - Parameters:
  ///   - command: a program and its arguments, without characters that must be quoted.
  ///   - compositor: the compositor.
  /// - Returns: the line.
  public func line(running command: String, in compositor: Compositor) -> String {
    switch compositor {
    case .sway:
      let keys = joined(
        [.control: "Ctrl", .alt: "Mod1", .shift: "Shift", .logo: "Mod4"], by: "+", key: key)
      return "bindsym \(keys) exec \(command)"
    case .hyprland:
      let names = Modifier.allCases.filter(modifiers.contains).map {
        $0 == .control ? "CTRL" : $0.rawValue.uppercased()
      }
      return "bind = \(names.joined(separator: " ")), \(key), exec, \(command)"
    case .niri:
      let keys = joined(
        [.control: "Ctrl", .alt: "Alt", .shift: "Shift", .logo: "Super"], by: "+", key: key)
      let words = command.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
      return "\(keys) { spawn \(words); }"
    case .labwc:
      let keys = joined([.control: "C", .alt: "A", .shift: "S", .logo: "W"], by: "-", key: key)
      return "<keybind key=\"\(keys)\"><action name=\"Execute\" command=\"\(command)\"/></keybind>"
    }
  }
}
