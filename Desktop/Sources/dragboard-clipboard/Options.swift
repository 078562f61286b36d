/// The command line options.
struct Options {
  /// An invalid command line.
  struct Problem: Error {
    let description: String
  }

  /// The only backend to use; nil for the best backend of the display.
  private(set) var backend: String?
  /// Whether to print the name of the backend and exit.
  private(set) var isCheck = false
  /// Whether to print the help and exit.
  private(set) var isHelp = false

  static let backends = ["x11", "data-control", "mutter"]

  static let help = """
    Store every copy of the clipboard as a row of the board "clipboard".

    Usage: dragboard-clipboard [--backend NAME] [--check]

      --backend NAME  Access to the clipboard: x11, data-control or mutter.
                      The default is the best access that the display offers.
      --check         Print the name of the access, and exit.
      --help          Print this help, and exit.

    'dragboard clipboard' controls the running program.

    """

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--check":
        isCheck = true
        continue
      case "--help", "-h":
        isHelp = true
        continue
      case "--backend": break
      default:
        throw Problem(
          description:
            "\"\(argument)\": no such option (expected --backend NAME, --check or --help)")
      }
      guard let name = rest.popFirst(), Self.backends.contains(name) else {
        throw Problem(
          description:
            "--backend: unknown name (expected \(Self.backends.joined(separator: ", ")))")
      }
      backend = name
    }
  }
}
