import Foundation
import TestSupport
import Testing

@Suite("packaging/documentation")
struct LibraryDocumentationTests {
  private static let libraries = [
    "BoardModel", "Callers", "DBus", "DragModel", "DragboardClient", "DragboardInterface", "Files",
    "SQLite", "Text",
  ]

  @Test("DocC makes the documentation of every library without a warning")
  func documentation() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "docc-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let built = URL(fileURLWithPath: try builtProduct("dragboardd")).deletingLastPathComponent()
    let result = try run(
      "bash", [Checkout.path("packaging/documentation"), folder.path, built.path])
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.errors == "")
    let archives = result.output.split(separator: "\n").map { URL(fileURLWithPath: "\($0)") }
    let names = archives.map { $0.deletingPathExtension().lastPathComponent }
    #expect(names.sorted() == Self.libraries)
    for archive in archives {
      #expect(FileManager.default.fileExists(atPath: archive.appending(path: "index.html").path))
    }
  }

  @Test("Every public declaration of the libraries is in a catalog's topics", arguments: libraries)
  func topics(library: String) throws {
    let catalog = try Checkout.text(of: "Sources/\(library)/\(library).docc/\(library).md")
    let sources = Checkout.path("Sources/\(library)")
    let declaration = /(?m)^public (?:final |indirect )?(?:struct|enum|class|actor|protocol) (\w+)/
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      for match in try Checkout.text(of: "Sources/\(library)/\(file)").matches(of: declaration) {
        #expect(catalog.contains("- ``\(match.1)``\n"), "\(file)")
        count += 1
      }
    }
    #expect(count > 0)
  }
}
