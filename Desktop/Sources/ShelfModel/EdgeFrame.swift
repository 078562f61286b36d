/// A side of the screen at which the shelf can be.
public enum ScreenSide: String, Hashable, Sendable, CaseIterable {
  /// The left edge of the leftmost monitor.
  case left
  /// The right edge of the rightmost monitor.
  case right
}

/// The rectangle of a shelf in the middle of a side of the screen.
public struct EdgeFrame: Hashable, Sendable {
  /// The left edge.
  public let x: Int
  /// The upper edge.
  public let y: Int
  /// The width.
  public let width: Int
  /// The height.
  public let height: Int

  /// Creates a rectangle of the screen.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the rectangle of a shelf at a side of a monitor.
  ///
  /// - Parameters:
  ///   - side: the side.
  ///   - isOpen: whether the whole shelf is visible. A closed shelf is a narrow strip.
  ///   - isThin: whether the strip has two pixels, along the whole side.
  ///   - monitor: the monitor.
  public init(at side: ScreenSide, isOpen: Bool, isThin: Bool = false, of monitor: EdgeFrame) {
    width = min(isOpen ? 360 : isThin ? 2 : 10, monitor.width)
    let strip = isThin ? monitor.height : min(180, monitor.height)
    height = isOpen ? max(monitor.height * 4 / 5, 1) : strip
    x = side == .left ? monitor.x : monitor.x + monitor.width - width
    y = monitor.y + (monitor.height - height) / 2
  }

  /// Returns the outermost monitor at a side of the screen; nil if there is no monitor.
  public static func outermost(at side: ScreenSide, of monitors: [EdgeFrame]) -> EdgeFrame? {
    switch side {
    case .left: monitors.min { $0.x < $1.x }
    case .right: monitors.max { $0.x + $0.width < $1.x + $1.width }
    }
  }
}
