import Foundation
import TestSupport
import Testing

@Suite("The commands of the README and of the guides")
struct ReadmeTests {
  @Test("The check of every change runs the README's command for the tests")
  func check() throws {
    let words = try Checkout.text(of: ".ci/run").split(separator: "'")
    let command = try #require(words.first { $0.hasSuffix("&& swift test") })
    #expect(try Checkout.text(of: "README.md").split(separator: "\n").contains(command))
  }

  @Test("The README has at most 120 lines")
  func length() throws {
    #expect(try Checkout.text(of: "README.md").split(separator: "\n").count <= 120)
  }

  @Test(
    "Links between documents lead to files",
    arguments: [
      "docs/guide.md", "docs/shared-boards.md", "docs/developers.md", "docs/security.md",
      "docs/reference/README.md",
      "Examples/README.md", "Sources/DragboardInterface/Interfaces/specification.md",
    ])
  func links(document: String) throws {
    let folder = URL(fileURLWithPath: Checkout.path(document)).deletingLastPathComponent()
    let links = try Checkout.text(of: document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/)
    #expect(!links.isEmpty)
    for link in links {
      let file = folder.appending(path: String(link.1)).standardizedFileURL
      #expect(FileManager.default.fileExists(atPath: file.path), "\(link.1)")
    }
  }

  @Test("The tour with dbus-send prints the documented output")
  func tour() throws {
    let document = try Document("docs/developers.md")
    let blocks = document.blocks(below: "A tour with dbus-send").map(\.code)
    #expect(blocks.first == "dbus-run-session -- bash\n")
    let script = try #require(blocks.last)
      .replacing(".build/release/dragboardd", with: try builtProduct("dragboardd"))

    let home = try PrivateBus()
    var environment = home.environment
    environment["TMPDIR"] = home.home.path
    let result = try run(
      "dbus-run-session", ["--", "bash", "-e", "-c", "set -e -o pipefail\n\(script)"],
      environment: environment)
    #expect(result.status == .exited(0), "\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(" copy insert-at-destination uint32 0 uint32 1 copy array [ "))
    #expect(words.contains(" move array [ "))
    #expect(
      words.hasSuffix("array [ Buy stamps Breakfast with Ada Return the books Call the garage ]"))
  }

  @Test("The examples of \"Every day\" work in order, in two terminals")
  func everyDay() throws {
    let desk = try Workplace(programs: ["rofi": "sed -n 1p"])
    try desk.write(Checkout.text(of: "README.md"), to: "README.md")
    var waiting: ChildProcess?
    var shown: [String] = []
    // The last block starts a daemon that the reader keeps; the next test runs it.
    let blocks = try Document("docs/guide.md").blocks(below: "Every day").dropLast()
    for block in blocks {
      if block.paragraph.hasSuffix(" the first terminal:") {
        waiting = try desk.start(block.code)
        #expect(waiting?.nextLine() != nil)
        continue
      }
      let result = try desk.run(block.code)
      #expect(result.status == .exited(0), "\(block.code)\(result.errors)")
      #expect(result.errors == "", "\(block.code)")
      shown.append(result.output)
      if let drag = waiting.take() {
        #expect(drag.nextLine() == "copied 1 item")
        #expect(drag.waitForExit() == .exited(0))
      }
    }
    try #require(shown.count == 6)
    #expect(shown[0] == "copies/README.md\n")
    #expect(shown[1].hasSuffix("\tBuy ten stamps\n"))
    #expect(shown[2].contains("\ntext/html\n"))
    #expect(shown[3].contains("\ncopy\t"))
    #expect(shown[3].hasSuffix("\n\(desk.home.path)/work.tar.gz\n"))
    #expect(shown[5] == "<b>Breakfast</b> with Ada")
    let list = try desk.run("dragboard list | cut -f 1,6 | sed 's/, .*]/]/'").output
    #expect(
      list == """
        0\t[html]
        1\tBuy ten stamps
        2\tCall the garage
        3\tREADME.md
        4\t[README.md] # Dragboard
        files:0\tWater the plants
        files:1\tcopies

        """)
  }

  @Test("The separate bus of \"Every day\" leaves the boards of the user untouched")
  func separateBus() throws {
    let desk = try Workplace()
    let block = try #require(try Document("docs/guide.md").blocks(below: "Every day").last)
    let lines = block.code.split(separator: "\n").map(String.init)
    try #require(lines.count == 2 && lines[0] == "dbus-run-session -- bash")
    try desk.write(
      """
      \(lines[1])
      until dragboard add other; do :; done > id 2> /dev/null
      dragboard list | cut -f 6; declare -p DBUS_SESSION_BUS_ADDRESS; kill %1
      """, to: "typed.sh")
    let result = try desk.run(
      """
      dragboard add mine > id; \(lines[0]) typed.sh; dragboard list | cut -f 6
      """)
    let shown = result.output.split(separator: "\n")
    #expect(shown.first == "other" && shown.last == "mine", "\(result.output)\(result.errors)")
    #expect(shown.contains { $0.hasPrefix("declare -x DBUS_SESSION_BUS_ADDRESS=") })
  }

  @Test("The backup of all boards in \"Files\" is restored by import")
  func backup() throws {
    let desk = try Workplace()
    let blocks = try Document("docs/guide.md").blocks(below: "Files").map(\.code)
    try #require(blocks.count == 2)
    let restore = try #require(blocks[1].split(separator: "\n").first { !$0.contains("ssh") })
    let result = try desk.run(
      """
      dragboard board add work; dragboard add a b -b work; dragboard add c
      \(blocks[0])
      \(restore)
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(
      try desk.run("ls *.tar.gz; dragboard list -b restored | cut -f 6").output
        == "default.tar.gz\nwork.tar.gz\na\nb\n")
  }
}
