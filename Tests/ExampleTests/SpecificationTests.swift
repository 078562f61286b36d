import Foundation
import TestSupport
import Testing

@Suite("The specification's examples")
struct SpecificationTests {
  @Test("Each example call succeeds, one after the other")
  func calls() throws {
    let path = "Sources/DragboardInterface/Interfaces/specification.md"
    let blocks = try Document(path).blocks(below: "17. An example for each interface")
    let script = try #require(blocks.first { $0.language == "sh" }).code
    let place = try Workplace()
    let result = try place.run(script)
    #expect(result.status == .exited(0), "\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.hasPrefix("array [ text/plain;charset=utf-8 ] copy insert-at-destination "))
    for interface in [
      "Board", "Manager", "DragSession", "DropTarget", "DragSource", "Views", "View",
    ] {
      #expect(script.contains("$name.\(interface)."), "no example for \(interface)")
    }
  }
}
