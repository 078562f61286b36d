import TestSupport
import Testing

/// A recipe of `Examples/cookbook.md`.
struct Recipe: Sendable, CustomTestStringConvertible {
  let title: String
  /// What is typed in a terminal before, and goes on there; nil where one terminal is enough.
  let first: String?
  /// What is typed.
  let script: String
  /// What it prints, or the first terminal does; ids are "ID".
  let output: String
  /// Whether it is the first terminal that prints it.
  let isToldByFirst: Bool
  var testDescription: String { title }

  private init(_ section: Document.Section) {
    let scripts = section.blocks.filter { $0.language == "sh" }.map(\.code)
    let output = section.blocks.last { $0.language == "text" }
    title = section.title
    first = scripts.count > 1 ? scripts[0] : nil
    script = scripts.last ?? ""
    self.output = output?.code ?? ""
    isToldByFirst = output?.paragraph.hasPrefix("The first prints") ?? false
  }

  private static let document = Result { try Document("Examples/cookbook.md") }

  /// All of them.
  static let all = ((try? document.get())?.sections.dropFirst() ?? []).map { Recipe($0) }

  /// What is on the board when a recipe begins.
  static let preparation = (try? document.get())?.sections.first?.blocks.first?.code ?? "exit 1"

  /// What stands in for programs of a desktop.
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
