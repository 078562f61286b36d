import Foundation
import TestSupport
import Testing

@Suite(
  "The cookbook", .enabled(if: isInstalled("jq"), "jq is not installed"))
struct CookbookTests {
  @Test("Each recipe prints the output below it", arguments: Recipe.all)
  func recipe(recipe: Recipe) throws {
    let desk = try Workplace(programs: Recipe.programs)
    try desk.write("Lunch with Ada", to: "clipboard")
    try desk.write("All is well.\n", to: "server/report.txt")
    #expect(try desk.run(Recipe.preparation).status == .exited(0))

    let first = try recipe.first.map { try desk.start($0) }
    let told = first?.nextLine()
    let result = try desk.run(recipe.script)
    #expect(result.status == .exited(0))
    #expect(result.errors == "")
    var printed = result.output
    if let first, let told, recipe.isToldByFirst {
      let more = (1..<recipe.output.count(where: \.isNewline)).map { _ in first.nextLine() ?? "" }
      printed = ([told] + more).joined(separator: "\n")
    }
    let id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
    printed = printed.replacing(id, with: "ID").trimmingCharacters(in: .newlines)
    #expect(printed + "\n" == recipe.output)
  }

  @Test(
    "There are recipes with the command and with dbus-send, and each has a script and an output")
  func count() {
    #expect(Recipe.all.count >= 20)
    #expect(Recipe.all.count { $0.script.contains("dbus-send") } >= 4)
    for recipe in Recipe.all { #expect(!recipe.script.isEmpty && !recipe.output.isEmpty) }
  }
}
