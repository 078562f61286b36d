import ArgumentParser
import FoundationEssentials

/// An argument, option or flag of a subcommand, as ArgumentParser describes it.
struct ArgumentInfo: Decodable {
  /// The kind of an argument.
  enum Kind: String, Decodable {
    case positional, option, flag
  }

  /// The source of the candidates.
  enum CompletionKind: Decodable {
    case list(values: [String])
    case file(extensions: [String])
    case directory
    case custom
  }

  private struct Name: Decodable {
    let kind: String
    let name: String
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  let kind: Kind
  let isRepeating: Bool
  let abstract: String?
  let completionKind: CompletionKind?
  private let parsingStrategy: String
  private let names: [Name]?
  private let preferredName: Name?

  /// The names of an option or flag, with their hyphens.
  var allNames: [String] { (names ?? []).map(\.text) }
  /// The long name of an option or flag, with its hyphens; "" for other arguments.
  var name: String { preferredName?.text ?? "" }
  /// Whether the words up to the next option are values of this option.
  var hasManyValues: Bool { parsingStrategy == "upToNextOption" }
}

extension ArgumentInfo {
  private struct Dump: Decodable {
    struct Command: Decodable { let arguments: [ArgumentInfo]? }
    let command: Command
  }

  /// Returns the arguments of the subcommand with these words, such as `section`, `rename`.
  static func all(of path: [String]) -> [ArgumentInfo] {
    let text = DragboardCommand.reply(to: path + ["--experimental-dump-help"])
    let dump = try? JSONDecoder().decode(Dump.self, from: Data(text.utf8))
    return dump?.command.arguments ?? []
  }
}

extension DragboardCommand {
  /// Returns the text that ArgumentParser prints for arguments that run no subcommand.
  static func reply(to arguments: [String]) -> String {
    do {
      _ = try parseAsRoot(arguments)
      return ""
    } catch {
      return fullMessage(for: error)
    }
  }
}
