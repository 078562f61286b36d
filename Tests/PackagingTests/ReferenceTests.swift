import DBus
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("The reference of the interfaces")
struct ReferenceTests {
  private static let interfaces = [
    "Board", "DragSession", "DragSource", "DropTarget", "Manager", "RepresentationLoader", "View",
    "Views",
  ]

  @Test("The pages equal the output of packaging/reference")
  func pages() throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try run(Checkout.path("packaging/reference"), [folder.path])
    #expect(result.status == .exited(0), "\(result.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let committed = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.path("docs/reference"))
    #expect(made == (Self.interfaces.map { "\($0).md" } + ["README.md"]).sorted())
    #expect(committed.sorted() == made)
    for page in made {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      #expect(try Checkout.text(of: "docs/reference/\(page)") == text, "\(page)")
    }
  }

  @Test(
    "gdbus-codegen finds a text for every interface, member and argument", arguments: interfaces)
  func texts(interface: String) throws {
    guard isInstalled("gdbus-codegen") else { return }
    let folder = temporaryFolder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = "org.dragboard.Dragboard1.\(interface)"
    let source = Checkout.path("Sources/DragboardInterface/Interfaces/\(name).xml")
    let result = try run(
      "gdbus-codegen", ["--output-directory", folder.path, "--generate-docbook", "page", source])
    #expect(result.status == .exited(0), "\(result.errors)")
    let page = folder.appending(path: "page-\(name).xml")
    let document = try XMLDocument(contentsOf: page, options: [])
    let empty = try document.nodes(forXPath: "//para | //listitem/para").filter(\.isBlank)
    #expect(empty.isEmpty, "\(interface): \(empty.count) texts are missing")

    let contract = try XMLDocument(contentsOf: URL(fileURLWithPath: source), options: [])
    let arguments = try contract.nodes(forXPath: "//method/arg | //signal/arg").count
    #expect(try document.nodes(forXPath: "//variablelist//listitem/para").count == arguments)
    let members = try contract.nodes(forXPath: "//method | //signal | //property").count
    #expect(try document.nodes(forXPath: "//refsect2").count == members)
  }

  @Test("Every error of the contract is in a text and in the specification's table")
  func errors() throws {
    let folder = "Sources/DragboardInterface/Interfaces"
    let texts = try Self.interfaces.map {
      try Checkout.text(of: "\(folder)/org.dragboard.Dragboard1.\($0).xml")
    }.joined()
    let specification = try Checkout.text(of: "\(folder)/specification.md")
    let declaration = /own\("(\w+)"\)/
    let source = try Checkout.text(of: "Sources/DragboardInterface/Dragboard.swift")
    let names = source.matches(of: declaration).map { String($0.1) }
    #expect(names.count > 10)
    let standard = ["InvalidArgs", "AccessDenied", "LimitsExceeded", "IOError"]
    for name in names + standard {
      #expect(texts.contains(name), "\(name) is in no text")
      #expect(specification.contains("\n| `\(name)` | "), "\(name) is not in the specification")
    }
  }

  @Test("The script refuses an option that it does not know, and shows its usage")
  func usage() throws {
    let script = Checkout.path("packaging/reference")
    #expect(try run(script, ["--bogus"]).status == .exited(64))
    #expect(try run(script, ["--help"]).output.contains("\n    packaging/reference [FOLDER]\n"))
  }

  private func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "reference-\(UUID())")
  }
}

extension XMLNode {
  /// Whether the node contains no text.
  fileprivate var isBlank: Bool {
    (stringValue ?? "").allSatisfy(\.isWhitespace)
  }
}
