/// A point of the display, in pixels from its upper left corner.
typealias Point = (x: Int, y: Int)

/// A motion of the pointer.
enum Motion {
  case move(Point)
  case press
  case release
  /// Holds a key down, by its X11 name: `Shift_L`.
  case hold(String)
  case letGo(String)
  case rest(Duration)
}

/// The display that the tests were started with: its windows, its pointer and its keyboard.
protocol Screen {
  /// The environment of programs whose windows appear on this screen.
  var environment: [String: String] { get }

  /// Waits for the window whose title matches a regular expression, and puts it there; gives the name it is addressed by.
  func place(windowTitled title: String, at corner: Point, width: Int, height: Int) throws -> String

  /// Returns the current title of a window.
  func title(of window: String) throws -> String

  /// Gives the keyboard to a window.
  func focus(_ window: String) throws

  /// Presses keys at a window, which gets the keyboard, one after the other: `ctrl+a`.
  func press(_ keys: [String], in window: String) throws

  /// Moves the pointer.
  func perform(_ motions: [Motion]) throws

  /// Writes what can be seen to a PNG file.
  func picture(to path: String) throws
}

extension Screen {
  /// Presses the button at one place and takes it to another in steps, as a hand does.
  func carry(from start: Point, to end: Point, holding key: String? = nil) throws {
    var motions: [Motion] = [.move(start), .press]
    for step in 1...10 {
      motions += [
        .rest(.milliseconds(20)),
        .move((start.x + (end.x - start.x) * step / 10, start.y + (end.y - start.y) * step / 10)),
      ]
      // A key that was held from the beginning could have changed what is selected.
      if step == 5, let key { motions.append(.hold(key)) }
    }
    try perform(motions)
  }

  /// The pointer trembles, as it does in a hand that waits.
  func tremble(at place: Point) throws {
    try perform([
      .move((place.x + 1, place.y)), .rest(.milliseconds(40)), .move(place),
      .rest(.milliseconds(40)),
    ])
  }
}
