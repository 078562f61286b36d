import ArgumentParser

/// The path of a file, which need not be UTF-8.
struct FilePath: Equatable, Sendable {
  /// The path in the notation of `NativeArguments`.
  let text: String
}

extension FilePath: ExpressibleByArgument {
  static var defaultCompletionKind: CompletionKind { .file() }

  init?(argument: String) {
    text = argument
    NativeArguments.notePath(argument)
  }

  var defaultValueDescription: String { text }
}
