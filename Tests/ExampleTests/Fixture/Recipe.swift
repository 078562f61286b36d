import TestSupport
import Testing

/// A recipe of `Examples/cookbook.md`.
struct Recipe: Sendable, CustomTestStringConvertible {
  let title: String
  /// The script for a first terminal, which keeps running; nil if one terminal is enough.
  let first: String?
  /// The script of the recipe.
  let script: String
  /// The expected output, in which "ID" replaces each id.
  let output: String
  /// Whether the first terminal prints the expected output.
  let isToldByFirst: Bool
  var testDescription: String { title }

  private init(_ section: Document.Section) {
    let scripts = section.blocks.filter { $0.language == "sh" }.map(\.code)
    let output = section.blocks.last { $0.language == "text" }
    title = section.title
    first = scripts.count > 1 ? scripts[0] : nil
    script = scripts.last ?? ""
    self.output = output?.code ?? ""
    isToldByFirst = output?.paragraph.hasPrefix("The first terminal prints") ?? false
  }

  private static let document = Result { try Document("Examples/cookbook.md") }

  /// All recipes.
  static let all = ((try? document.get())?.sections.dropFirst() ?? []).map { Recipe($0) }

  /// The commands that fill the board before a recipe.
  static let preparation = (try? document.get())?.sections.first?.blocks.first?.code ?? "exit 1"

  /// Scripts that replace desktop programs.
  static let programs = [
    "wl-copy": #"cat > "$HOME/clipboard""#,
    "wl-paste": #"cat "$HOME/clipboard""#,
    "rofi": "sed -n 1p",
    "slurp": "echo '0,0 800x600'",
    "grim": #"printf '\211PNG'"#,
    "notify-send": #"echo "$2: $3""#,
    "ssh": #"shift; cd "$HOME/server" && sh -c "$*""#,
  ]
}
