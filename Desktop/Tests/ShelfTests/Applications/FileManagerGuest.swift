import DragboardClient
import Foundation
import TestSupport

/// A file manager that shows a directory.
final class FileManagerGuest: Guest {
  /// The file managers.
  enum Kind: String, CaseIterable {
    case thunar
    case nautilus
    case pcmanfmQt = "pcmanfm-qt"
    case caja
    case nemo
    case pcmanfm

    /// The file managers whose drags are repeated.
    static let repeated: [Kind] = [.thunar, .nautilus, .pcmanfmQt]

    /// The file managers that make files from texts, and that copy without a modifier key.
    ///
    /// PCManFM-Qt accepts texts, but never asks for their files, and shows a menu.
    static let direct: [Kind] = [.thunar, .nautilus]

    /// The toolkit of the file manager.
    var toolkit: String {
      switch self {
      case .thunar, .caja, .nemo, .pcmanfm: "GTK 3"
      case .nautilus: "GTK 4"
      case .pcmanfmQt: "Qt 5"
      }
    }

    /// The position of the first file in the window.
    fileprivate var firstFile: Point {
      switch self {
      case .thunar: (210, 140)
      case .nautilus: (105, 123)
      case .pcmanfmQt: (207, 160)
      case .caja: (255, 146)
      case .nemo: (238, 152)
      case .pcmanfm: (207, 96)
      }
    }
  }

  var name: String { kind.rawValue }
  private let kind: Kind
  let desk: Desk
  private let program: TestProgram
  private let folder: URL
  private let file: URL

  /// Starts a file manager that shows a directory with one file, or an empty directory.
  init(_ kind: Kind, withFile hasFile: Bool, at desk: Desk) throws {
    (self.kind, self.desk) = (kind, desk)
    folder = URL(fileURLWithPath: desk.folder).appending(path: "Inbox")
    file = folder.appending(path: "Note 2.txt")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if hasFile { try "a note".write(to: file, atomically: true, encoding: .utf8) }
    program = try desk.start([kind.rawValue, folder.path])
    _ = try desk.screen.place(
      windowTitled: "^Inbox", at: Self.corner, width: 560, height: 640)
  }

  private static let corner = (x: 430, y: 20)

  /// The representations that the file manager drags: the address of the file.
  var parts: [Sample.Part] {
    [Sample.Part(type: .uriList, bytes: Array((file.absoluteString + "\r\n").utf8))]
  }

  func prepareDrag() async throws -> Point {
    (Self.corner.x + kind.firstFile.x, Self.corner.y + kind.firstFile.y)
  }

  /// The shelf stores only the address, so the file must still exist.
  func untilDelivered(asMove isMove: Bool) async throws {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw TestProgram.Failure(description: "\(file.path) is gone")
    }
  }

  func prepareDrop() async throws -> Point {
    for file in try files() { try FileManager.default.removeItem(at: file) }
    return (Self.corner.x + 400, Self.corner.y + 350)
  }

  func untilReceived(_ parts: [Sample.Part]) async throws {
    let expected = try bytes(of: parts)
    try await desk.until {
      let files = try self.files()
      return try files.count == 1 && Array(Data(contentsOf: files[0])) == expected
    }
  }

  /// Returns the bytes of the file that a drop of these representations creates.
  private func bytes(of parts: [Sample.Part]) throws -> [UInt8] {
    if let picture = parts.first(where: { $0.type == "image/jpeg" }) { return picture.bytes }
    guard let part = parts.first, part.type == .uriList else { return parts.first?.bytes ?? [] }
    return Array("a note".utf8)
  }

  /// The names of the files in the directory.
  var names: [String] { get throws { try files().map(\.lastPathComponent) } }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }
}
