import DragboardClient

/// Another application, whose window is at the right of the shelf.
protocol Guest {
  /// The name of the application.
  var name: String { get }

  /// Has it ready to be dragged from, and gives where to take hold.
  func offer() async throws -> Point

  /// Waits until it has given what it offered; it has kept it, unless it was moved.
  func hasGiven(asMove isMove: Bool) async throws

  /// Has it ready to be dropped on, and gives where.
  func open() async throws -> Point

  /// Waits until it has taken a row of those types.
  func hasTaken(_ parts: [Sample.Part]) async throws
}
