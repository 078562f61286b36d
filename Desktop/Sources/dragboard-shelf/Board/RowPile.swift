import CGtk4
import ShelfModel

/// The pictures of the first rows of a stack, each on top of the next.
final class RowPile {
  /// The pile.
  let widget = made(gtk_overlay_new())
  /// The image widgets.
  ///
  /// The first is at the top.
  private let images = (0..<depth).map { _ in made(gtk_image_new()) }

  /// The maximum number of pictures.
  static let depth = 3
  private static let extent: Int32 = 28
  private static let shift: Int32 = 6

  /// Creates an empty pile.
  init() {
    let room = Make.box(GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_set_size_request(room, 40, 40)
    gtk_overlay_set_child(widget.opaque, room)
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    for (place, image) in images.enumerated().reversed() {
      gtk_widget_add_css_class(image, "pile-card")
      gtk_widget_set_halign(image, GTK_ALIGN_START)
      gtk_widget_set_valign(image, GTK_ALIGN_START)
      gtk_widget_set_margin_start(image, Int32(place) * Self.shift)
      gtk_widget_set_margin_top(image, Int32(place) * Self.shift)
      gtk_overlay_add_overlay(widget.opaque, image)
    }
  }

  /// Shows the pictures of rows, at most `depth`.
  func show(_ rows: [(facts: RowFacts?, preview: RowPreview?)]) {
    widget.show(true)
    for (place, image) in images.enumerated() {
      image.show(place < rows.count)
      guard place < rows.count else { continue }
      Self.show(rows[place].facts, rows[place].preview, in: image, extent: Self.extent)
      gtk_widget_set_size_request(image, Self.extent, Self.extent)
    }
  }

  /// Shows the picture of a row, its icon, or the symbol of its kind.
  static func show(_ facts: RowFacts?, _ preview: RowPreview?, in image: Widget, extent: Int32) {
    let isPicture = preview?.picture != nil
    image.setClass("thumbnail", isPicture)
    image.setClass("dim-label", preview?.picture == nil && preview?.icon == nil)
    gtk_widget_set_size_request(image, extent, isPicture ? extent : -1)
    if let picture = preview?.picture {
      gtk_image_set_from_paintable(image.opaque, picture.pointer)
      gtk_image_set_pixel_size(image.opaque, extent)
    } else if let icon = preview?.icon {
      gtk_image_set_from_gicon(image.opaque, icon.pointer)
      gtk_image_set_pixel_size(image.opaque, extent - 8)
    } else {
      if preview?.isMissing ?? false {
        gtk_image_set_from_icon_name(image.opaque, "dialog-warning-symbolic")
      } else if preview?.isBroken ?? false {
        gtk_image_set_from_icon_name(image.opaque, "image-missing-symbolic")
      } else {
        facts?.showSymbol(in: image)
      }
      gtk_image_set_pixel_size(image.opaque, 16)
    }
  }
}
