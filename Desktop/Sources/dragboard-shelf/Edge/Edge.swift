import ShelfModel

/// The position of the shelf in settings and options: a side of the screen, or none.
struct Edge {
  /// The side; nil for an ordinary window.
  let side: ScreenSide?

  /// Parses a name; nil if the text is not a name.
  init?(name: String) {
    guard name != "none" else {
      side = nil
      return
    }
    guard let side = ScreenSide(rawValue: name) else { return nil }
    self.side = side
  }
}

extension ScreenSide? {
  /// The name in settings and options.
  var name: String { self?.rawValue ?? "none" }
}
