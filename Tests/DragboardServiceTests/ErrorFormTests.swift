import BoardModel
import DBus
import DragModel
import Files
import Foundation
import Testing

/// Section 13.1 of the specification: a message names the argument, the problem and the expected
/// value.
@Suite("The form of errors")
struct ErrorFormTests {
  /// An error in the source code of the daemon.
  private struct Site: CustomStringConvertible {
    let file: String
    let name: String
    let message: String
    var description: String { "\(file): .\(name), \(message)" }
  }

  /// Returns the errors whose messages are literals.
  private func sites() throws -> [Site] {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardized
    let pattern = try Regex(#"DBusError\(\s*\.(\w+),\s*"((?:[^"\\]|\\.|\\\([^"]*"[^"]*\))*)""#)
    var sites: [Site] = []
    for module in ["DBus", "DragboardService", "DragboardInterface"] {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: module), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: pattern) {
          sites.append(
            Site(
              file: file.lastPathComponent, name: String(match[1].substring ?? ""),
              message: String(match[2].substring ?? "")))
        }
      }
    }
    return sites
  }

  /// The errors that only the calling side of a connection gets.
  private static let local: Set = ["noServer", "disconnected", "cancelled", "noReply", "failed"]

  /// The beginnings of messages that get their subject or their end elsewhere.
  private static let parts = [
    #"\(error)"#, #"\(self)"#, #"name: \(fault)"#, #"\(member ?? "#,
    #"\(member): the arguments are"#,
    #"\(kind.quoted) is not"#, #"\(subject.quoted) is not"#, #"\(name) would be"#,
    "the value is of type", "no file descriptor is left for a connection",
    "this connection exports no object",
  ]

  @Test("Every message in the source code names a subject and a problem")
  func literals() throws {
    let sites = try sites().filter { !Self.local.contains($0.name) }
    #expect(sites.count > 60)
    for site in sites {
      if Self.parts.contains(where: site.message.hasPrefix) { continue }
      #expect(site.message.contains(": "), "\(site)")
      guard site.name == "invalidArgs", !site.message.hasSuffix(#"\(error)"#) else { continue }
      #expect(site.message.hasSuffix(")") && site.message.contains(" ("), "\(site)")
    }
  }

  @Test("Every fault of an argument that the models describe names the expected value")
  func models() throws {
    let bell: Unicode.Scalar = "\u{7}"
    let faults: [any CustomStringConvertible] = [
      NameFault.empty, NameFault.tooLong, NameFault.control(bell), NameFault.noncharacter(bell),
      LabelError.tooLong, LabelError.forbiddenScalar(bell, position: 1),
      MIMETypeError.empty, MIMETypeError.tooLong(byteCount: 300),
      MIMETypeError.unknownAlias("x"), MIMETypeError.malformedName("x"),
      MIMETypeError.malformedParameter("x"), MIMETypeError.repeatedParameter("x", name: "y"),
      MIMETypeError.pattern("x"), MIMETypeError.malformedPattern("x"),
      ApplicationError.malformed("x"), ApplicationError.notYours("x"),
      BoardError.indexOutOfRange(.row, given: 7, valid: 0...2),
      BoardError.indexOutOfRange(.row, given: 7, valid: nil), BoardError.sectionExists("x"),
      BoardError.lastSection, ArrangementError.noSections, ArrangementError.sectionTwice("x"),
      ViewError.severalRows(2), DropPositionError.noSuchSection(7, count: 2),
      DropPositionError.noSuchRow(7, section: 0, operation: .copy, end: 2),
      ClientFile.Fault.wrongKind("a pipe"), ClientFile.Fault.unreadable,
    ]
    for fault in faults {
      let text = fault.description
      #expect(text.hasSuffix(")") && text.contains(" ("), "\(text)")
    }
  }
}
