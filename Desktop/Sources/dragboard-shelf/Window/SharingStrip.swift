import CGtk4
import CShelf
import Files
import Glibc
import ShelfModel

/// A warning at the lower edge of the window while the disk is too full to exchange the edits of
/// shared boards.
///
/// The link of shared boards reports its state in a file, because it has no name on the bus. While
/// the disk is full, the file is in memory.
final class SharingStrip {
  /// The revealer, which is open while the disk is full.
  let widget = made(gtk_revealer_new())
  private let paths: [String]
  private var monitors: [Owned] = []

  /// Creates the strip, and follows the reports of the user's link.
  init() {
    let directory = LinkReportFile.userDirectory
    paths = [
      directory.flatMap(LinkReportFile.pathInMemory), directory.map(LinkReportFile.path),
    ].compactMap(\.self)
    let label = Make.label(
      localized("The disk is full: edits of shared boards wait until there is space."),
      classes: "caption", "warning")
    gtk_label_set_wrap(label.opaque, 1)
    let line = Make.box(GTK_ORIENTATION_HORIZONTAL, label)
    gtk_widget_add_css_class(line, "transfers")
    gtk_revealer_set_child(widget.opaque, line)
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    for path in paths {
      let file = g_file_new_for_path(path)
      defer { g_object_unref(UnsafeMutableRawPointer(file)) }
      guard let monitor = g_file_monitor_file(file, GFileMonitorFlags(0), nil, nil) else {
        continue
      }
      let owned = Owned(adopting: OpaquePointer(monitor))
      connect(owned.pointer, "changed") { [weak self] _ in self?.read() }
      monitors.append(owned)
    }
    read()
  }

  private func read() {
    let report = paths.lazy.compactMap { path in
      try? FileDescriptor(opening: path, O_RDONLY).readPrefix(Self.maxBytes)
    }.first
    let isFull = report.map { Self.saysFull($0) } ?? false
    gtk_revealer_set_reveal_child(widget.opaque, isFull ? 1 : 0)
  }

  private static let maxBytes = 1 << 20

  /// Whether a report in JSON has a board with the member.
  ///
  /// JSON escapes the quotation marks in texts, so no name of a board can contain the member.
  private static func saysFull(_ report: [UInt8]) -> Bool {
    String(decoding: report, as: UTF8.self).contains(#""diskIsFull":true"#)
  }
}
