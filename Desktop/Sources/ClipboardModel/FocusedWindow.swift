/// A window that has or had the keyboard focus, as the display reports it.
public struct FocusedWindow: Hashable, Sendable {
  /// The identity of the window, which is unique among the windows of the display.
  public let id: String
  /// The id of the application, or the class of the window; "" if it is unknown.
  public let application: String
  /// The title of the window; "" if the display does not report it.
  public let title: String

  /// Creates a window.
  public init(id: String, application: String, title: String = "") {
    (self.id, self.application, self.title) = (id, application, title)
  }
}
