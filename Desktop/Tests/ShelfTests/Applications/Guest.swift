import DragboardClient

/// Another application, whose window is to the right of the shelf.
protocol Guest {
  /// The name of the application.
  var name: String { get }

  /// Prepares a drag from the application.
  ///
  /// - Returns: the point at which the drag starts.
  func prepareDrag() async throws -> Point

  /// Waits until the application has delivered its content, and has removed it if the drag is a
  /// move.
  func untilDelivered(asMove isMove: Bool) async throws

  /// Prepares a drop on the application.
  ///
  /// - Returns: the point of the drop.
  func prepareDrop() async throws -> Point

  /// Waits until the application has received a row with these representations.
  func untilReceived(_ parts: [Sample.Part]) async throws
}
