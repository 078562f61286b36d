/// The command line options.
struct Options {
  /// An invalid command line.
  struct Problem: Error {
    let description: String
  }

  /// The only backend to try; nil for the best one that the display offers.
  private(set) var backend: String?
  /// Whether to print the backend and exit.
  private(set) var isCheck = false

  static let backends = ["x11", "data-control", "mutter"]

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--check" {
        isCheck = true
        continue
      }
      guard argument == "--backend" else {
        throw Problem(description: "\"\(argument)\": no such option (--backend NAME, --check)")
      }
      guard let name = rest.popFirst(), Self.backends.contains(name) else {
        throw Problem(
          description: "--backend: no such name (\(Self.backends.joined(separator: ", ")))")
      }
      backend = name
    }
  }
}
