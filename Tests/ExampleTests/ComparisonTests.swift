import Foundation
import TestSupport
import Testing

@Suite("The comparison")
struct ComparisonTests {
  @Test("The commands of Dragboard do the five tasks, in two terminals")
  func tasks() throws {
    let desk = try Workplace()
    let names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]
    for name in names { try desk.write("\(name)\n", to: name) }
    try desk.write("report\n", to: "report.txt")
    let made = try desk.run("mkdir kept elsewhere; touch -d '2001-02-03 UTC' *.txt")
    #expect(made.status == .exited(0))
    let document = try Document("docs/comparison.md")
    let blocks = document.blocks(below: "Commands of Dragboard").map(\.code)
    try #require(blocks.count == 2)

    let first = try desk.start(blocks[0])
    for _ in 0..<5 { #expect(first.nextLine()?.count == 36) }
    for name in names { #expect(first.nextLine() == "kept/\(name)") }
    var printed: [String] = []
    for line in blocks[1].split(separator: "\n") {
      if line.hasPrefix("dragboard drop") { #expect(Int(first.nextLine() ?? "") != nil) }
      let result = try desk.run("cd elsewhere; \(line)")
      #expect(result.status == .exited(0), "\(line) \(result.errors)")
      if line.hasPrefix("dragboard drop") { #expect(first.nextLine() == "copied 1 item") }
      printed.append(result.output)
    }
    #expect(first.waitForExit() == .exited(0))
    #expect(printed[..<2] == ["./report.txt\n", "./now.txt\n"])
    #expect(printed[2].hasPrefix("3\t") && printed[2].contains("d.txt"))
    let result = try desk.run("cat elsewhere/report.txt; date -r kept/e.txt +%Y; dragboard list")
    #expect(result.output.hasPrefix("report\n2001\n0\t"))
    #expect(result.output.count(where: \.isNewline) == 7)
  }
}
