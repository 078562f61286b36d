extension EdgeFrame {
  /// The usual size of a shelf beside the pointer.
  public static let sizeBesidePointer = (width: 320, height: 360)

  /// Creates the rectangle of a shelf beside the pointer.
  ///
  /// The shelf does not cover the pointer, because a drag that has just begun would be over the
  /// shelf at once.
  ///
  /// - Parameters:
  ///   - x: the horizontal position of the pointer.
  ///   - y: the vertical position of the pointer.
  ///   - monitor: the monitor of the pointer.
  public init(besideX x: Int, y: Int, of monitor: EdgeFrame) {
    let gap = 24
    let width = min(Self.sizeBesidePointer.width, monitor.width)
    let height = min(Self.sizeBesidePointer.height, monitor.height)
    let right = x + gap
    let fits = right + width <= monitor.x + monitor.width
    let left = fits ? right : x - gap - width
    self.init(
      x: min(max(left, monitor.x), monitor.x + monitor.width - width),
      y: min(max(y - height / 3, monitor.y), monitor.y + monitor.height - height),
      width: width, height: height)
  }

  /// Returns whether the rectangle contains a position.
  public func contains(x: Int, y: Int) -> Bool {
    (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y)
  }
}
