import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Errors speak the language of the command line")
struct ErrorWordsTests {
  /// Command lines that fail, in this order, on one daemon.
  ///
  /// `$id` is the id of a row that was deleted. The board `default` has the text `a` and a locked text `b`; the board `full` has one row and no
  /// room. Drag 1 is active, and view 1 is open.
  private static let lines = [
    "list -b none", "list --section none", "list --from none:1", "list --count -1",
    "list --nothing",
    "list --address unix:path=/none", "list --address nonsense",
    "show 9", "show $id", "show none:0", "show -b none 0", "show zzzzzzzz",
    "get 9", "get $id", "get 0 --type image/png", "get 0 --type nonsense", "get 0 --output /none/x",
    "get 0 --into /none", "get 0 1",
    "types 9", "types $id", "types --session 9",
    "search a -b none", "search ''", "search \"$(printf 'a %.0s' {1..100})\"",
    "boards --json --table", "sessions --json --table", "watch -b none", "status extra",
    "changes 9999", "changes -- -1", "changes 0", "changes 1 -b none",
    "add", "add x -b none", "add x --at 9", "add x --at none:0", "add --file /none", "add --file /",
    "add --link --file /none", "add --stdin --type nonsense < /dev/null", "add x -b full",
    "add x y -b full", "add --stdin -b full < /dev/null",
    "move 9 --to 0", "move 1 --to 0", "move 0 --to 9", "move 0 --to none:0", "move $id --to 0",
    "remove 9", "remove 1", "remove $id", "remove 0 0",
    "edit 9 --text x", "edit 1 --text x", "edit $id --text x", "EDITOR=false edit 0",
    "edit 2 --text x",
    "rename 9 x", "rename 1 x", "rename $id x", "rename 0 $'a\\nb'",
    "pin 9", "pin $id", "unpin 9", "lock 9", "lock $id", "unlock 9", "unlock $id",
    "stack 9 0", "stack 0 1", "stack $id 0", "unstack 9",
    "clear -b none", "sort -b none", "sort --section none", "sort --by nothing",
    "apply --section none < /dev/null", "apply < /dev/zero", "echo $id | apply",
    "undo -b empty", "undo 0", "undo 99 -b empty", "redo", "redo -b none",
    "section add ''", "section add main", "section list -b none",
    "section move none --to 0", "section move main --to 9", "section remove none",
    "section remove main", "section rename none x", "section rename main ''",
    "board add default", "board add ''", "board list --json --table", "board remove default",
    "board remove none", "board rename default x", "board rename none x",
    "board rename full default",
    "board restore none", "board set none --max-rows 1", "board set default --max-rows x",
    "board set default --accept nonsense", "board set default --retain-rows 1 < /dev/null",
    "board set default --retain-for x", "board show none",
    "drag", "drag --file /none", "drag --link --file /none", "drag --row 9", "drag --row $id",
    "drag --row 0 -b none", "drag x --detach", "drag x --as 'a b'", "drag x --add-to 9",
    "drag x --also nonsense", "drag --file /etc/passwd --type nonsense",
    "drop 9", "drop 1 --to 9", "drop 1 --to none:0", "drop 1 -b none", "drop 1 --into /none",
    "drop 1 --stdout --type image/png", "drop 1 --stdout --type nonsense", "drop 1 --as 'a b'",
    "drop 1 -b full", "drop 1 -b strict",
    "propose 9", "propose 1 --to 9", "propose 1 -b none", "propose 1 -b full",
    "propose 1 -b strict",
    "propose 1 --as 'a b'", "cancel 9", "cancel 1 extra",
    "pick -b empty", "pick -b none", "setup --shortcut '?'", "setup --clipboard maybe", "setup x",
    "copy 0", "copy 9", "copy $id", "paste", "paste --onto none", "clipboard clear",
    "clipboard allow-pasting", "clipboard allow-pasting extra", "clipboard disable",
    "clipboard enable", "clipboard exclude nothing",
    "clipboard import nothing",
    "clipboard pause", "clipboard pause -- -1", "clipboard resume", "clipboard status",
    "link accept none", "link drags none", "link files none", "link host none", "link invite none",
    "link join none", "link leave none", "link move-host none", "link pause none",
    "link remove none", "link resume none",
    "link server clean none", "link server set none",
    "link setup none", "link share none", "link status none", "link unshare none",
    "link with",
    "view open --as 'a b'", "view open -b none", "view close 9", "view deselect 9",
    "view editing 9 on", "view editing 1 maybe", "view list extra", "view reselect 9",
    "view select 9 0", "view select 1 9", "view select 1 $id", "view set 9 --multiple",
    "view show 9",
    "export -b none", "export > /dev/full", "import /none",
    "echo nonsense | import - --name x", "import /etc/passwd --name default",
    "doctor extra", "restart extra", "completion none", "none",
  ]

  private func stage() throws -> CommandStage {
    let stage = try CommandStage("--max-sections", "1")
    let result = try stage.shell(
      """
      dragboard add a b gone; dragboard lock 1; dragboard lock --position 1
      dragboard list --json | jq -r .id | tail -n 1 > id
      dragboard remove 2; printf '\\0' | dragboard add --stdin --type image/png
      for b in empty full strict; do dragboard board add $b; done
      dragboard board set strict --accept image/png; dragboard add x -b full
      dragboard board set full --max-rows 1
      dragboard drag x --as org.example.Notes --detach; dragboard view open --as org.example.Notes
      """)
    try #require(result.errors == "", "\(result.errors)")
    return stage
  }

  /// Returns the names of members and errors of the contract that are not ordinary words, such as `GetRows`.
  private func contractNames() throws -> [String] {
    let folder = "Sources/DragboardInterface/Interfaces"
    var names: Set<String> = ["InvalidArgs", "AccessDenied"]
    for file in try FileManager.default.contentsOfDirectory(atPath: Checkout.path(folder)) {
      let text = try Checkout.text(of: "\(folder)/\(file)")
      names.formUnion(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    return names.filter { name in
      name.first?.isUppercase == true && name.dropFirst().contains(where: \.isUppercase)
        && name.contains(where: \.isLowercase)
    }.filter { !["GiB", "MiB", "KiB", "QtDBus"].contains($0) }
  }

  @Test("No error of a subcommand has a name that only programs use")
  func words() throws {
    let stage = try stage()
    let names = Set(try contractNames())
    #expect(names.isSuperset(of: ["GetRows", "SetEditable", "NoSuchItem", "MaxRows"]))
    for line in Self.lines {
      let call = Self.call(line)
      let result = try stage.shell("id=$(cat id); \(call)")
      let errors = result.errors
      // `propose` prints the reason and succeeds.
      #expect(!errors.isEmpty, "\(line): \(result.output)")
      let words = Set(errors.split { !$0.isLetter && !$0.isNumber }.map(String.init))
      #expect(words.intersection(names).isEmpty, "\(line): \(errors)")
      #expect(words.isDisjoint(with: ["base", "fd", "loader", "argument's"]), "\(line): \(errors)")
      for text in ["/org/", "org.freedesktop", "org.dragboard.", "D-Bus"] {
        #expect(!errors.contains(text), "\(line): \(errors)")
      }
    }
  }

  /// Returns the call of a line, in which `dragboard` precedes the name of the subcommand.
  private static func call(_ line: String) -> String {
    if let range = line.range(of: "| ") {
      return "\(line[..<range.upperBound])dragboard \(line[range.upperBound...])"
    }
    return line.hasPrefix("EDITOR=false ")
      ? "EDITOR=false dragboard \(line.dropFirst("EDITOR=false ".count))" : "dragboard \(line)"
  }

  @Test("Every subcommand has a line")
  func complete() {
    let calls = Self.lines.map { Self.call($0) }
    let missing = HelpTests.subcommands.filter { name in
      !calls.contains { "\($0) ".contains("dragboard \(name) ") }
    }
    #expect(missing == [])
  }
}
