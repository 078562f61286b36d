import DragboardClient
import Foundation
import TestSupport

/// A small program of these tests, written with one of the toolkits.
///
/// It prints the events of its drags and drops.
struct Peer: Guest {
  /// The toolkits.
  enum Toolkit: String, CaseIterable {
    case gtk4 = "GTK 4"
    case gtk3 = "GTK 3"
    case qt5 = "Qt 5"

    /// The peer's program.
    fileprivate var program: String {
      switch self {
      case .gtk4: "drag-peer"
      case .gtk3: Peer.folder.appending(path: "gtk3-peer").path
      case .qt5: Peer.folder.appending(path: "qt5-peer").path
      }
    }
  }

  /// The directory of the scripts.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Peers")

  let name: String
  private let program: TestProgram

  /// Starts a peer that drags a sample, and requests a copy or a move for drops on its window.
  init(_ toolkit: Toolkit, with sample: Sample, asksForMove: Bool, at desk: Desk) throws {
    name = toolkit.rawValue
    let parts = try sample.parts(in: desk.folder)
    let arguments = try parts.enumerated().map { index, part in
      let path = "\(desk.folder)/part-\(index)"
      try Data(part.bytes).write(to: URL(fileURLWithPath: path))
      return "\(part.type.rawValue)|@\(path)"
    }
    program = try desk.start([toolkit.program, asksForMove ? "move" : "copy"] + arguments)
    _ = try desk.screen.place(
      windowTitled: "^Peer$", at: Self.corner, width: 300, height: 400)
  }

  private static let corner = (x: 550, y: 50)

  private static func line(of part: Sample.Part) -> String {
    let isText = part.type.rawValue.hasPrefix("text/")
    return "got \(part.type.rawValue) "
      + (isText ? escaped(part.bytes) : Data(part.bytes).base64EncodedString())
  }

  /// Returns a text with the escapes that the peers print for line ends.
  private static func escaped(_ bytes: [UInt8]) -> String {
    let text = bytes.split(separator: UInt8(ascii: "\r"), omittingEmptySubsequences: false)
      .joined(separator: Array("\\r".utf8))
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .joined(separator: Array("\\n".utf8))
    return String(decoding: Array(text), as: UTF8.self)
  }

  func prepareDrag() -> Point { (Self.corner.x + 150, Self.corner.y + 100) }

  func untilDelivered(asMove isMove: Bool) throws {
    try expect(isMove ? "ended move" : "ended copy")
  }

  /// Waits until the peer prints that its drag was cancelled.
  func untilCancelled() throws { try expect("cancelled") }

  func prepareDrop() -> Point { (Self.corner.x + 150, Self.corner.y + 300) }

  func untilReceived(_ parts: [Sample.Part]) throws {
    let expected = parts.map(Self.line(of:))
    let lines = linesOfDrop()
    for line in expected where !lines.contains(line) {
      throw TestProgram.Failure(description: "instead of \(line): \(lines)")
    }
  }

  /// Waits for a drop on the peer, and returns the lines that the peer prints.
  func linesOfDrop() -> [String] {
    var lines: [String] = []
    while let line = program.nextLine(), line != "dropped" { lines.append(line) }
    return lines
  }

  private func expect(_ expected: String) throws {
    let line = program.nextLine()
    guard line == expected else {
      throw TestProgram.Failure(description: "instead of \(expected): \(line ?? "the end")")
    }
  }
}
