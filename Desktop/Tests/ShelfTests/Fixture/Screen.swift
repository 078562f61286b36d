/// A point of the display, in pixels from its upper left corner.
typealias Point = (x: Int, y: Int)

/// A step of the pointer or of a modifier key.
enum Motion {
  case move(Point)
  case press
  case release
  /// Holds a key down. The name is X11's: `Shift_L`.
  case holdKey(String)
  case releaseKey(String)
  case rest(Duration)
}

/// The display on which the tests were started: its windows, its pointer and its keyboard.
protocol Screen {
  /// The environment of programs whose windows appear on this screen.
  var environment: [String: String] { get }

  /// Waits for the window whose title matches a regular expression, and moves it to a position.
  ///
  /// - Returns: the identifier of the window.
  func place(windowTitled title: String, at corner: Point, width: Int, height: Int) throws -> String

  /// Returns the current title of a window.
  func title(of window: String) throws -> String

  /// Gives a window the keyboard focus.
  func focus(_ window: String) throws

  /// Gives a window the keyboard focus, and presses keys in it, one after another: `ctrl+a`.
  func press(_ keys: [String], in window: String) throws

  /// Performs the steps in order.
  func perform(_ motions: [Motion]) throws

  /// Writes a screenshot to a PNG file.
  func picture(to path: String) throws
}

extension Screen {
  /// Presses the pointer's button at one position and moves the pointer to another in steps, as a
  /// hand does.
  func carry(from start: Point, to end: Point, holding key: String? = nil) throws {
    var motions: [Motion] = [.move(start), .press]
    for step in 1...10 {
      motions += [
        .rest(.milliseconds(20)),
        .move((start.x + (end.x - start.x) * step / 10, start.y + (end.y - start.y) * step / 10)),
      ]
      // A key that is held from the beginning could change the selection.
      if step == 5, let key { motions.append(.holdKey(key)) }
    }
    try perform(motions)
  }

  /// Moves the pointer by one pixel and back, because some toolkits report a drag only with a
  /// motion.
  func tremble(at place: Point) throws {
    try perform([
      .move((place.x + 1, place.y)), .rest(.milliseconds(40)), .move(place),
      .rest(.milliseconds(40)),
    ])
  }
}
