import ShelfModel

/// Where the shelf sits, as people and settings say it: a side of the screen, or none.
struct Edge {
  /// The side; nil for an ordinary window.
  let side: ScreenSide?

  /// What is called so; nil for any other word.
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
  /// The word for it.
  var name: String { self?.rawValue ?? "none" }
}
