import DragboardClient
import Foundation
import TestSupport

/// A sample of content to drag.
enum Sample: String, CaseIterable {
  case text, html, file, image

  /// A representation of the sample.
  struct Part {
    let type: ContentType
    let bytes: [UInt8]
  }

  /// Returns the representations of the sample in order; creates its file, if any, in `folder`.
  func parts(in folder: String) throws -> [Part] {
    switch self {
    case .text: return [Part(type: .plainText, bytes: Array("Grüße, 世界".utf8))]
    case .html:
      return [
        Part(type: "text/html", bytes: Array("<p>Hi, <b>you</b></p>".utf8)),
        Part(type: .plainText, bytes: Array("Hi, you".utf8)),
      ]
    case .file:
      let path = "\(folder)/Note 1.txt"
      try "a note".write(toFile: path, atomically: true, encoding: .utf8)
      let address = URL(fileURLWithPath: path).absoluteString + "\r\n"
      return [Part(type: .uriList, bytes: Array(address.utf8))]
    case .image:
      let path = "\(folder)/Picture.png"
      if !FileManager.default.fileExists(atPath: path) {
        try TestProgram.run(
          // Noise cannot be compressed, so the picture is too large for one message of the display.
          ["convert", "-size", "400x300", "xc:gray", "+noise", "Random", "-strip", path],
          ProcessInfo.processInfo.environment)
      }
      return [
        Part(type: "image/png", bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      ]
    }
  }

  /// Returns the representations of a picture of a web page, as Firefox offers it.
  static func webPicture(in folder: String) throws -> [Part] {
    func picture(_ format: String) throws -> [UInt8] {
      let path = "\(folder)/photo.\(format)"
      try TestProgram.run(
        ["convert", "-size", "40x30", "xc:red", "-strip", path], ProcessInfo.processInfo.environment
      )
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let address = "https://example.org/pictures/Photo%201.jpg?size=large"
    return [
      link(to: address, titled: "A photo"),
      Part(type: "text/html", bytes: Array("<img src=\"\(address)\">".utf8)),
      Part(type: .plainText, bytes: Array(address.utf8)),
      Part(type: "image/png", bytes: try picture("png")),
      Part(type: "image/jpeg", bytes: try picture("jpg")),
    ]
  }

  /// Returns a link with a title, as Firefox offers it.
  static func link(to address: String, titled title: String) -> Part {
    let bytes = "\(address)\n\(title)".utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
    }
    return Part(type: "text/x-moz-url", bytes: bytes)
  }
}
