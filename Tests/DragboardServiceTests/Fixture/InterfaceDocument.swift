import Foundation
import FoundationXML

/// Introspection data as a set of lines, one for each member, argument and annotation, so that two
/// documents can be compared.
///
/// A line is a path: `org.x.Board/method GetRows/1 in section: u`.
final class InterfaceDocument: NSObject, XMLParserDelegate {
  /// The lines of the document's interfaces.
  private(set) var lines: Set<String> = []
  /// The prefixes of annotations for code generators; the daemon does not serve them.
  private static let generators = ["org.qtproject.QtDBus.", "org.gtk.GDBus."]
  private var place: [String] = []
  private var argumentCount = 0

  /// Reads a document.
  ///
  /// - Throws: the error of the XML parser.
  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse(), let error = parser.parserError { throw error }
  }

  /// The names of the interfaces.
  var interfaces: Set<String> {
    Set(lines.compactMap { $0.split(separator: "/").first.map(String.init) })
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard element != "node" else { return }
    place.append(words(of: element, attributes))
    let isForGenerator = Self.generators.contains { attributes["name"]?.hasPrefix($0) ?? false }
    if !isForGenerator { lines.insert(place.joined(separator: "/")) }
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if element != "node" { place.removeLast() }
  }

  private func words(of element: String, _ attributes: [String: String]) -> String {
    let name = attributes["name"] ?? ""
    switch element {
    case "interface": return name
    case "arg":
      argumentCount += 1
      let direction = attributes["direction"] ?? "-"
      return "\(argumentCount) \(direction) \(name): \(attributes["type"] ?? "")"
    case "annotation": return "@\(name) = \(attributes["value"] ?? "")"
    case "property":
      argumentCount = 0
      return "property \(name)/\(attributes["type"] ?? "") \(attributes["access"] ?? "")"
    default:
      argumentCount = 0
      return "\(element) \(name)"
    }
  }
}
