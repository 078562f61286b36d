import ArgumentParser
import DragboardClient

/// The command line options.
struct Options: ParsableCommand {
  /// A way of access to the clipboard.
  enum Backend: String, CaseIterable, ExpressibleByArgument {
    case x11
    case dataControl = "data-control"
    case mutter
  }

  static let configuration = CommandConfiguration(
    commandName: "dragboard-clipboard",
    abstract: "Store every copy of the clipboard as a row of the board \"clipboard\".",
    discussion: "'dragboard clipboard' controls the running program.",
    version: DragboardConnection.version)

  @Option(
    help: ArgumentHelp(
      "Access to the clipboard (default: the best access that the display offers).",
      valueName: "name"))
  var backend: Backend?

  @Flag(help: "Print the name of the access, and exit.")
  var check = false
}
