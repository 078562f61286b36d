import CGtk4
import ShelfModel

/// The notification of the desktop that says what a closed picker has done.
enum Notification {
  private static let id = "picker"

  /// Shows a message in place of the earlier one; nil removes it.
  static func show(_ text: String?, of application: OpaquePointer) {
    guard let text else { return g_application_withdraw_notification(application.of(), id) }
    let notification = made(g_notification_new(localized("Shelf")))
    g_notification_set_body(notification, text)
    g_application_send_notification(application.of(), id, notification)
    g_object_unref(notification.object)
  }
}
