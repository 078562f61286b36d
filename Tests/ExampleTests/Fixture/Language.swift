import Foundation
import TestSupport
import Testing

/// A language with examples.
enum Language: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case python = "Python"
  case c = "C"
  case javascript = "JavaScript"
  case swift = "Swift"

  var testDescription: String { rawValue }

  /// The languages whose examples can run on this machine; JavaScript needs GJS.
  static let available = allCases.filter { $0 != .javascript || isInstalled("gjs") }

  /// Pairs in which each language is the source once, and the destination once.
  static let pairs = zip(available, available.dropFirst() + available.prefix(1)).map { ($0, $1) }

  /// Returns the path of an example: a script of the checkout, or a compiled program.
  func program(_ name: String) throws -> String {
    switch self {
    case .python: Examples.folder.appending(path: "python/\(name).py").path
    case .javascript: Examples.folder.appending(path: "javascript/\(name).js").path
    case .c: try CompiledExamples.folder.get().appending(path: name).path
    case .swift: try builtProduct("example-\(name)")
    }
  }
}

/// The files of the examples in the checkout.
enum Examples {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Examples")

  /// Returns the path of a script.
  static func script(_ name: String) -> String { folder.appending(path: "shell/\(name).sh").path }
}

/// The examples in C, compiled once for all tests of a run.
enum CompiledExamples {
  /// The error message of a compiler.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The directory of the compiled examples.
  static let folder = Result { try compile(["promise", "accept"]) }

  private static func compile(_ names: [String]) throws -> URL {
    let folder = URL(fileURLWithPath: try builtProduct("dragboardd"))
      .deletingLastPathComponent().appending(path: "Examples")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let compiler = try words(
      "sh", ["-c", "for name in cc clang gcc; do command -v $name && exit; done; exit 1"])
    let flags = try words("pkg-config", ["--cflags", "--libs", "dbus-1"])
    for name in names {
      let source = Examples.folder.appending(path: "c/\(name).c").path
      let files = [source, "-o", folder.appending(path: name).path]
      _ = try words(compiler[0], ["-Wall", "-Wextra", "-Werror"] + files + flags)
    }
    return folder
  }

  private static func words(_ command: String, _ arguments: [String]) throws -> [String] {
    let result = try run(command, arguments)
    guard result.status.isSuccess else {
      throw Failure(description: "\(command) \(arguments): \(result.status): \(result.errors)")
    }
    return result.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
