import CGtk4
import DragboardClient
import Files
import Glibc
import ShelfModel

/// The command line options that only the shelf has.
enum CommandLineOptions {
  /// The reason why an option is refused.
  struct Refusal: Error, CustomStringConvertible {
    /// The problem and the valid values.
    let description: String
  }

  /// Declares the options of an application.
  ///
  /// - Parameters:
  ///   - application: the application, which must not run yet.
  ///   - setEdge: called for `--edge`; returns whether this process must exit.
  ///   - openPicker: called for `--picker`; returns whether this process must exit.
  static func declare(
    on application: UnsafeMutablePointer<GApplication>, setEdge: @escaping (Edge) throws -> Bool,
    openPicker: @escaping (_ board: String) throws -> Bool
  ) {
    g_application_add_main_option(
      application, "board", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING,
      localized("Board that the picker shows first; without it, the board of the clipboard"),
      localized("NAME"))
    g_application_add_main_option(
      application, "picker", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
      localized("Choose a row of a board, and paste it into the window that has the focus"), nil)
    g_application_add_main_option(
      application, "edge", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING,
      localized(
        "Screen edge of the shelf, where a drag opens it; none makes the shelf an ordinary window"
      ),
      "left|right|none")
    g_application_add_main_option(
      application, "version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
      localized("Show the version and exit"), nil)
    g_application_add_main_option(
      application, "check", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
      localized("Show which parts work on this desktop, and exit"), nil)
    answer(application, "handle-local-options") { arguments in
      if arguments.hasOption("version", at: 1) {
        print("dragboard-shelf \(DragboardConnection.version)")
        return .status(0)
      }
      if arguments.hasOption("check", at: 1) { return .status(DesktopCheck.run()) }
      do {
        if arguments.hasOption("picker", at: 1) {
          let board = arguments.option("board", at: 1) ?? ""
          return .status(try openPicker(board) ? 0 : -1)
        }
        guard let word = arguments.option("edge", at: 1) else { return .status(-1) }
        guard let edge = Edge(name: word) else {
          throw Refusal(
            description: "--edge: \"\(word)\" is not a side (expected left, right or none)")
        }
        return .status(try setEdge(edge) ? 0 : -1)
      } catch {
        StandardError.writeLine("dragboard-shelf: \(error)")
        return .status(1)
      }
    }
  }
}
