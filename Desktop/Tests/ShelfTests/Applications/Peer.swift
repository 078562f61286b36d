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
    case qt6 = "Qt 6"

    /// The toolkits that this machine has.
    static let installed = allCases.filter { toolkit in
      guard let module = toolkit.module else { return true }
      let path = ProcessInfo.processInfo.environment
      return (try? TestProgram.run(["/usr/bin/python3", "-c", "import \(module)"], path)) != nil
    }

    /// The Python module that the peer needs.
    private var module: String? {
      switch self {
      case .gtk4, .gtk3: nil
      case .qt5: "PyQt5.QtWidgets"
      case .qt6: "PyQt6.QtWidgets"
      }
    }

    /// The peer's program, with its first arguments.
    var command: [String] {
      switch self {
      case .gtk4: ["drag-peer"]
      case .gtk3: [Peer.folder.appending(path: "gtk3-peer").path]
      case .qt5: [Peer.folder.appending(path: "qt-peer").path, "5"]
      case .qt6: [Peer.folder.appending(path: "qt-peer").path, "6"]
      }
    }
  }

  /// The directory of the scripts.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Peers")

  let name: String
  private let toolkit: Toolkit
  private let program: TestProgram

  /// Starts a peer that drags a sample, and requests a copy or a move for drops on its window.
  init(_ toolkit: Toolkit, with sample: Sample, asksForMove: Bool, at desk: Desk) throws {
    (name, self.toolkit) = (toolkit.rawValue, toolkit)
    let parts = try sample.parts(in: desk.folder)
    let arguments = try parts.enumerated().map { index, part in
      let path = "\(desk.folder)/part-\(index)"
      try Data(part.bytes).write(to: URL(fileURLWithPath: path))
      return "\(part.type.rawValue)|@\(path)"
    }
    program = try desk.start(toolkit.command + [asksForMove ? "move" : "copy"] + arguments)
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
    // Qt 6 gives a text without the parameter of its type.
    let expected = parts.map(Self.line(of:)).map {
      toolkit == .qt6 ? $0.replacing(";charset=utf-8", with: "") : $0
    }
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
