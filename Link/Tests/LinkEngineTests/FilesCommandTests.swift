import Foundation
import Testing

@Suite("dragboard link files")
struct FilesCommandTests {
  private let link = "dragboard-link"

  @Test("The bytes of a file cross only after the user has allowed files for the board")
  func allowed() async throws {
    let server = try await TestServer()
    let folder = try TestFolder()
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    try anna.beginGroup(on: server, as: "anna")
    try anna.admit(bert, as: "bert")
    for board in ["errands", "clipboard"] { try anna.share(board) }
    for machine in [anna, bert] { try machine.startService() }

    func add(_ name: String, _ text: String) throws {
      let path = "\(folder.path)/\(name)"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      let result = try anna.run(
        "dragboard", "add", "--board", "errands", "--link", "--file", path)
      #expect(result.status == 0, "\(result.text)")
    }
    @Sendable func list() throws -> String {
      try bert.run("dragboard", "list", "--board", "errands", "--json").text
    }
    try add("one.txt", "first secret")
    try await eventually("the name is on the other machine", seconds: 40) {
      try list().contains("one.txt on anna")
    }
    #expect(try !anna.run(link, "status").text.contains("files cross"))
    #expect(try anna.run(link, "files", "errands", "on").status == 0)
    #expect(try anna.run(link, "status").text.contains("files cross"))
    try add("two.txt", "second text")
    try await eventually("the file is on the other machine", seconds: 40) {
      try list().contains("two.txt")
    }
    let text = try bert.run(
      "dragboard", "get", "--board", "errands", "1", "--type", "application/octet-stream"
    ).text
    #expect(text == "second text")
    #expect(try !list().contains("text/uri-list"))

    let refusal = try anna.run(link, "files", "clipboard", "on")
    #expect(refusal.status == 77)
    #expect(refusal.text.hasPrefix("Error: board: files never cross"))
    #expect(try anna.run(link, "files", "unknown", "on").status != 0)
    #expect(try anna.run(link, "files", "errands", "off").status == 0)
    try add("three.txt", "third secret")
    try await eventually("the name is on the other machine", seconds: 40) {
      try list().contains("three.txt on anna")
    }
  }
}
