import ArgumentParser
import DragboardClient

/// An additional type of an item, and the source of its bytes: `TYPE=TEXT`, `TYPE=@FILE` or
/// `TYPE=!COMMAND`.
struct Alternative: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case text(String)
    case file(String)
    case command(String)
  }

  let type: ContentType
  let source: Source

  /// Whether the bytes are produced only when a destination loads them.
  var isPromise: Bool { if case .command = source { true } else { false } }
}

extension Alternative: ExpressibleByArgument {
  /// Parses an argument; nil if it has no type.
  ///
  /// A parameter of the type, such as `;charset=utf-8`, can also contain `=`.
  init?(argument: String) {
    guard let slash = argument.firstIndex(of: "/") else { return nil }
    var start = slash
    while let equals = argument[start...].firstIndex(of: "=") {
      let type = argument[..<equals]
      let lastParameter = type.lastIndex(of: ";").map { type[$0...] }
      guard let lastParameter, !lastParameter.contains("=") else {
        self.init(type: String(type), String(argument[argument.index(after: equals)...]))
        return
      }
      start = argument.index(after: equals)
    }
    return nil
  }

  private init(type: String, _ text: String) {
    self.type = ContentType(type)
    switch text.first {
    case "@": source = .file(String(text.dropFirst()))
    case "!": source = .command(String(text.dropFirst()))
    default: source = .text(text)
    }
  }
}
