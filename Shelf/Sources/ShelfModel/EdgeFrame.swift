/// A side of the screen that a shelf can sit at.
public enum ScreenSide: String, Hashable, Sendable, CaseIterable {
  /// The left edge of the leftmost monitor.
  case left
  /// The right edge of the rightmost monitor.
  case right
}

/// Where a shelf at the screen's edge stands: in the middle of its side.
public struct EdgeFrame: Hashable, Sendable {
  /// Its left edge.
  public let x: Int
  /// Its upper edge.
  public let y: Int
  /// How wide it is.
  public let width: Int
  /// How high it is.
  public let height: Int

  /// A rectangle of the screen.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Where a shelf stands at a side of a monitor.
  ///
  /// - Parameters:
  ///   - side: the side.
  ///   - isOpen: whether all of it is shown; else it is a slim strip.
  ///   - monitor: the monitor.
  public init(at side: ScreenSide, isOpen: Bool, of monitor: EdgeFrame) {
    width = min(isOpen ? 360 : 10, monitor.width)
    height = isOpen ? max(monitor.height * 4 / 5, 1) : min(180, monitor.height)
    x = side == .left ? monitor.x : monitor.x + monitor.width - width
    y = monitor.y + (monitor.height - height) / 2
  }

  /// The monitor of several at whose side nothing else is; nil where there is none.
  public static func outermost(at side: ScreenSide, of monitors: [EdgeFrame]) -> EdgeFrame? {
    switch side {
    case .left: monitors.min { $0.x < $1.x }
    case .right: monitors.max { $0.x + $0.width < $1.x + $1.width }
    }
  }
}
