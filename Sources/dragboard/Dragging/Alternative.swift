import ArgumentParser
import DragboardClient

/// A further type of an item, and the source of its bytes: `TYPE=TEXT`, `TYPE=@FILE` or
/// `TYPE=!COMMAND`.
struct Alternative: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case text(String)
    case file(String)
    case command(String)
  }

  let type: ContentType
  let source: Source

  /// Whether the bytes are made later.
  var isPromise: Bool { if case .command = source { true } else { false } }
}

extension Alternative: ExpressibleByArgument {
  /// Reads one; nil without a type.
  ///
  /// A parameter of the type, `;charset=utf-8`, has an `=` of its own.
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
