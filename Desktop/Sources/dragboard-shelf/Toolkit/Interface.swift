import CGtk4

/// Widgets that were built from an interface description, by their ids.
struct Interface {
  private let builder: Owned

  /// Builds the widgets of an embedded `.ui` file.
  init(_ description: [UInt8]) {
    builder = Owned(
      adopting: made(
        gtk_builder_new_from_string(String(decoding: description, as: UTF8.self), -1)
      ).opaque)
  }

  /// Returns the widget with an id of the description.
  subscript(id: String) -> Widget {
    made(gtk_builder_get_object(builder.pointer, id)).widget
  }
}
